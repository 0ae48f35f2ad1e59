import { describe, expect, it } from 'vitest';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportLogsRequest } from '#otlp/protobuf/request';
import {
  keyValues,
  logsRequest,
  logsRequestOf,
  type TestLogRecord,
  type TestSource,
} from '../../test/harness/otlp-json.ts';
import { type NormalizedLogs, normalizeLogs } from './normalize-logs.ts';
import type { NormalizeContext } from './normalized.ts';

const CONTEXT: NormalizeContext = { receivedUnixNano: 0n, projectOverride: null, defaultProject: 'default' };
const TRACE_ID = 'ab'.repeat(16);
const SPAN_ID = 'cd'.repeat(8);

function normalize(request: object, context = CONTEXT): NormalizedLogs {
  const body = transcodeJsonRequest(Buffer.from(JSON.stringify(request)), 'ExportLogsServiceRequest');
  return normalizeLogs(decodeExportLogsRequest(body), context);
}

function normalizeOne(record: TestLogRecord, source?: TestSource) {
  return normalize(logsRequest([record], source));
}

describe('a log record', () => {
  it.each<[string, TestLogRecord, TestSource]>([
    ['an event of the conventions', { eventName: 'gen_ai.choice' }, {}],
    ['an event by an attribute', { attributes: { 'event.name': 'gen_ai.user.message' } }, {}],
    ['an attribute of the conventions', { body: 'done', attributes: { 'gen_ai.request.model': 'm' } }, {}],
    ['an attribute of OpenInference', { attributes: { 'llm.model_name': 'm' } }, {}],
    ['a text of a coding agent', { body: 'claude_code.user_prompt' }, {}],
    ['the scope of a coding agent', { eventName: 'user_prompt' }, { scope: 'com.anthropic.claude_code.events' }],
  ])('is kept without a trace by %s', (_what, record, source) => {
    expect(normalizeOne(record, source)).toMatchObject({
      records: [{ traceId: null, isGenAi: true }],
      droppedCount: 0,
    });
  });

  it.each<[string, TestLogRecord]>([
    ['has nothing', {}],
    ['is a line of logging', { body: 'GET / 200', attributes: { 'code.line.number': 7 } }],
    ['is an event of something else', { eventName: 'browser.web_vital' }],
    ['has a span id and no trace id', { spanId: SPAN_ID, body: 'GET / 200' }],
    ['has a trace id of another length', { traceId: 'abcd', spanId: SPAN_ID }],
    ['has a trace id of zeros', { traceId: '0'.repeat(32), spanId: SPAN_ID }],
  ])('is dropped where it %s', (_what, record) => {
    expect(normalizeOne(record)).toEqual({ records: [], rejected: [], droppedCount: 1 });
  });

  it.each([
    ['both ids', { traceId: TRACE_ID, spanId: SPAN_ID }, TRACE_ID, SPAN_ID],
    ['a trace id alone', { traceId: TRACE_ID }, TRACE_ID, null],
    ['a span id of another length', { traceId: TRACE_ID, spanId: 'ab' }, TRACE_ID, null],
    ['a span id of zeros', { traceId: TRACE_ID, spanId: '0'.repeat(16) }, TRACE_ID, null],
  ])('is kept with %s', (_what, ids, traceId, spanId) => {
    expect(normalizeOne({ body: 'a line', ...ids }).records).toMatchObject([{ traceId, spanId, isGenAi: false }]);
  });

  it('names its service, its conversation and its time', () => {
    const attributes = { 'session.id': 'session', 'gen_ai.conversation.id': ' conversation ' };
    const source = { resource: { 'service.name': 'weather' } };
    expect(normalizeOne({ attributes, timeUs: 7 }, source).records).toMatchObject([
      { serviceName: 'weather', conversationId: 'conversation', timeUnixNano: 7000n },
    ]);
    const seen = { observedTimeUnixNano: '9', attributes: keyValues({ 'session.id': 's', 'gen_ai.system': 'x' }) };
    expect(normalize(logsRequestOf([seen])).records).toMatchObject([{ conversationId: 's', timeUnixNano: 9n }]);
    expect(normalize(logsRequestOf([{ eventName: 'gen_ai.choice' }])).records).toMatchObject([{ timeUnixNano: 0n }]);
  });

  it('is in the project of its header, its resource, or the default', () => {
    const request = (resource = {}) => logsRequest([{ eventName: 'gen_ai.choice' }], { resource });
    const resource = { 'openinference.project.name': 'of the resource' };
    const names = [
      normalize(request(resource), { ...CONTEXT, projectOverride: 'of the header' }),
      normalize(request(resource)),
      normalize(request()),
    ].map(({ records }) => records[0]?.projectName);
    expect(names).toEqual(['of the header', 'of the resource', 'default']);
  });

  it('is rejected alone where it is broken or its time cannot be', () => {
    const good = { eventName: 'gen_ai.choice' };
    const late = { ...good, timeUnixNano: '18446744073709551615' };
    const { records, rejected } = normalize(logsRequestOf([good, { eventName: 7 }, late]));
    expect(records).toHaveLength(1);
    expect(rejected.map(({ reason }) => reason)).toEqual(['malformed', 'time_out_of_range']);
  });
});
