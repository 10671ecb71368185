/** What becomes of DuckDB-Wasm in the page: nothing waits for ever, and nothing stays behind. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, describe, test } from "node:test";
import { inRoot, judged, openApi, rootOf } from "./api.mjs";

/** A query that takes longer than anyone waits, and can be interrupted. */
const endless =
  "SELECT count(*) FROM range(100000) a, range(100000) b WHERE (a.range * b.range) % 7 = 3";

describe("an engine that goes", () => {
  let api;
  before(async () => (api = await openApi()));
  after(() => api?.close());
  afterEach(() => api.run(() => window.engine?.close()));

  const start = (options) =>
    api.run(async (options) => {
      window.engine = await window.startEngine(options);
      window.outcome = (promise) =>
        promise.then(
          ({ rows } = {}) => rows ?? "done",
          ({ code, message }) => ({ code, message }),
        );
    }, options);
  /** The worker ends by itself, and tells nobody. */
  const killWorker = async () => {
    const [worker] = api.page.workers();
    await Promise.race([
      worker.evaluate(() => globalThis.close()).catch(() => undefined),
      closed(worker),
    ]);
  };
  const closed = (worker) => new Promise((resolve) => worker.once("close", resolve));

  test("a worker that dies without a word is found out, and what waited for it fails", async () => {
    await start({ silence: 3000 });
    const waiting = api.run(async (endless) => {
      const running = [window.engine.query(endless), window.engine.query("SELECT 1")];
      return await Promise.all(running.map(window.outcome));
    }, endless);
    await api.page.waitForTimeout(500);
    await killWorker();
    const [long] = await waiting;
    assert.equal(long.code, "engine_lost");
    assert.match(long.message, /not answered for 3 seconds/);
    const then = await api.run(async () => [
      window.engine.lost.aborted,
      window.engine.lost.reason.code,
      await window.outcome(window.engine.query("SELECT 1")),
      await window.outcome(window.engine.run("SELECT 1")),
      await window.outcome(window.engine.load("json")),
    ]);
    assert.deepEqual(then.slice(0, 2), [true, "engine_lost"]);
    for (const { code } of then.slice(2)) assert.equal(code, "engine_lost");
  });

  test("a worker that dies while nobody waits is found out at the next question", async () => {
    await start({ silence: 2000 });
    await killWorker();
    const { code } = await api.run(() => window.outcome(window.engine.query("SELECT 1")));
    assert.equal(code, "engine_lost");
  });

  test("a worker that dies while statements run together ends them, and what they wait for", async () => {
    await start({ silence: 2000 });
    const waiting = api.run(async (endless) => {
      const caught = [];
      const work = async (run) => {
        await run("USE memory");
        await run(endless).catch(({ code }) => caught.push(code));
        await run("SELECT 1").catch(({ code }) => caught.push(code)); // it may go on, in vain
        await run("SELECT 2");
      };
      const together = await window.outcome(window.engine.together(work));
      return { together, caught, next: await window.outcome(window.engine.together(work)) };
    }, endless);
    await api.page.waitForTimeout(500);
    await killWorker();
    const { together, caught, next } = await waiting;
    assert.equal(together.code, "engine_lost");
    assert.deepEqual(caught, ["engine_lost", "engine_lost"]);
    assert.equal(next.code, "engine_lost");
  });

  test("an engine that the page terminates is gone at once", async () => {
    await start();
    const found = await api.run(async (endless) => {
      const running = window.outcome(window.engine.query(endless));
      await window.engine.db.terminate();
      const next = await window.outcome(window.engine.query("SELECT 1"));
      return [next, await running];
    }, endless);
    for (const { code, message } of found) {
      assert.equal(code, "engine_lost");
      assert.match(message, /it was terminated/);
    }
  });

  test("an error that the worker did not catch ends it", async () => {
    await start();
    const waiting = api.run((endless) => window.outcome(window.engine.query(endless)), endless);
    await api.page.waitForTimeout(300);
    await api.page.workers()[0].evaluate(() => {
      setTimeout(() => {
        throw new Error("a fault in the worker");
      });
    });
    const { code, message } = await waiting;
    assert.equal(code, "engine_lost");
    assert.match(message, /a fault in the worker/);
    api.errors.splice(0); // it is written to the console too
  });

  test("out of memory is said as such, and the memory is given back with the engine", async () => {
    await start();
    const found = await api.run(async () => {
      await window.engine.run("SET memory_limit = '60MB'");
      const list = "SELECT list(a.range * 1000 + b.range) FROM range(100000) a, range(1000) b";
      const failed = await window.outcome(window.engine.query(list));
      const again = await window.startEngine();
      const rows = await window.outcome(again.query("SELECT count(*) FROM range(1000000)"));
      await again.close();
      return { failed, lost: window.engine.lost.reason.message, rows };
    });
    assert.equal(found.failed.code, "out_of_memory");
    assert.match(found.failed.message, /Out of Memory Error/);
    assert.match(found.lost, /ran out of memory/);
    assert.deepEqual(found.rows, [["1000000"]]);
  });

  test("a cancelled query answers at once, and one that does not stop costs the engine", async () => {
    await start();
    // One expression over one long list, item by item for minutes: nothing in it can be interrupted.
    const unstoppable = `SELECT list_reduce(range(100000000), lambda x, y: (x * 7919 + y) % 10007)`;
    const found = await api.run(async (sql) => {
      const controller = new AbortController();
      const running = window.outcome(window.engine.query(sql, { signal: controller.signal }));
      await new Promise((resolve) => setTimeout(resolve, 300));
      const from = performance.now();
      controller.abort();
      const cancelled = await running;
      const took = performance.now() - from;
      return { cancelled, took, next: await window.outcome(window.engine.query("SELECT 1")) };
    }, unstoppable);
    assert.equal(found.cancelled.code, "aborted");
    assert.ok(found.took < 1000, `${found.took} ms`);
    assert.equal(found.next.code, "engine_lost");
    assert.match(found.next.message, /cancelled query did not stop/);
  });

  test("a version on a lost engine is attached again to another", async () => {
    await start();
    const root = rootOf("tagged");
    const found = await api.run(async (root) => {
      const version = await (await window.fdl.openRepository(root)).version();
      const lake = await window.duckdb.attach(window.engine, version);
      await window.engine.db.terminate();
      const failed = await window.outcome(window.engine.query("FROM lake.main.towns"));
      await lake.detach(); // there is nothing left to take out
      window.engine = await window.startEngine();
      await window.duckdb.attach(window.engine, version);
      const { rows } = await window.engine.query("SELECT count(*) FROM lake.main.towns");
      return [failed.code, Number(rows[0][0])];
    }, root);
    assert.deepEqual(found, ["engine_lost", judged.tagged.versions.at(-1).tables[0].rows]);
  });
});

