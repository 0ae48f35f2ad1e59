/**
 * Has all threads collect garbage thoroughly, where the process is short of memory: each holds what it dropped until its own heap has grown
 * enough, and V8 keeps pages that an ordinary collection has emptied, 60 MB and more for a reader.
 */
import { BroadcastChannel } from 'node:worker_threads';
import { collectAllGarbage } from './collect-garbage.ts';

const CHANNEL = 'cairn: collect garbage';

/** Collects in this thread, and in those that {@link collectWithOthers} once they come to it. */
export function collectInAllThreads(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
  collectAllGarbage();
}

/**
 * Collects in this thread when another asks for it; does not keep the thread alive.
 * @returns ends that
 */
export function collectWithOthers(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = collectAllGarbage;
  channel.unref();
  return () => channel.close();
}
