/**
 * Cases that ssh-keygen has judged, judged again by what pages load: there ECDSA and RSA are checked by Web
 * Cryptography, which is Node's here. FDL_TRUST_CASES says how many: with thousands Node 20 itself may end
 * (V8's "unreachable code" in its deoptimizer) unless it is told --no-turbo-inline-js-wasm-calls.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openRepository } from "../../dist/reader/node.js";
import { temporary } from "./cast.mjs";

const root = "https://host.example/lake/";
const id = "019a3c4e-7b21-7f3a-9c55-2f0d8e1a4b6c"; // as in tests/trust/reader.rs

/** What is said of the signature of a case. */
async function judge({ list, record, signature, demanded, revoked, namespace, time }) {
  const files = {
    "fdl.json": '{"fdl": "0.1"}',
    [`versions/${id}/version.json`]: Uint8Array.from(record),
    [`versions/${id}/version.json.sig`]: Uint8Array.from(signature),
  };
  const fetch = ({ url }) => {
    const file = files[url.slice(root.length)];
    return Promise.resolve(new Response(file, { status: file ? 200 : 404 }));
  };
  try {
    const repository = await openRepository(root, {
      trustedSigners: list,
      namespace,
      ...(demanded !== null && { principal: demanded }),
      ...(revoked !== null && { revokedKeys: Uint8Array.from(revoked) }),
      ...(time && { time: time[0] }),
      fetch,
    });
    const { verdict } = await repository.version(id);
    return [verdict.signature, verdict.checks[0].code];
  } catch (error) {
    return ["refused", error.code];
  }
}

test("what pages load says of each signature what was held against ssh-keygen", async (t) => {
  const file = temporary(t, "cases.jsonl");
  const env = { ...process.env, FDL_TRUST_CASES_FILE: file };
  env.FDL_TRUST_CASES ??= "200";
  const { status, stderr } = spawnSync(
    "cargo",
    ["test", "--quiet", "--test", "trust", "whatever_is_put_together"],
    { cwd: fileURLToPath(new URL("../..", import.meta.url)), env, encoding: "utf8" },
  );
  assert.equal(status, 0, stderr);
  t.diagnostic(stderr);
  const counts = {};
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { case: given, came } = JSON.parse(line);
    const [signature, code] = await judge(given);
    // That a key is on no curve is told when it is used, and so with another code.
    const agreed = signature === came[0] && (code === came[1] || signature === "bad");
    // Web Cryptography takes not every RSA key, and what it does not take cannot be checked.
    const unchecked = came[0] === "bad" && code === "unsupported_algorithm";
    assert.ok(agreed || unchecked, `${signature} ${code}, not ${came.join(" ")}: ${line}`);
    const counted = agreed ? signature : "unchecked, and bad natively";
    counts[counted] = (counts[counted] ?? 0) + 1;
  }
  t.diagnostic(JSON.stringify(counts));
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  assert.equal(all, Number(env.FDL_TRUST_CASES));
  assert.ok(counts.trusted > all / 10 && counts.bad > all / 20, "one-sided");
});