describe("a page's own engine", () => {
  let api;
  before(async () => {
    api = await openApi();
    await api.run(async () => {
      const { AsyncDuckDB, VoidLogger } = await import("@duckdb/duckdb-wasm");
      const dist = "/node_modules/@duckdb/duckdb-wasm/dist";
      window.ownEngine = async (build = "eh", config = {}) => {
        const worker = new window.Worker(`${dist}/duckdb-browser-${build}.worker.js`);
        const db = new AsyncDuckDB(new VoidLogger(), worker);
        await db.instantiate(new URL(`${dist}/duckdb-${build}.wasm`, location.href).href);
        await db.open(config);
        return db;
      };
    });
  });
  after(() => api?.close());

  test("is taken in, keeps its settings and its tables, and goes on when it is let go", async () => {
    const found = await api.run(async (root) => {
      const db = await window.ownEngine();
      const own = await db.connect();
      const ask = async (sql) =>
        String((await own.query(sql)).toArray().map((row) => row.toJSON().x));
      await own.query("SET custom_extension_repository = 'https://extensions.example.org'");
      await own.query("CREATE TABLE mine AS SELECT 42 AS x");
      const settings = async () => {
        const rows = (await own.query("SELECT name, value FROM duckdb_settings()")).toArray();
        return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
      };
      const databases =
        "SELECT string_agg(database_name, ',' ORDER BY database_name) AS x FROM duckdb_databases()";
      const before = { settings: await settings(), databases: await ask(databases) };
      const engine = await window.startEngine({ db });
      const version = await (await window.fdl.openRepository(root)).version();
      const lake = await window.duckdb.attach(engine, version);
      const rows = await ask("SELECT count(*)::INTEGER AS x FROM lake.main.towns");
      await lake.detach();
      const again = await window.startEngine({ db }); // what is loaded is not loaded twice
      await again.close();
      await engine.close();
      const after = { settings: await settings(), databases: await ask(databases) };
      const found = { rows, mine: await ask("FROM mine"), readsByRange: engine.readsByRange };
      const code = await engine.query("SELECT 1").catch(({ code }) => code);
      await db.terminate();
      const changed = Object.keys(before.settings).filter(
        (name) => before.settings[name] !== after.settings[name],
      );
      if (before.databases !== after.databases) changed.push("databases");
      return { ...found, changed, code };
    }, rootOf("tagged"));
    const rows = String(judged.tagged.versions.at(-1).tables[0].rows);
    assert.deepEqual(found, {
      rows,
      mine: "42",
      readsByRange: false,
      changed: [],
      code: "engine_lost",
    });
  });

  test("whether it reads by range is told from how it was opened", async () => {
    const told = await api.run(async () => {
      const db = await window.ownEngine("eh", { filesystem: { forceFullHTTPReads: false } });
      const engine = await window.startEngine({ db });
      await db.terminate();
      return engine.readsByRange;
    });
    assert.equal(told, true);
  });

  test("a build that breaks at the first error is refused, and so is one that was terminated", async () => {
    const codes = await api.run(async () => {
      const code = (db) =>
        window.startEngine({ db }).then(
          () => "started",
          ({ code }) => code,
        );
      const db = await window.ownEngine("mvp");
      const codes = [await code(db)];
      await db.terminate();
      return [...codes, await code(db)];
    });
    assert.deepEqual(codes, ["unsupported_engine", "engine_not_loaded"]);
  });
});

