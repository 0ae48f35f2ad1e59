/** Spans that arrive at a steady rate while something else is measured. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export const SPANS_PER_REQUEST = 80;

/** What is sent where. */
export interface LoadPlan {
  readonly url: string;
  readonly spansPerSecond: number;
  readonly project: string;
}

/** What its thread is told. */
export type LoadCall = 'takeWaits' | 'stop';

/** What a load did until now. */
export interface SteadyLoad {
  /** Milliseconds from when each request was due to its answer, since the last time this was asked. */
  takeWaits(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/** Until its first requests are behind it, a load says little. */
const WARM_UP_MS = 5000;

/** Starts to send, from a thread of its own. */
export async function startSteadyLoad(plan: LoadPlan): Promise<SteadyLoad> {
  const thread = new Worker(new URL('./steady-load-thread.ts', import.meta.url), { workerData: plan });
  const call = (what: LoadCall) => thread.postMessage(what);
  const ended = once(thread, 'exit');
  const load: SteadyLoad = {
    async takeWaits() {
      const answer = once(thread, 'message');
      call('takeWaits');
      const [waits] = (await answer) as [readonly number[]];
      return waits;
    },
    async stop() {
      call('stop');
      await ended;
    },
  };
  await sleep(WARM_UP_MS);
  await load.takeWaits();
  return load;
}
