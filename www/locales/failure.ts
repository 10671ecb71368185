/** What an FdlError says, as far as words need it. */
export interface Failure {
  code: string;
  /** The reader's own sentence, in English. */
  message: string;
  facts: Record<string, unknown>;
  /** Whether the repository's files themselves are broken. */
  broken?: boolean;
}

/** A check of the verdict, as far as words need it. */
export interface CheckOutcome {
  file: string;
  code: string | null;
  /** The reader's own sentence, in English. */
  message: string | null;
  facts: Record<string, unknown> | null;
}
