import type { EventEmitter } from 'node:events';

/** The whole stop may take 10 s; what is left after this is for the process to end. */
export const STOP_DEADLINE_MS = 9_500;

/**
 * Ctrl+C reaches the server twice when npm runs it: the terminal signals the whole group, and npm passes its own signal
 * on. A signal counts as the second one only when it comes later than this.
 */
export const SAME_SIGNAL_MS = 500;

/**
 * Waits for SIGTERM or SIGINT. From then on `stopAtOnce` is called with the reason when the process is still there at
 * the deadline, or when someone signals again.
 */
export function waitForStopSignal(
  source: Pick<EventEmitter, 'on'>,
  stopAtOnce: (reason: string) => void,
): Promise<string> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    for (const signal of ['SIGTERM', 'SIGINT']) {
      source.on(signal, () => {
        if (firstAtMs === undefined) {
          firstAtMs = performance.now();
          // Without `unref` the timer would itself keep a process alive that has nothing left to do.
          setTimeout(() => stopAtOnce('stopping took too long'), STOP_DEADLINE_MS).unref();
          resolve(signal);
        } else if (performance.now() - firstAtMs > SAME_SIGNAL_MS) {
          stopAtOnce(`a second signal arrived (${signal})`);
        }
      });
    }
  });
}
