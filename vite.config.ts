import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("www/portal"),
  base: "./", // the site works below any path
  appType: "mpa", // a missing file is a 404, never index.html
  publicDir: false,
  build: {
    outDir: here("dist/site"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // data: URLs fail under a strict CSP
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: {
        portal: here("www/portal/index.html"),
        "fdl-viewer": here("www/elements/embed.ts"),
      },
      preserveEntrySignatures: "strict",
      output: {
        // Pages elsewhere name fdl-viewer.js, so its name stays.
        entryFileNames: ({ name }) =>
          name === "fdl-viewer" ? "fdl-viewer.js" : "assets/[name]-[hash].js",
      },
    },
  },
});
