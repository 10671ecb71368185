import type {
  Check,
  DataVerdict,
  Integrity,
  RecordAuthor,
  Signer,
  SignatureOutcome,
  SkippedLine,
  VerdictDocument,
} from "./types.js";
import { verdictReport } from "./verdict-report.js";

/** What verification came to: a document that a page can show, keep or send on. */
export class Verdict implements VerdictDocument {
  readonly document: VerdictDocument["document"];
  readonly repository: VerdictDocument["repository"];
  readonly id: string;
  readonly root: string;
  readonly integrity: Integrity;
  readonly signature: SignatureOutcome;
  readonly signer: Signer | null;
  readonly author: RecordAuthor;
  readonly checks: Check[];
  readonly covers: string[];
  readonly skipped_lines: SkippedLine[];
  readonly data: DataVerdict | null;

  /** @internal */
  constructor(
    verdict: Omit<VerdictDocument, "document" | "repository">,
    repository: VerdictDocument["repository"],
  ) {
    this.document = "fdl-verdict/1";
    this.repository = repository;
    this.id = verdict.id;
    this.root = verdict.root;
    this.integrity = verdict.integrity;
    this.signature = verdict.signature;
    this.signer = verdict.signer;
    this.author = verdict.author;
    this.checks = verdict.checks;
    this.covers = verdict.covers;
    this.skipped_lines = verdict.skipped_lines;
    this.data = verdict.data;
  }

  /** The same as a plain object: see `VerdictDocument`. */
  toJSON(): VerdictDocument {
    return Object.assign({}, this);
  }

  /** The same for people, in plain text: what was checked, what was not, and why. */
  report(): string {
    return verdictReport(this);
  }
}
