/** Has all threads collect garbage, where the process is short of memory: each holds what it dropped until its own heap has grown enough. */
import { BroadcastChannel } from 'node:worker_threads';
import { collectGarbage } from './collect-garbage.ts';

const CHANNEL = 'cairn: collect garbage';

/** Collects in this thread, and in those that {@link collectWithOthers} once they come to it. */
export function collectInAllThreads(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
  collectGarbage();
}

/**
 * Collects in this thread when another asks for it; does not keep the thread alive.
 * @returns ends that
 */
export function collectWithOthers(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = collectGarbage;
  channel.unref();
  return () => channel.close();
}
