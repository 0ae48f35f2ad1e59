/** What happens to a body before it is stored, none of which needs storage. */
import { AppError } from '#base/errors';
import { boundedText } from '#derive/bounded-text';
import { describeProjectLimit } from '#domain/access';
import type { NormalizeContext } from '#normalize/normalized';
import { normalizeLogs } from '#normalize/normalize-logs';
import { chooseProject, normalizeRequest } from '#normalize/normalize-request';
import { decompress } from '#otlp/compression';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import type { ExportLogsRequest, ExportTraceRequest } from '#otlp/messages';
import { countDataPoints } from '#otlp/metrics';
import { assertExportRequest } from '#otlp/protobuf/assert-export';
import { decodeExportLogsParts, decodeExportTraceParts, type PartBounds } from '#otlp/protobuf/request';
import { redactRequest } from '#otlp/redact';
import type { Signal } from '#otlp/signal';
import {
  type IncomingRequest,
  type IncomingSender,
  toIncoming,
  toIncomingLogs,
  toIncomingMetrics,
} from '#store/incoming/request';
import type { ReceivedExport, SenderKey } from './receiver.ts';

/** What preparing knows beside the requests. */
export interface PrepareOptions {
  /** Largest body, after decompression. */
  readonly maxBodyBytes: number;
  readonly defaultProject: string;
  /** Tells keys whose values must never be stored; `null` when there are none. */
  readonly isMasked: ((key: string) => boolean) | null;
}

/** A request that can be stored, or a part of one. */
export interface PreparedExport {
  readonly request: IncomingRequest;
  /** The protobuf that the bytes of spans and log records are views of. */
  readonly body: Uint8Array;
  /** What the sender should know beside what became of what it sent; empty for nothing. */
  readonly hint: string;
}

/**
 * What one commit stores: little enough that the next request waits only a moment. A log record can have its
 * span read again, which takes as long as storing several; exporters send 512 of them at once.
 */
const PART_BOUNDS: Readonly<Record<StoredSignal, PartBounds>> = {
  traces: { maxItems: 2000, maxBytes: 8 * 1024 * 1024 },
  logs: { maxItems: 600, maxBytes: 8 * 1024 * 1024 },
};

/** A body above that, as sent or decompressed, is stored part by part, also where it is one part. */
const MAX_SHARED_BYTES = 8 * 1024 * 1024;

/**
 * Decompresses, decodes, masks, normalises and packs a body; `null` for one that is to be stored part by part.
 * @throws AppError `invalid_argument`, `unsupported`, `too_large`; `permission_denied` where any of it is for a project that the
 * sender's key may not send to
 */
export function prepareExport(received: ReceivedExport, options: PrepareOptions): PreparedExport | null {
  if (received.body.length > MAX_SHARED_BYTES) return null;
  try {
    return prepareShared(received, { ...options, maxBodyBytes: Math.min(options.maxBodyBytes, MAX_SHARED_BYTES) });
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_large' && options.maxBodyBytes > MAX_SHARED_BYTES) return null;
    throw error;
  }
}

function prepareShared(received: ReceivedExport, options: PrepareOptions): PreparedExport | null {
  if (received.signal === 'metrics') return prepareMetrics(received, options);
  const { plain, body } = readBody(received, options, received.signal);
  const parts = decodeParts(received.signal, body);
  const { value: first } = parts.next();
  if (first === undefined || parts.next().done !== true) return null;
  const hint = body.length === 0 ? hintAtNames(plain, received) : '';
  const context = contextOf(received, options);
  assertProjects(first, context, received.key);
  return preparePart(first, context, hint, toSender(received.key));
}

/** A request that is prepared part by part. */
export interface OpenedExport {
  readonly parts: IteratorObject<PreparedExport, void>;
  /** The bytes that it takes until all parts are stored. */
  readonly heldBytes: number;
}

/**
 * The same for a body of any size, one part after the other.
 * @throws AppError the same, before there is a first part: nothing of a refused request is stored
 */
export function openParts(received: ReceivedExport, options: PrepareOptions): OpenedExport {
  const { signal, key } = received;
  if (signal === 'metrics') return { parts: [prepareMetrics(received, options)].values(), heldBytes: 0 };
  const { body } = readBody(received, options, signal);
  const context = contextOf(received, options);
  const sizes: number[] = [];
  for (const part of decodeParts(signal, body)) {
    assertProjects(part, context, key);
    sizes.push(part.body.length);
  }
  const sender = toSender(key);
  const onTheirWay = Math.min(sizes.length, PARTS_ON_THEIR_WAY) * Math.max(...sizes);
  return {
    parts: decodeParts(signal, body).map((part) => preparePart(part, context, '', sender)),
    heldBytes: body.length + COPIES_OF_A_PART * onTheirWay,
  };
}

