/** What rows of a deleted trace have in place of an id that came again: see `write/release-ids.ts`. */

/** How it begins. */
export const RELEASED = 'deleted:';

/** Whether an id of a trace is such. */
export function isReleased(traceId: string): boolean {
  return traceId.startsWith(RELEASED);
}
