import type { Check, VerdictDocument } from "./types.js";

/** Whether a check is that of the signature; the others are of files that the record names. */
export function isOfSignature({ file }: Pick<Check, "file">): boolean {
  return file === "version.json.sig";
}

/** The check of the signature. */
export function signatureCheck({ checks }: Pick<VerdictDocument, "checks">): Check | undefined {
  return checks.find(isOfSignature);
}
