/** A request that no instrumentation sends: values of every kind on spans, events and links. */
import type { WireValue } from './evidence.ts';
import type { RecordedRequest } from './recording.ts';

const VALUES: Readonly<Record<string, WireValue>> = {
  whole: { doubleValue: 1 },
  tenth: { doubleValue: 0.1 },
  huge: { doubleValue: 1e300 },
  nan: { doubleValue: 'NaN' },
  integer: { intValue: '-9007199254740991' },
  no: { boolValue: false },
  empty: { stringValue: '' },
  digits: { stringValue: '5' },
  quoted: { stringValue: '"q" \u2028 \u{1F600} a\u0301' },
  json: { stringValue: '{"a": [1, null], "b": {}}' },
  bytes: { bytesValue: '3q2+7w==' },
  none: { arrayValue: {} },
  list: { arrayValue: { values: [{ doubleValue: 1.5 }, { intValue: '2' }] } },
  mixed: { arrayValue: { values: [{ intValue: '1' }, { stringValue: 'x' }, { boolValue: true }] } },
  map: {
    kvlistValue: {
      values: [
        { key: 'a.b', value: { intValue: '1' } },
        { key: 'c', value: { kvlistValue: {} } },
        { key: 'd', value: { kvlistValue: { values: [{ key: 'e', value: { stringValue: 'f' } }] } } },
      ],
    },
  },
  maps: { arrayValue: { values: [{ kvlistValue: { values: [{ key: 'k', value: { stringValue: 'v' } }] } }] } },
};

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_IDS = ['00f067aa0ba902b7', '00f067aa0ba902b8'] as const;

/** Two spans: one with all values, and one in which the same names have values of other types. */
export const MADE_UP: RecordedRequest = {
  file: '01-made-up.json',
  signal: 'traces',
  encoding: 'application/json',
  isGrpc: false,
  body: Buffer.from(
    JSON.stringify({
      resourceSpans: [
        {
          scopeSpans: [
            {
              scope: { name: 'made-up' },
              spans: [
                toSpan(SPAN_IDS[0], listAttributes('odd.', Object.entries(VALUES))),
                toSpan(SPAN_IDS[1], listAttributes('odd.', shift(Object.entries(VALUES)))),
              ],
            },
          ],
        },
      ],
    }),
  ),
};

function toSpan(spanId: string, attributes: readonly object[]): object {
  const own = listAttributes('', Object.entries(VALUES));
  return {
    traceId: TRACE_ID,
    spanId,
    name: 'step',
    startTimeUnixNano: '1700000000000000001',
    endTimeUnixNano: '1700000000000000002',
    attributes,
    events: [
      { timeUnixNano: '1700000000000000001', name: 'all', attributes: own },
      { timeUnixNano: '1700000000000000002', name: 'none' },
    ],
    links: [
      { traceId: TRACE_ID, spanId: SPAN_IDS[0], attributes: own },
      { traceId: TRACE_ID, spanId: SPAN_IDS[1] },
    ],
  };
}

function listAttributes(prefix: string, values: readonly (readonly [string, WireValue])[]): object[] {
  return values.map(([key, value]) => ({ key: `${prefix}${key}`, value }));
}

/** Each name with the value of the next. */
function shift(values: readonly (readonly [string, WireValue])[]): (readonly [string, WireValue])[] {
  return values.map(([key], place) => [key, values[(place + 1) % values.length]?.[1] ?? {}] as const);
}
