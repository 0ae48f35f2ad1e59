/** Callers who ask for much memory, each by requests that any client may send. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { type Attributes, encodeRequest } from '../encode-span.ts';
import { Random } from '../random.ts';

/** What became of the requests of some callers, by status; 0 for those that got no answer. */
export type Answers = Map<number, number>;

/** A caller that asks again until the deadline, by `performance.now()`. */
export type Callers = (url: string, deadline: number, answers: Answers) => Promise<void>;

/** Text that nothing compresses to less than half. */
function hexText(bytes: number): string {
  return randomBytes(bytes / 2).toString('hex');
}

const random = new Random(Date.now() % 1_000_000);

function traceRequest(texts: readonly string[]): Uint8Array {
  return spansRequest(texts.map((text) => ({ 'openinference.span.kind': 'TOOL', 'output.value': text })));
}

/** A trace of spans with these attributes. */
function spansRequest(spans: readonly Attributes[]): Uint8Array {
  const traceId = random.bytes(16);
  const encoded = spans.map((attributes, place) => ({
    traceId,
    spanId: random.bytes(8),
    parentSpanId: undefined,
    name: 'large',
    startUnixNano: 1_767_225_600_000_000_000n + BigInt(place),
    endUnixNano: 1_767_225_601_000_000_000n,
    attributes,
  }));
  return encodeRequest({ 'service.name': 'large' }, encoded);
}

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly type?: string;
  readonly body?: Uint8Array | string;
}

/** The status of an answer, which is read to its end and dropped. */
function ask(url: string, { method, path, type, body }: Sent): Promise<number> {
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  const headers = { ...(type !== undefined && { 'content-type': type }), 'content-length': length };
  return new Promise((resolve) => {
    const sent = request(new URL(path, url), { method, headers, agent: false }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', () => resolve(0));
      response.resume();
    });
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

function repeated(count: number, next: () => Sent): Callers {
  return async (url, deadline, answers) => {
    const one = async () => {
      while (performance.now() < deadline) {
        const status = await ask(url, next());
        answers.set(status, (answers.get(status) ?? 0) + 1);
        if (status === 0) return;
      }
    };
    await Promise.all(Array.from({ length: count }, one));
  };
}

function exportOf(texts: readonly string[]): Sent {
  return { ...EXPORT, body: traceRequest(texts) };
}

const EXPORT = { method: 'POST', path: '/v1/traces', type: 'application/x-protobuf' } as const;

const MB = 1_000_000;

/** An operation of fifty filters. */
function filterBody(filterOf: (place: number) => string): string {
  const filters = Array.from(
    { length: 50 },
    (_, place) => `f${place}: spans(first: 1, filterCondition: "${filterOf(place)}") { matchCount { count } }`,
  );
  return JSON.stringify({ query: `{ projects(first: 1) { edges { node { ${filters.join(' ')} } } } }` });
}

const FILTER_BODY = filterBody((place) => `'x${place}' in output.value`);
const ATTRIBUTE_BODY = filterBody((place) => `attributes['wide.a${place}'] == 'x'`);

/** All of them, by name; a request has so many bytes at most. */
export function largeCallers(largestBytes: number): Readonly<Record<CallerName, Callers>> {
  const pictures = Math.floor(largestBytes / PICTURE_BYTES);
  return {
    texts: repeated(1, () => exportOf([hexText(largestBytes)])),
    pictures: repeated(4, () =>
      exportOf(Array.from({ length: pictures }, () => randomBytes((PICTURE_BYTES * 3) / 4).toString('base64'))),
    ),
    lists: repeated(2, () => ({ method: 'GET', path: '/v1/projects/default/spans?limit=1000' })),
    filters: repeated(12, () => ({ method: 'POST', path: '/graphql', type: 'application/json', body: FILTER_BODY })),
    attributes: together([
      repeated(2, () => ({ ...EXPORT, body: wideRequest() })),
      repeated(6, () => ({ method: 'POST', path: '/graphql', type: 'application/json', body: ATTRIBUTE_BODY })),
    ]),
  };
}

function together(all: readonly Callers[]): Callers {
  return async (...of) => void (await Promise.all(all.map((callers) => callers(...of))));
}

/** 200 spans with as many short attributes as their rows keep, none of which another span has: 16 kB each. */
function wideRequest(): Uint8Array {
  const texts = hexText(WIDE_SPANS * WIDE_COUNT * WIDE_BYTES);
  let at = 0;
  const nextText = () => texts.slice(at, (at += WIDE_BYTES));
  return spansRequest(
    Array.from({ length: WIDE_SPANS }, () =>
      Object.fromEntries(Array.from({ length: WIDE_COUNT }, (_, place) => [`wide.a${place}`, nextText()])),
    ),
  );
}

const WIDE_SPANS = 200;
const WIDE_COUNT = 60;
const WIDE_BYTES = 250;

const PICTURE_BYTES = 2.9 * MB;

const LIST_BODY = JSON.stringify({
  query: `{ projects(first: 1) { edges { node { spans(first: 50, sort: { col: startTime, dir: desc }) { edges { node {
    name latencyMs attributes input { value } output { value } } } pageInfo { hasNextPage } } } } } }`,
});
const SEARCH_BODY = JSON.stringify({
  query: `{ projects(first: 1) { edges { node { spans(first: 50, filterCondition: "'ab' in output.value") { edges { node {
    name } } } } } } }`,
});

/** Ordinary use: two exporters of 40 spans of 2.5 kB a request, and readers of pages, whole spans and filters. */
export const MIXED: readonly Callers[] = [
  repeated(2, () => exportOf(Array.from({ length: 40 }, () => hexText(2500)))),
  repeated(1, () => ({ method: 'GET', path: '/v1/projects/default/spans?limit=100' })),
  repeated(1, () => ({ method: 'POST', path: '/graphql', type: 'application/json', body: LIST_BODY })),
  repeated(1, () => ({ method: 'POST', path: '/graphql', type: 'application/json', body: SEARCH_BODY })),
];

/** The names, in the order in which they ask. */
export const CALLER_NAMES = ['texts', 'pictures', 'lists', 'filters', 'attributes'] as const;

type CallerName = (typeof CALLER_NAMES)[number];