/** One is stored while the next is prepared. */
const PARTS_ON_THEIR_WAY = 2;

/** Beside the body, each part is there as it was sent, to be compared, and packed. */
const COPIES_OF_A_PART = 2;

/** The signals that are stored. */
type StoredSignal = 'traces' | 'logs';

const REQUESTS = {
  traces: 'ExportTraceServiceRequest',
  logs: 'ExportLogsServiceRequest',
  metrics: 'ExportMetricsServiceRequest',
} as const satisfies Readonly<Record<Signal, string>>;

function readBody(
  { body: sent, format, contentEncoding }: ReceivedExport,
  { maxBodyBytes, isMasked }: PrepareOptions,
  signal: StoredSignal,
): { readonly plain: Uint8Array; readonly body: Uint8Array } {
  const plain = decompress(sent, contentEncoding, maxBodyBytes);
  if (format === 'protobuf') assertExportRequest(plain, REQUESTS[signal]);
  const request = format === 'json' ? transcodeJsonRequest(plain, REQUESTS[signal]) : plain;
  return { plain, body: isMasked === null ? request : redactRequest(request, isMasked, REQUESTS[signal]) };
}

function contextOf({ projectName }: ReceivedExport, { defaultProject }: PrepareOptions): NormalizeContext {
  const receivedUnixNano = BigInt(Date.now()) * 1_000_000n;
  return { receivedUnixNano, projectOverride: projectName, defaultProject };
}

/** A decoded part of a request. */
type DecodedPart = { readonly body: Uint8Array } & (
  | { readonly spans: ExportTraceRequest }
  | { readonly logs: ExportLogsRequest }
);

function* decodeParts(signal: StoredSignal, body: Uint8Array): Generator<DecodedPart, void> {
  if (signal === 'traces') {
    for (const part of decodeExportTraceParts(body, PART_BOUNDS.traces)) yield { body: part.body, spans: part.request };
  } else {
    for (const part of decodeExportLogsParts(body, PART_BOUNDS.logs)) yield { body: part.body, logs: part.request };
  }
}

/**
 * One item for another project refuses the whole request: nothing of it is stored, and its sender hears why at once. Row ids decide again
 * where it is stored, as names can be given to another project meanwhile.
 */
function assertProjects(part: DecodedPart, context: NormalizeContext, key: SenderKey | undefined): void {
  const projects = key?.projects ?? null;
  if (projects === null) return;
  const allowed = new Set(projects.map(({ name }) => name));
  const resources = 'spans' in part ? part.spans.resourceSpans : part.logs.resourceLogs;
  const isForeign = resources.some(({ resource }) => !allowed.has(boundedText(chooseProject(resource, context))));
  if (isForeign) throw new AppError('permission_denied', describeProjectLimit(projects));
}

function toSender(key: SenderKey | undefined): IncomingSender | undefined {
  return key && { keyRowId: key.rowId, projectRowIds: key.projects && key.projects.map(({ rowId }) => rowId) };
}

function preparePart(
  part: DecodedPart,
  context: NormalizeContext,
  hint: string,
  sender: IncomingSender | undefined,
): PreparedExport {
  const request =
    'spans' in part
      ? toIncoming(normalizeRequest(part.spans, context))
      : toIncomingLogs(normalizeLogs(part.logs, context));
  return { request: sender === undefined ? request : { ...request, sender }, body: part.body, hint };
}

/** Of metrics only the number of data points is kept. */
function prepareMetrics(
  { body: sent, format, contentEncoding, key }: ReceivedExport,
  { maxBodyBytes }: PrepareOptions,
): PreparedExport {
  const plain = decompress(sent, contentEncoding, maxBodyBytes);
  if (format === 'protobuf') assertExportRequest(plain, REQUESTS.metrics);
  const pointCount = countDataPoints(plain, format);
  const request = toIncomingMetrics(pointCount);
  const sender = toSender(key);
  return { request: sender === undefined ? request : { ...request, sender }, body: new Uint8Array(0), hint: '' };
}

/** Unknown names are ignored by rule, so that a JSON request with all names wrong would vanish without a word. */
function hintAtNames(plain: Uint8Array, { format, signal }: ReceivedExport): string {
  const [list, scopes, items] = signal === 'logs' ? LOG_NAMES : SPAN_NAMES;
  const text = Buffer.from(plain);
  if (format !== 'json' || text.includes(`"${list}"`) || !text.includes('"')) return '';
  const what = signal === 'logs' ? 'log records' : 'spans';
  return `The request contains no ${what}: OTLP JSON names them ${list}, ${scopes} and ${items}.`;
}

const SPAN_NAMES = ['resourceSpans', 'scopeSpans', 'spans'] as const;
const LOG_NAMES = ['resourceLogs', 'scopeLogs', 'logRecords'] as const;
