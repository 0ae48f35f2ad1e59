/** Log records as what is stored of them: which belong to an LLM application, and what tells their span. */
import type {
  ExportLogsRequest,
  InstrumentationScope,
  MalformedLogRecord,
  OtelResource,
  OtlpLogRecord,
} from '#otlp/messages';
import { ATTR_REQUEST_ID, SCOPE_CLAUDE_CODE_EVENTS } from '#semconv/claude-code';
import { ATTR_GEN_AI_CONVERSATION_ID } from '#semconv/gen-ai';
import { ATTR_SESSION_ID } from '#semconv/openinference';
import { ATTR_SERVICE_NAME } from '#semconv/otel';
import { eventNameOf, timeOf } from './log-record.ts';
import { chooseProject, MAX_TIME_UNIX_NANO } from './normalize-request.ts';
import type { NormalizeContext, Rejection } from './normalized.ts';
import { findIdFault, readSpanId, readTraceId, SPAN_ID_BYTES, TRACE_ID_BYTES } from './otel-id.ts';
import { storableText } from './text.ts';

/** One log record, read, with the bytes it came as and what produced it. */
export interface NormalizedRecord {
  /** The original log record message, after redaction. */
  readonly bytes: Uint8Array;
  readonly resource: OtelResource;
  readonly scope: InstrumentationScope;
  readonly projectName: string;
  /** Hex; `null` where the record says none, or none that is valid. */
  readonly traceId: string | null;
  /** The same; only beside a trace id. */
  readonly spanId: string | null;
  /** Empty for a plain log record. */
  readonly eventName: string;
  /** When it happened, else when it was seen; 0 where it tells neither, so that it is the same when it comes again. */
  readonly timeUnixNano: bigint;
  /** Whether it is kept whether or not its trace is stored. */
  readonly isGenAi: boolean;
  /** The `service.name` of its resource; empty for none. */
  readonly serviceName: string;
  /** The conversation or session that it names. */
  readonly conversationId: string | null;
  /** The call that it is about, beside the span whose ids it carries; only of instrumentations whose spans of calls name it, too. */
  readonly requestId: string | null;
}

/** The outcome of reading one request: each of its records is in one of the three. */
export interface NormalizedLogs {
  readonly records: readonly NormalizedRecord[];
  readonly rejected: readonly Rejection[];
  /** Records that belong to no trace and to no LLM application. */
  readonly droppedCount: number;
}

/** Reads every log record of a request. Records of ordinary logging without a trace are only counted. */
export function normalizeLogs(request: ExportLogsRequest, context: NormalizeContext): NormalizedLogs {
  const records: NormalizedRecord[] = [];
  const rejected: Rejection[] = [];
  let droppedCount = 0;
  for (const { resource, scopeLogs } of request.resourceLogs) {
    const source = {
      resource,
      projectName: chooseProject(resource, context),
      serviceName: serviceNameOf(resource),
    };
    for (const { scope, logRecords } of scopeLogs) {
      for (const original of logRecords) {
        const rejection = findRejection(original);
        if (rejection !== undefined) rejected.push(rejection);
        else if (!isMalformed(original)) {
          const record = readRecord(original, scope, source);
          if (record === undefined) droppedCount++;
          else records.push(record);
        }
      }
    }
  }
  return { records, rejected, droppedCount };
}

/** The `service.name` of a resource; empty for none. */
export function serviceNameOf({ attributes }: OtelResource): string {
  const name = attributes.findLast(({ key }) => key === ATTR_SERVICE_NAME)?.value;
  return typeof name === 'string' ? storableText(name) : '';
}

type Source = Pick<NormalizedRecord, 'resource' | 'projectName' | 'serviceName'>;

function readRecord(
  original: OtlpLogRecord,
  scope: InstrumentationScope,
  source: Source,
): NormalizedRecord | undefined {
  // A record with an invalid id is, by OTLP's rule, associated with nothing.
  const isInTrace = findIdFault(original.traceId, TRACE_ID_BYTES) === undefined;
  const isInSpan = isInTrace && findIdFault(original.spanId, SPAN_ID_BYTES) === undefined;
  const eventName = eventNameOf(original);
  const isGenAi = speaksOfModels(original, eventName, scope);
  if (!isInTrace && !isGenAi) return undefined;
  return {
    ...source,
    scope,
    bytes: original.bytes,
    traceId: isInTrace ? readTraceId(original.traceId) : null,
    spanId: isInSpan ? readSpanId(original.spanId) : null,
    eventName,
    timeUnixNano: timeOf(original),
    isGenAi,
    conversationId: conversationOf(original),
    requestId: isInSpan && scope.name === SCOPE_CLAUDE_CODE_EVENTS ? textOf(original, ATTR_REQUEST_ID) : null,
  };
}

/** Whether the record is an LLM application's by its names: those of the event, its attributes, its text or its scope. */
function speaksOfModels({ attributes, body }: OtlpLogRecord, eventName: string, scope: InstrumentationScope): boolean {
  const names = [eventName, scope.name, ...(typeof body === 'string' ? [body] : [])];
  return (
    names.some((name) => NAME_PREFIXES.some((prefix) => name.startsWith(prefix))) ||
    attributes.some(({ key }) => ATTRIBUTE_PREFIXES.some((prefix) => key.startsWith(prefix)))
  );
}

/** How names of events and scopes begin that only LLM applications have; coding agents send events alone. */
const NAME_PREFIXES: readonly string[] = [
  'gen_ai.',
  'claude_code.',
  'com.anthropic.',
  'codex.',
  'gemini_cli.',
  'qwen-code.',
  'openinference.',
];

/** The same of attributes. */
const ATTRIBUTE_PREFIXES: readonly string[] = ['gen_ai.', 'llm.', 'openinference.'];

function conversationOf(record: OtlpLogRecord): string | null {
  return textOf(record, ATTR_GEN_AI_CONVERSATION_ID) ?? textOf(record, ATTR_SESSION_ID);
}

/** The attribute, unless it is no text or blank. */
function textOf({ attributes }: OtlpLogRecord, wanted: string): string | null {
  const value = attributes.findLast(({ key }) => key === wanted)?.value;
  return typeof value === 'string' && value.trim() !== '' ? storableText(value.trim()) : null;
}

function isMalformed(record: OtlpLogRecord | MalformedLogRecord): record is MalformedLogRecord {
  return 'malformed' in record;
}

function findRejection(record: OtlpLogRecord | MalformedLogRecord): Rejection | undefined {
  if (isMalformed(record)) return { reason: 'malformed', message: record.malformed };
  if (timeOf(record) >= MAX_TIME_UNIX_NANO) {
    const message = `A log record's time is after the year 2254. Send nanoseconds since the Unix epoch.`;
    return { reason: 'time_out_of_range', message };
  }
  return undefined;
}
