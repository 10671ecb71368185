/**
 * `npm run conformance`: what the reader's hand-over says of every repository, at every snapshot of
 * every version, held against native DuckLake. It ends with 1 where anything differs.
 *
 * `npm run conformance -- NAME…` compares some repositories alone, `--slow` those too that take
 * minutes; `--seeds 200 [--from 1] [--operations 150]` makes and compares random histories.
 */
import { startHost } from "../tests/hosts/server.mjs";
import { loudly, Sentence } from "./steps/command.mjs";
import { conforming } from "./steps/index.mjs";
import { main, take } from "./steps/progress.mjs";
import { python } from "./steps/python.mjs";
import { inRoot } from "./steps/root.mjs";

await main(async () => {
  await take(conforming);
  const host = await startHost({
    mounts: {
      "/repositories/": inRoot("build", "repositories"),
      "/histories/": inRoot("build", "histories"),
      "/repositories/demo/": inRoot("www", "demo"),
    },
  });
  try {
    const conform = inRoot("tests", "conformance", "conform.py");
    const { status } = await loudly(python, [conform, host.url, ...process.argv.slice(2)]);
    if (typeof status !== "number") throw new Sentence(`The comparison was ended by ${status}.`);
    process.exitCode = status;
  } finally {
    await host.close();
  }
});
