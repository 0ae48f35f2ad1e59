/** Times in filters: texts with a date, a time of day and an offset from UTC. */
import { parseTimestamp } from '#domain/timestamp';
import { quoteText } from '../lex-text.ts';
import type { LiteralSyntax } from '../syntax.ts';
import type { Literal } from '../tree.ts';
import type { PlacedValue, Scope } from './scope.ts';

/** The moment that a text says; `undefined` where it says none, which is reported. */
export function checkDate(
  scope: Scope,
  { value, ...range }: Omit<PlacedValue, 'value'> & { readonly value: LiteralSyntax['literal'] },
): Literal | undefined {
  const text = value.type === 'text' ? value.value.trim() : '';
  const timeUs = parseTimestamp(text);
  if (timeUs !== undefined && WITH_OFFSET.test(text)) return { kind: 'literal', type: 'date', value: timeUs };
  const isWithoutOffset = timeUs !== undefined && WITHOUT_OFFSET.test(text);
  const example = isWithoutOffset ? quoteText(withOffset(text)) : "'2026-07-01T00:00:00Z'";
  const fault = isWithoutOffset ? 'has no time zone' : 'is not a time';
  const message = `${scope.quote(range)} ${fault}: write ${example}${isWithoutOffset ? ' for UTC' : ''}`;
  scope.diagnostics.error('bad_date', range, message, isWithoutOffset ? example : undefined);
  return undefined;
}

/** With a time of day and where it is that. */
const WITH_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i;
const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d/;

function withOffset(text: string): string {
  return text.length === '2026-07-01'.length ? `${text}T00:00:00Z` : `${text}Z`;
}
