import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

/** What Node and a page evaluated by a test have in common, and what each adds. */
const globals = [
  ...["AbortController", "TextDecoder", "TextEncoder", "URL", "clearTimeout", "console", "fetch"],
  ...["Response", "crypto", "performance", "setTimeout"],
  ...["Buffer", "process"],
  ...["customElements", "document", "location", "window"],
];

export default defineConfig(
  { ignores: ["build/", "dist/", "target/", "www/wasm/", "www/demo/"] },
  js.configs.recommended,
  {
    files: ["**/*.{js,mjs}"],
    languageOptions: {
      globals: Object.fromEntries(globals.map((name) => [name, "readonly"])),
    },
    rules: { "no-unused-vars": ["error", { varsIgnorePattern: "^_" }] },
  },
  {
    files: ["www/**/*.ts", "vite.config.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // A number in a template is as plain as a string.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // A listener may be written as `() => show()`.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ["www/elements/**/*.ts", "www/portal/**/*.ts"],
    // Lit calls the listeners of a template with their element as `this`.
    rules: { "@typescript-eslint/unbound-method": "off" },
  },
);
