/** How answers over REST name what they leave out because its original is damaged. */

/** A span whose original is lost. */
export interface DamagedSpan {
  readonly traceId: string;
  readonly spanId: string;
}

/** Names what is left out: the first spans as `trace id/span id`, log records by their IDs, and how many there are beside. */
export const DAMAGED = 'x-cairn-damaged';

/** The header, where anything is left out. */
export function damageHeaders(spans: readonly DamagedSpan[]): Readonly<Record<string, string>> {
  return nameDamaged(spans.map(({ traceId, spanId }) => `${traceId}/${spanId}`));
}

/** The same header with other names. */
export function nameDamaged(names: readonly string[]): Readonly<Record<string, string>> {
  if (names.length === 0) return {};
  const named = names.slice(0, MAX_NAMED);
  const others = names.length - named.length;
  return { [DAMAGED]: [...named, ...(others > 0 ? [`and ${others} more`] : [])].join(', ') };
}

const MAX_NAMED = 20;
