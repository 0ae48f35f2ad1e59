/** What the benchmark of queries asks, and of what. */

/** Where the questions are asked. */
export interface Month {
  readonly url: string;
  readonly projectId: string;
  /** Of some span. */
  readonly spanNodeId: string;
  /** Of the list by start, after 50,000 spans. */
  readonly deepCursor: string;
}

/** What engines say differently. */
export interface SqlWords {
  /** The text of an attribute. */
  readonly attribute: (name: string) => string;
  /** An aggregate. */
  readonly quantile: (column: string, share: number) => string;
}

/** A question with its target. */
export interface Question {
  readonly name: string;
  /** Milliseconds at p95, at 1,000,000 spans, while spans arrive. */
  readonly targetMs: number;
  /** Asks, and @returns what must hold of every answer, for the report. */
  readonly ask: (month: Month) => Promise<string>;
  /** Answers the same from the rows. `:project` is the project's row; `null` where bare SQL has no such question. */
  readonly sql: ((words: SqlWords) => string) | null;
}
