/** Where the project lies. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** A path inside the project. */
export const inRoot = (...parts) => join(root, ...parts);

/** A tool that an npm package brought. */
export const npmTool = (name) => inRoot("node_modules", ".bin", name);
