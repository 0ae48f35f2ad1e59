/** How large the heaps of threads become before they are collected, see docs/decisions/0091-memory.md. */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** How many readers there are, and the limits of the young generations of each kind of thread. */
export interface ThreadLimits {
  readonly readerCount: number;
  /** Readers of people's questions. */
  readonly reading: ResourceLimits;
  /** The background's reader. */
  readonly background: ResourceLimits;
  /** What prepares and writes exports. */
  readonly ingestion: ResourceLimits;
}

/** The limits for a process that may take so many bytes. What lives no longer than a question is then collected with little work. */
export function threadLimits(maxBytes: number): ThreadLimits {
  const roomy = isRoomy(maxBytes);
  return {
    // During large questions, the heap of a second one took up to 90 MB.
    readerCount: roomy ? 2 : 1,
    reading: roomy ? LARGE : SMALL,
    background: SMALL,
    ingestion: roomy ? LARGE : SMALL,
  };
}

/** Whether there is memory for speed. */
export function isRoomy(maxBytes: number): boolean {
  return maxBytes >= ROOMY_BYTES;
}

/**
 * Has the heaps of threads of this process that start later collected early where memory is short. Of what questions read, much outlives the small young
 * generation, and V8 otherwise collects an old one for the first time when it holds 100 MB and more.
 */
export function sparelyGrowHeaps(maxBytes: number): void {
  if (isRoomy(maxBytes)) return;
  for (const flag of SPARING_FLAGS) setFlagsFromString(flag);
}

/** In MiB, and of what is left after a collection. */
const SPARING_FLAGS = ['--initial-old-space-size=16', '--heap-growing-percent=30'];

const ROOMY_BYTES = 2 ** 30;

/**
 * Three times the half that is in use: 4 and 8 MiB. A larger young generation leaves a thread less room outside of its heap before V8 marks
 * the old generation: with 16 MiB, readers of columns reached that limit with each question.
 */
const SMALL: ResourceLimits = { maxYoungGenerationSizeMb: 12 };
const LARGE: ResourceLimits = { maxYoungGenerationSizeMb: 24 };
