/** The memory of tips in a browser's own localStorage: over visits, full, and damaged. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { judged, openApi, rootOf } from "./api.mjs";

const name = "long-history";
const ids = judged[name].versions.map(({ id }) => id);

let api;
/** What main holds, as the host says. */
let main = ids[1];
before(async () => {
  const refs = () => ({ body: JSON.stringify({ refs: { "refs/heads/main": main } }) });
  const faults = (path) => (path.endsWith(`${name}/refs.json`) ? refs() : undefined);
  api = await openApi({ faults });
});
after(() => api?.close());

/** A visit: what the page is warned of; with `accept` it accepts all of it. */
function visit(accept = false) {
  return api.run(
    async ({ root, trustedSigners, accept }) => {
      const options = { trustedSigners, tips: "localStorage" };
      const repository = await window.fdl.openRepository(root, options);
      const warnings = await repository.warnings();
      if (accept) for (const warning of warnings) await warning.accept();
      return warnings.map(({ code, message, facts }) => ({ code, message, facts }));
    },
    { root: rootOf(name), trustedSigners: judged[name].trusted_signers, accept },
  );
}

test("what was seen outlives the visit, until the page accepts what came instead", async () => {
  assert.deepEqual(await visit(), []);
  main = ids[3];
  assert.deepEqual(await visit(), []);
  main = ids[0];
  const [warning, ...more] = await visit();
  assert.deepEqual([warning.code, more], ["rolled_back", []]);
  assert.deepEqual([warning.facts.seen, warning.facts.found], [ids[3], ids[0]]);
  assert.equal((await visit(true)).length, 1);
  assert.deepEqual(await visit(), []);
  const kept = await api.run(() => Object.entries(window.localStorage));
  assert.equal(kept.length, 2);
  for (const [key, text] of kept) assert.ok(key.startsWith("fdl-reader ") && JSON.parse(text));
});

test("a localStorage that is full keeps nobody from reading", async () => {
  await api.run(() => {
    window.localStorage.clear();
    for (let size = 1 << 22; size >= 1; size >>= 1) {
      try {
        for (;;)
          window.localStorage.setItem(
            `full ${size} ${window.localStorage.length}`,
            "x".repeat(size),
          );
      } catch {
        // No more of this size.
      }
    }
  });
  const warnings = await visit();
  assert.ok(warnings.length > 0 && warnings.every(({ code }) => code === "store_unusable"));
  assert.ok(
    warnings.every(({ message }) => /quota/i.test(message)),
    JSON.stringify(warnings),
  );
  await api.run(() => window.localStorage.clear());
  assert.deepEqual(await visit(), []);
});
