/** What dialects make of changed recordings: every span is read, in bounded time, the same each time. */
import { isDeepStrictEqual } from 'node:util';
import type { InstrumentationScope, OtlpLogRecord, OtlpSpan } from '#otlp/messages';
import { decodeLogRecord } from '#otlp/protobuf/log-record';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { decodeSpan } from '#otlp/protobuf/span';
import { presentSpan } from '#resources/spans/present';
import type { SpanRow } from '#store/spans/port';
import { toSpanRecord } from '../../../src/normalize/log-record.ts';
import { normalizeSpan, summarizeSpan } from '../../../src/normalize/normalize-span.ts';
import { encodeJsonWithOracle, formatWithOracle } from '../../oracle/otlp.ts';
import { readFields, writeFields } from '../../oracle/strict-wire.ts';
import { otlpResource } from '../../support/otlp-span.ts';
import { LOGS_REQUESTS, PROTOBUF_REQUESTS } from '../corpus.ts';
import { mutateBytes } from '../mutate-bytes.ts';
import { type Json, mutateJson } from '../mutate-json.ts';
import { mutateMessage } from '../mutate-message.ts';
import { pick, type Random } from '../random.ts';
import { hold, type Target } from '../target.ts';

/** Far more than any recorded span takes, on a busy machine too. */
const MAX_MS = 2_000;

/** A span message (field 1) and log records that belong to it (field 2). */
export const readingTarget: Target = {
  name: 'reading',
  create: (random) => {
    const span = mutateTelling(random, 'Span', findLeaf(random, pick(random, PROTOBUF_REQUESTS)));
    const records = Array.from({ length: random(4) }, () =>
      mutateTelling(random, 'LogRecord', findLeaf(random, pick(random, LOGS_REQUESTS))),
    );
    const fields = [span, ...records].map((content, place) => ({ number: place === 0 ? 1 : 2, wireType: 2, content }));
    return writeFields(fields);
  },
  check: (input, random) => {
    const [first, ...others] = readFields(input).map(({ content }) => content);
    const original = decodeSpan(first ?? new Uint8Array(0));
    if ('malformed' in original) return;
    const records = others.map(decodeLogRecord).filter((one): one is OtlpLogRecord => !('malformed' in one));
    checkSpan(original, records, pick(random, SCOPES));
  },
};

/** Of recorded spans: some dialects are known by their scope. */
const SCOPES: readonly InstrumentationScope[] = PROTOBUF_REQUESTS.flatMap((request) =>
  decodeExportTraceRequest(request).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.map(({ scope }) => scope)),
);

function checkSpan(original: OtlpSpan, logRecords: readonly OtlpLogRecord[], scope: InstrumentationScope): void {
  const [resource, records] = [otlpResource(), logRecords.map((record) => toSpanRecord(record))];
  const startedAt = performance.now();
  const span = normalizeSpan(original, scope, resource, 1n, records);
  const ms = performance.now() - startedAt;
  hold(ms < MAX_MS, () => `the span takes ${ms} ms`);
  hold(
    isDeepStrictEqual(normalizeSpan(original, scope, resource, 1n, records), span),
    () => 'it reads otherwise again',
  );
  const { entries: _, linked: __, ...figures } = summarizeSpan(original, scope, resource, 1n, records);
  for (const [name, value] of Object.entries(figures)) {
    hold(isDeepStrictEqual(span[name as keyof typeof span], value), () => `its row has another ${name}`);
  }
  const row = { rowId: 1, startTimeUs: 1, endTimeUs: 1 } as SpanRow;
  JSON.parse(presentSpan({ row, span, original, resource, scope, records }));
}

/** Request, resource, scope, span or record: each the field that holds the next. */
function findLeaf(random: Random, request: Uint8Array): Uint8Array {
  return [1, 2, 2].reduce((message, number) => {
    const inner = readFields(message).filter((field) => field.number === number && field.wireType === 2);
    return inner.length === 0 ? message : pick(random, inner).content;
  }, request);
}

/** A message with some of what it tells changed: its texts and keys mostly, its fields at times. */
function mutateTelling(random: Random, message: 'Span' | 'LogRecord', bytes: Uint8Array): Uint8Array {
  if (random(4) === 0) return mutateMessage(random, message, bytes);
  const json = JSON.parse(formatWithOracle(message, bytes, { enumAsInteger: true })) as Telling;
  const places = [...(json.attributes ?? []), ...(json.events ?? []).flatMap(({ attributes = [] }) => attributes)];
  for (let change = 1 + random(4); change > 0 && places.length > 0; change--) {
    const place = pick(random, places);
    if (random(3) === 0) place.key = mutateKey(random, place.key);
    else if (place.value?.stringValue !== undefined) {
      place.value = { stringValue: mutateText(random, place.value.stringValue).toWellFormed() };
    } else place.value = pick(random, places).value ?? {};
  }
  return encodeJsonWithOracle(message, JSON.stringify(json));
}

interface Telling {
  readonly attributes?: Attribute[];
  readonly events?: { readonly attributes?: Attribute[] }[];
}

interface Attribute {
  key: string;
  value?: { readonly stringValue?: string };
}

function mutateText(random: Random, text: string): string {
  switch (random(4)) {
    case 0:
      return Buffer.from(mutateBytes(random, Buffer.from(text), 1 + random(3))).toString();
    case 1:
      return pick(random, HOSTILE_TEXTS);
    default:
      return mutateJsonText(random, text);
  }
}

/** The text, where it is JSON, with one thing changed in it, in a text inside of it too. */
function mutateJsonText(random: Random, text: string): string {
  try {
    return JSON.stringify(mutateJson(random, JSON.parse(text) as Json));
  } catch {
    return text.slice(random(text.length + 1));
  }
}

/** Brackets that never close, numbers nobody can hold, and what means something in one form only. */
const HOSTILE_TEXTS: readonly string[] = [
  ...['[', '{"a":', '(', "{'a': ", '[[],', '\\"', '{"messages":[', '[{"role":'].map((part) => part.repeat(20_000)),
  '9'.repeat(10_000),
  `-0.${'0'.repeat(10_000)}e-99999`,
  '[{"role":"user","parts":[{"type":"text"}]},null,7,"x",[]]',
  "{'a': 1, 'b': [True, None, 'it''s'",
  '{"__proto__":{"x":1},"constructor":1,"role":"__proto__"}',
  '[{"type":"function","function":{"name":{},"arguments":[]}}]',
  '{"choices":[{"message":{"role":1,"content":{"a":[]},"tool_calls":{}}}],"usage":[]}',
  'null',
  '""',
  '\u2028\uFEFF[]',
];

function mutateKey(random: Random, key: string): string {
  const segments = key.split('.');
  const at = random(segments.length);
  segments[at] = pick(random, SEGMENTS);
  return (random(2) === 0 ? segments : [...segments, pick(random, SEGMENTS)]).join('.');
}

const SEGMENTS: readonly string[] = [
  '0',
  '1',
  '7',
  '00',
  '-1',
  '2147483648',
  '99999999999999999999',
  '',
  ' ',
  '__proto__',
  'constructor',
  'length',
  'message',
  'content',
  'messages',
  'input',
  'output',
  'usage',
];
