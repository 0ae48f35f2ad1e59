/** What pages call the rows of a queue. */

/** Of what a queue holds rows. */
export type QueueRows = 'SPANS' | 'TRACES' | 'SESSIONS';

/** In the order in which they are offered. */
export const QUEUE_ROWS = [
  { id: 'TRACES', label: 'Traces' },
  { id: 'SPANS', label: 'Spans' },
  { id: 'SESSIONS', label: 'Sessions' },
] as const satisfies readonly { readonly id: QueueRows; readonly label: string }[];

/** `Traces`, as the rows of a queue are called. */
export function rowsName(rows: QueueRows): string {
  return QUEUE_ROWS.find(({ id }) => id === rows)?.label ?? rows;
}
