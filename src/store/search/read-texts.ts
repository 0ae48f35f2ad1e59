/** The texts of stored spans. */
import { type SearchableTexts, searchableTexts } from '#derive/search/searchable-texts';
import { jsonObject } from '#base/json';
import { toJsonValue } from '#normalize/json-value';
import { summarizeSpan } from '#normalize/normalize-span';
import { storableText } from '#normalize/text';
import type { OtlpSpan } from '#otlp/messages';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { ListedSpan } from '../spans/rows/span-query.ts';
import { type DecodeOptions, readDecodedSpans, readWithRecords } from '../spans/rows/stored-spans.ts';

/** A span with its texts. */
export interface SpanWithTexts extends SearchableTexts {
  readonly row: ListedSpan;
}

/** The texts of the spans of the rows, in their order, as they are asked for. */
export async function* readTexts(
  scope: ReadScope,
  rows: readonly ListedSpan[],
  options: Pick<DecodeOptions<ListedSpan>, 'onDamaged' | 'keepRoom'> = {},
): AsyncGenerator<SpanWithTexts> {
  const decoded = readDecodedSpans(scope, rows, options);
  for await (const { row, original, scope: instrumentationScope, resource, records } of decoded) {
    const startUnixNano = BigInt(row.startTimeUs) * 1000n;
    const searchable = readWithRecords(records, (by) => {
      const { name, entries } = summarizeSpan(original, instrumentationScope, resource, startUnixNano, by);
      const statusMessage = storableText(original.status.message);
      return searchableTexts({ name, statusMessage, entries, events: original.events.map(readEvent) });
    });
    yield { row, ...searchable };
  }
}

function readEvent({ name, attributes }: OtlpSpan['events'][number]) {
  const flat = jsonObject();
  for (const { key, value } of attributes) flat[storableText(key)] = toJsonValue(value);
  return { name: storableText(name), attributes: flat };
}
