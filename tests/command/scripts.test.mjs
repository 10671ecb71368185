/** What `npm start`, `npm test` and the others run before npm's packages are there. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const scripts = new URL("../../scripts/", import.meta.url);

/** What a module imports at its beginning, itself and through others. */
function imported(module, seen = new Set()) {
  if (seen.has(module.href)) return [];
  seen.add(module.href);
  const source = readFileSync(module, "utf8");
  const names = [...source.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)";/gm)].map(
    ([, name]) => name,
  );
  return names.flatMap((name) =>
    name.startsWith(".") ? imported(new URL(name, module), seen) : [name],
  );
}

for (const script of readdirSync(scripts).filter((name) => name.endsWith(".mjs"))) {
  test(`scripts/${script} begins without npm's packages`, () => {
    const names = imported(new URL(script, scripts));
    assert.ok(names.length > 0, "it imports something of Node's");
    assert.deepEqual(
      names.filter((name) => !name.startsWith("node:")),
      [],
    );
  });
}
