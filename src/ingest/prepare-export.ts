/** What happens to a body before it is stored, none of which needs storage. */
import type { NormalizeContext } from '#normalize/normalized';
import { normalizeRequest } from '#normalize/normalize-request';
import { decompress } from '#otlp/compression';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import type { ExportTraceRequest } from '#otlp/messages';
import { decodeExportTraceParts, type ExportPart, type PartBounds } from '#otlp/protobuf/request';
import { redactRequest } from '#otlp/redact';
import { type IncomingRequest, toIncoming } from '#store/spans/incoming';
import type { ReceivedExport } from './receiver.ts';

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
  /** The protobuf that the spans' bytes are views of. */
  readonly body: Uint8Array;
  /** What the sender should know beside what became of its spans; empty for nothing. */
  readonly hint: string;
}

/** What is stored by one commit: little enough that whoever comes next waits for a moment only. */
const PART_BOUNDS: PartBounds = { maxItems: 2000, maxBytes: 8 * 1024 * 1024 };

/**
 * Decompresses, decodes, masks, normalises and packs a body; `null` for one that is to be stored part by part.
 * @throws AppError `invalid_argument`, `unsupported`, `too_large`
 */
export function prepareExport(received: ReceivedExport, options: PrepareOptions): PreparedExport | null {
  const { plain, body } = readBody(received, options);
  const parts = decodeExportTraceParts(body, PART_BOUNDS);
  const { value: first } = parts.next();
  if (first === undefined || parts.next().done !== true) return null;
  const hint = body.length === 0 ? hintAtNames(plain, received.format) : '';
  return preparePart(first, contextOf(received, options), hint);
}

/**
 * The same for a body of any size, one part after the other.
 * @throws AppError the same, before there is a first part: whoever is refused has nothing stored
 */
export function* prepareParts(received: ReceivedExport, options: PrepareOptions): Generator<PreparedExport, void> {
  const { body } = readBody(received, options);
  for (const _checked of decodeExportTraceParts(body, PART_BOUNDS));
  const context = contextOf(received, options);
  for (const part of decodeExportTraceParts(body, PART_BOUNDS)) yield preparePart(part, context, '');
}

function readBody(
  { body: sent, format, contentEncoding }: ReceivedExport,
  { maxBodyBytes, isMasked }: PrepareOptions,
): { readonly plain: Uint8Array; readonly body: Uint8Array } {
  const plain = decompress(sent, contentEncoding, maxBodyBytes);
  const request = format === 'json' ? transcodeJsonRequest(plain) : plain;
  return { plain, body: isMasked === null ? request : redactRequest(request, isMasked) };
}

function contextOf({ projectName }: ReceivedExport, { defaultProject }: PrepareOptions): NormalizeContext {
  const receivedUnixNano = BigInt(Date.now()) * 1_000_000n;
  return { receivedUnixNano, projectOverride: projectName, defaultProject };
}

function preparePart({ request, body }: ExportPart<ExportTraceRequest>, context: NormalizeContext, hint: string): PreparedExport {
  return { request: toIncoming(normalizeRequest(request, context)), body, hint };
}

/** Unknown names are ignored by rule, so that a JSON request with all names wrong would vanish without a word. */
function hintAtNames(plain: Uint8Array, format: ReceivedExport['format']): string {
  const text = Buffer.from(plain);
  if (format !== 'json' || text.includes('"resourceSpans"') || !text.includes('"')) return '';
  return 'The request holds no spans: OTLP JSON names them resourceSpans, scopeSpans and spans.';
}
