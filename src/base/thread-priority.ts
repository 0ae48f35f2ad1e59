/** How much of a busy processor a thread gets. */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Gives the calling thread less priority: the least by default, so that it delays nobody. On Linux, where each thread has one of
 * its own; elsewhere it changes nothing.
 * @see https://man7.org/linux/man-pages/man2/setpriority.2.html
 */
export function yieldToOthers(priority: number = constants.priority.PRIORITY_LOW): void {
  try {
    // `<process>/task/<thread>`, of the thread that asks.
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), priority);
  } catch {
    // Without it the work is done with everybody else's priority.
  }
}
