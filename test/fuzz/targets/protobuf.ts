/** The protobuf decoder against the oracle behind a strict reader: they agree on every byte sequence. */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#base/errors';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { decodeWithOracle } from '../../oracle/otlp.ts';
import { oracleToPlain, toPlain } from '../../oracle/otlp-plain.ts';
import { cleanMessage, writeFields } from '../../oracle/strict-wire.ts';
import { PROTOBUF_REQUESTS } from '../corpus.ts';
import { mutateBytes } from '../mutate-bytes.ts';
import { mutateMessage } from '../mutate-message.ts';
import { pick, type Random } from '../random.ts';
import { Finding, hold, type Target } from '../target.ts';

/** What a request means, spans that are no messages included. */
export const protobufTarget: Target = {
  name: 'protobuf',
  create: createProtobufRequest,
  check: (input) => {
    const [expected, decoded] = [decodeStrictly(input), decodeOrRefuse(input)];
    if (expected === undefined || decoded === undefined) {
      hold(expected === decoded, () => `only ${expected === undefined ? 'Cairn' : 'the oracle'} accepts the request`);
      return;
    }
    assertSame(toPlain(decoded), expected);
  },
};

/** A recorded request with some things changed, most of them inside its messages. */
export function createProtobufRequest(random: Random): Uint8Array {
  let request = pick(random, PROTOBUF_REQUESTS);
  for (let change = random(5); change > 0; change--) {
    try {
      request = mutateMessage(random, 'ExportTraceServiceRequest', request);
    } catch {
      break; // an earlier change broke a message, which is what it is for
    }
  }
  return mutateBytes(random, request, random(3) === 0 ? 1 + random(3) : 0);
}

/** The request in plain objects; `undefined` where it is none. Broken spans stand there as such. */
export function decodeStrictly(request: Uint8Array): unknown {
  const broken = new Set<number>();
  let spanCount = 0;
  const takeSpan = (span: Uint8Array): Uint8Array => {
    spanCount++;
    try {
      return cleanMessage('Span', span, takeSpan);
    } catch {
      broken.add(spanCount);
      return writeFields([]);
    }
  };
  let clean: Uint8Array;
  try {
    clean = cleanMessage('ExportTraceServiceRequest', request, takeSpan);
  } catch {
    return undefined;
  }
  const plain = oracleToPlain(decodeWithOracle('ExportTraceServiceRequest', clean)) as PlainRequest;
  spanCount = 0;
  for (const { scopeSpans } of plain.resourceSpans) {
    for (const { spans } of scopeSpans) {
      for (const place of spans.keys()) if (broken.has(++spanCount)) spans[place] = BROKEN_SPAN;
    }
  }
  return plain;
}

/** Cairn's decoding; `undefined` where it says that the request is none. */
export function decodeOrRefuse(request: Uint8Array): ReturnType<typeof decodeExportTraceRequest> | undefined {
  try {
    return decodeExportTraceRequest(request);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_argument') return undefined;
    throw error;
  }
}

/** Compares plain requests; why a span is broken may differ. */
export function assertSame(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(hideReasons(actual), expected)) return;
  throw new Finding(`the contents differ at ${findDifference(hideReasons(actual), expected, 'request')}`);
}

interface PlainRequest {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: unknown[] }[] }[];
}

const BROKEN_SPAN = { malformed: true };

function hideReasons(plain: unknown): unknown {
  const request = plain as PlainRequest;
  for (const { scopeSpans } of request.resourceSpans) {
    for (const { spans } of scopeSpans) {
      for (const [place, span] of spans.entries()) if ('malformed' in (span as object)) spans[place] = BROKEN_SPAN;
    }
  }
  return request;
}

function findDifference(a: unknown, b: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(a, b)) return undefined;
  const isLeaf = [a, b].some((one) => typeof one !== 'object' || one === null || one instanceof Uint8Array);
  if (isLeaf) return `${path}: ${show(a)} instead of ${show(b)}`;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const difference = findDifference(left[key], right[key], `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  return path;
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
  return String(text).slice(0, 200);
}
