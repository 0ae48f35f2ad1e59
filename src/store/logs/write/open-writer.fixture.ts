/** A writer on a database of its own, for tests that look at its rows. */
import { normalizeLogs } from '#normalize/normalize-logs';
import { normalizeRequest } from '#normalize/normalize-request';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportLogsRequest, decodeExportTraceRequest } from '#otlp/protobuf/request';
import {
  logsRequest,
  type TestLogRecord,
  type TestSource,
  type TestSpan,
  traceRequest,
} from '../../../../test/harness/otlp-json.ts';
import { openTestEngine } from '../../engine/open-test-engine.fixture.ts';
import type { TestEngine } from '../../engine/test-engine.fixture.ts';
import { type IncomingRequest, toIncoming, toIncomingLogs } from '../../incoming/request.ts';
import { RelationalSpanWriter } from '../../writer/writer.ts';
import type { RecordHooks } from '../../records/hooks.ts';

/** What is known of the time of a request. */
const CONTEXT = { receivedUnixNano: 1_767_225_600_000_000_000n, projectOverride: null, defaultProject: 'default' };

/** An open database. */
export interface TestWriter extends TestEngine {
  readonly writer: RelationalSpanWriter;
}

/** What a test may decide of it. */
export interface TestWriterOptions {
  /** What it writes to, where that is not the engine of the run. */
  readonly engine?: TestEngine;
  /** What the writer complains of; a test that expects nothing fails. */
  readonly onError?: (message: string, cause: unknown) => void;
  /** Of records that hang on what it stores. */
  readonly hooks?: readonly RecordHooks[];
}

/** Opens it. */
export async function openTestWriter({ engine, onError = fail, hooks }: TestWriterOptions = {}): Promise<TestWriter> {
  const under = engine ?? (await openTestEngine());
  return { ...under, writer: new RelationalSpanWriter({ ...under, onError, hooks }) };
}

function fail(message: string, cause: unknown): never {
  throw new Error(message, { cause });
}

/** A request of spans, ready to be stored. */
export function spansOf(
  spans: readonly TestSpan[],
  { resource = {}, scope = 'test' }: TestSource = {},
): IncomingRequest {
  const request = traceRequest(spans, resource);
  for (const { scopeSpans } of request.resourceSpans) for (const group of scopeSpans) group.scope.name = scope;
  const body = transcodeJsonRequest(Buffer.from(JSON.stringify(request)));
  return toIncoming(normalizeRequest(decodeExportTraceRequest(body), CONTEXT));
}

/** A request of log records, ready to be stored. */
export function recordsOf(
  records: readonly TestLogRecord[],
  source: TestSource = {},
  projectOverride: string | null = null,
): IncomingRequest {
  const json = JSON.stringify(logsRequest(records, source));
  const body = transcodeJsonRequest(Buffer.from(json), 'ExportLogsServiceRequest');
  return toIncomingLogs(normalizeLogs(decodeExportLogsRequest(body), { ...CONTEXT, projectOverride }));
}