/** The worker's script, which keeps the memory of its WebAssembly where a test finds it. */
function withMemory(path) {
  if (!path.endsWith("eh.worker.js")) return undefined;
  const script = readFileSync(inRoot(path.slice(1)), "utf8");
  const keeping = `
    const { Memory } = WebAssembly;
    WebAssembly.Memory = function (...given) {
      return (globalThis.memory = new Memory(...given));
    };`;
  return { body: keeping + script, headers: { "content-type": "text/javascript" } };
}

test("fifty versions come and go, and leave no database, file or memory behind", async () => {
  const api = await openApi({ faults: withMemory });
  try {
    await api.run(async () => (window.engine = await window.startEngine()) && undefined);
    const memory = () => api.page.workers()[0].evaluate(() => globalThis.memory.buffer.byteLength);
    const names = ["tagged", "first-commit", "second-commit", "deletes-both", "types"];
    const round = (names) =>
      api.run(async (names) => {
        const { engine } = window;
        for (const name of names) {
          const repository = await window.fdl.openRepository(`repositories/${name}/`);
          const version = await repository.version();
          const lake = await window.duckdb.attach(engine, version);
          for (const table of lake.tables) await lake.rows(table);
          await lake.detach();
          version.free();
          repository.free();
        }
        const count = async (sql) => Number((await engine.query(sql)).rows[0][0]);
        return {
          databases: await count("SELECT count(*) FROM duckdb_databases() WHERE NOT internal"),
          views: await count("SELECT count(*) FROM duckdb_views() WHERE NOT internal"),
          bytes: await count("SELECT sum(memory_usage_bytes) FROM duckdb_memory()"),
          files: (await engine.db.globFiles("*")).length,
        };
      }, names);
    const versions = Array.from({ length: 10 }, () => names).flat();
    const first = await round(versions); // by then the WebAssembly is as large as it has to be
    const size = await memory();
    const fifty = await round(versions);
    assert.deepEqual(fifty, first);
    assert.equal(fifty.databases, 1, "the engine's own");
    assert.equal(fifty.files, 0);

    assert.equal(await memory(), size, "of the WebAssembly");
  } finally {
    await api.close();
  }
});
