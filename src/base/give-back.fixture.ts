/** A thread that gives back when it is idle; it holds and works as it is told. Its heap is small, whatever other tests have left behind. */
import { parentPort } from 'node:worker_threads';
import { giveBackWhenIdle } from './give-back.ts';

/** What it is told. */
export interface Order {
  /** Bytes that it holds from now on, beside the others. */
  readonly hold?: number;
  /** Whether it works from now on, with pauses; a busy machine makes them longer. */
  readonly works?: boolean;
}

/** How often it looked at what it holds, and gave back. */
export interface Counts {
  readonly looks: number;
  readonly gifts: number;
}

let [looks, gifts] = [0, 0];
const held: Uint8Array[] = [];
let work: NodeJS.Timeout | undefined;

giveBackWhenIdle({ isIdle: () => ++looks > 0, dropCaches: () => gifts++, everyMs: 50 });

parentPort?.on('message', ({ hold, works }: Order) => {
  if (hold !== undefined) held.push(new Uint8Array(hold).fill(1));
  if (works === false) clearInterval(work);
  if (works === true)
    work = setInterval(() => {
      for (const end = performance.now() + 9; performance.now() < end; );
    }, 10);
  parentPort?.postMessage({ looks, gifts } satisfies Counts);
});
