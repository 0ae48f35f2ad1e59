/** Asks for a collection, where so much was dropped that waiting for the next one costs more memory than it costs time. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'major' | 'minor'; readonly flavor?: 'last-resort' }) => void;

let collect: Collect | undefined;

/** Collects what nobody holds in this thread, at some 10 ms. */
export function collectGarbage(): void {
  forgetLastMatch();
  findCollect()({ type: 'major' });
}

/** Collects what was allocated lately, at some 1 ms. */
export function collectYoungGarbage(): void {
  findCollect()({ type: 'minor' });
}

/** Collects thoroughly: also what only makes the next work faster. */
export function collectAllGarbage(): void {
  forgetLastMatch();
  findCollect()({ type: 'major', flavor: 'last-resort' });
}

/**
 * Collects once this thread holds so much more outside of its heap than after the last time: V8 lets a thread drop hundreds of megabytes
 * of buffers before it collects them.
 */
export function collectDroppedBuffers(): void {
  const { external_memory } = getHeapStatistics();
  restingBytes = Math.min(restingBytes, external_memory);
  if (external_memory < restingBytes + DROPPED_BYTES) return;
  collectGarbage();
  restingBytes = getHeapStatistics().external_memory;
}

let restingBytes = Infinity;

/** Some parts of what is read together. */
const DROPPED_BYTES = 32 * 1024 * 1024;

/** Each thread keeps the text that a pattern matched last, however long it is (`RegExp.input`). */
function forgetLastMatch(): void {
  /[a-z]/.test('a');
}

function findCollect(): Collect {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  return collect;
}
