/** How much of a busy processor a thread gets. */
import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Gives the calling thread less priority than it has, by so many steps: the least by default, so that it delays nobody. On Linux,
 * where each thread has one of its own; elsewhere it changes nothing.
 * @see https://man7.org/linux/man-pages/man2/setpriority.2.html
 */
export function yieldToOthers(steps = Number.POSITIVE_INFINITY): void {
  try {
    // `<process>/task/<thread>`, of the thread that asks.
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(getPriority(thread) + steps, constants.priority.PRIORITY_LOW));
  } catch {
    // Without it the work is done with everybody else's priority.
  }
}
