/** How large the young generations of threads may be, see docs/decisions/0091-memory.md. */
import type { ResourceLimits } from 'node:worker_threads';

/** The limits of each kind of thread. */
export interface ThreadLimits {
  /** Readers of people's questions. */
  readonly reading: ResourceLimits;
  /** The background's reader. */
  readonly background: ResourceLimits;
  /** What prepares and writes exports. */
  readonly ingestion: ResourceLimits;
}

/** The limits for a process that may take so many bytes. What lives no longer than a question is then collected with little work. */
export function threadLimits(maxBytes: number): ThreadLimits {
  const isRoomy = maxBytes >= ROOMY_BYTES;
  return {
    reading: isRoomy ? LARGE : SMALL,
    background: SMALL,
    ingestion: isRoomy ? MIDDLE : SMALL,
  };
}

const ROOMY_BYTES = 2 ** 30;

/** Three times the half that is in use: 4, 8 and 16 MiB. Without a limit it grows to 64 MiB and more, for little speed. */
const SMALL: ResourceLimits = { maxYoungGenerationSizeMb: 12 };
const MIDDLE: ResourceLimits = { maxYoungGenerationSizeMb: 24 };
const LARGE: ResourceLimits = { maxYoungGenerationSizeMb: 48 };
