/** The header by which a server says when to come back. @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */

const MINUTE_S = 60;

/** `in 5 minutes`, rounded up; `later` if the server does not say when. */
export function describeRetryAfter(header: string | null, nowMs: number): string {
  const seconds = header === null ? Number.NaN : readSeconds(header.trim(), nowMs);
  if (!Number.isFinite(seconds)) return 'later';
  if (seconds < MINUTE_S) return count(Math.max(1, Math.ceil(seconds)), 'second');
  const minutes = Math.ceil(seconds / MINUTE_S);
  return minutes < MINUTE_S ? count(minutes, 'minute') : count(Math.ceil(minutes / MINUTE_S), 'hour');
}

function readSeconds(header: string, nowMs: number): number {
  return /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000;
}

function count(number: number, noun: string): string {
  return `in ${number} ${noun}${number === 1 ? '' : 's'}`;
}
