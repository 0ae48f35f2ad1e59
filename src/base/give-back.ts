/** Memory that a thread has no use for goes back to the system when the thread has nothing to do. */
import { getHeapStatistics } from 'node:v8';
import { collectAllGarbage } from './collect-garbage.ts';

/** When a thread gives memory back. */
export interface GiveBackOptions {
  /** Whether the thread has nothing to do now. */
  readonly isIdle: () => boolean;
  /** Drops what is only kept to be faster, before garbage is collected. */
  readonly dropCaches?: (() => void) | undefined;
  readonly everyMs?: number;
}

/**
 * Looks from time to time whether this thread, being idle, holds more than it did when it last gave something back: much more, where it
 * had work since it looked last.
 * @returns ends that: for a thread that outlives its work
 */
export function giveBackWhenIdle({ isIdle, dropCaches, everyMs = EVERY_MS }: GiveBackOptions): () => void {
  let restingBytes = 0;
  let usedBefore = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const used = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(used, usedBefore);
    usedBefore = used;
    const worthwhileBytes =
      utilization > IDLE_SHARE ? MUCH_BYTES : Math.max(WORTHWHILE_BYTES, restingBytes * WORTHWHILE_SHARE);
    if (!isIdle() || heldBytes() < restingBytes + worthwhileBytes) return;
    dropCaches?.();
    collectAllGarbage();
    restingBytes = heldBytes();
  }, everyMs).unref();
  return () => clearInterval(timer);
}

function heldBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}

/** Often enough that what a burst took is given back within a minute. */
const EVERY_MS = 15_000;

/**
 * A thread that worked for a larger share of the time since the last look is in use: a collection delays clients that send one question
 * after the other, and drops compiled code that their next questions need. A server that starts works for a smaller share.
 */
const IDLE_SHARE = 0.25;

/** A thread in use gives back no less. */
const MUCH_BYTES = 64 * 1024 * 1024;

/** Less is not worth a collection, at some 50 ms. */
const WORTHWHILE_BYTES = 6 * 1024 * 1024;

/** Nor is a smaller share of what stays, which a collection looks at whole. */
const WORTHWHILE_SHARE = 1 / 8;
