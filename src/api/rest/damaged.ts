/** How answers over REST name spans that they leave out because their originals are damaged. */

/** A span whose original is lost. */
export interface DamagedSpan {
  readonly traceId: string;
  readonly spanId: string;
}

/** Names spans that are left out: the first of them as `trace id/span id`, and how many there are beside. */
export const DAMAGED = 'x-cairn-damaged';

/** The header, where anything is left out. */
export function damageHeaders(spans: readonly DamagedSpan[]): Readonly<Record<string, string>> {
  if (spans.length === 0) return {};
  const named = spans.slice(0, MAX_NAMED).map(({ traceId, spanId }) => `${traceId}/${spanId}`);
  const others = spans.length - named.length;
  return { [DAMAGED]: [...named, ...(others > 0 ? [`and ${others} more`] : [])].join(', ') };
}

const MAX_NAMED = 20;
