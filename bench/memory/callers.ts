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
  const traceId = random.bytes(16);
  const spans = texts.map((text, place) => ({
    traceId,
    spanId: random.bytes(8),
    parentSpanId: undefined,
    name: 'large',
    startUnixNano: 1_767_225_600_000_000_000n + BigInt(place),
    endUnixNano: 1_767_225_601_000_000_000n,
    attributes: { 'openinference.span.kind': 'TOOL', 'output.value': text } satisfies Attributes,
  }));
  return encodeRequest({ 'service.name': 'large' }, spans);
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
  return { method: 'POST', path: '/v1/traces', type: 'application/x-protobuf', body: traceRequest(texts) };
}

const MB = 1_000_000;

const FILTERS = Array.from(
  { length: 50 },
  (_, place) => `f${place}: spans(first: 1, filterCondition: "'x${place}' in output.value") { matchCount { count } }`,
);
const FILTER_BODY = JSON.stringify({
  query: `{ projects(first: 1) { edges { node { ${FILTERS.join(' ')} } } } }`,
});

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
  };
}

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
export const CALLER_NAMES = ['texts', 'pictures', 'lists', 'filters'] as const;

type CallerName = (typeof CALLER_NAMES)[number];
