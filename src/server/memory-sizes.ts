/** How much of the process's memory each purpose may take, see docs/decisions/0091-memory.md. */

/** What is shared out, in bytes. */
export interface MemorySizes {
  /** Export requests that are being received or wait, as sent. */
  readonly bodies: number;
  /** Export requests above 8 MiB that are prepared at the same time. */
  readonly largeRequests: number;
  /** What readers decompress and what they make of it, and what is made of a large request. */
  readonly originals: number;
  /** The same of the background's reader. */
  readonly backgroundOriginals: number;
  /** Answers that are being made or sent. */
  readonly answers: number;
  /** The small ones among them. */
  readonly smallAnswers: number;
}

/** The sizes for a process that may take so many bytes and receives requests up to so many. */
export function memorySizes(maxBytes: number, largestRequestBytes: number): MemorySizes {
  const spare = Math.max(maxBytes - OWN_BYTES, LEAST_BYTES);
  return {
    bodies: Math.max(largestRequestBytes, Math.min(Math.floor(spare / 12), MOST_BODY_BYTES)),
    largeRequests: maxBytes > 2 ** 31 ? 2 : 1,
    originals: Math.floor(spare / 4),
    backgroundOriginals: Math.floor(spare / 12),
    answers: Math.floor(spare / 6),
    smallAnswers: Math.floor(spare / 16),
  };
}

/** What the program itself takes under load: code, heaps, page caches, and what was dropped and is not collected yet. */
const OWN_BYTES = 288 * 1024 * 1024;

/** Where less than that is left, it is overdrawn: the server runs, and may be ended. */
const LEAST_BYTES = 64 * 1024 * 1024;

/** Room for many ordinary requests; more would only let them wait longer. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;
