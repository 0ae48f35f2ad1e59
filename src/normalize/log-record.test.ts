import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatOtlpJson } from '#otlp/json/format';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import type { OtlpLogRecord } from '#otlp/messages';
import { decodeExportLogsRequest } from '#otlp/protobuf/request';
import { keyValues } from '../../test/harness/otlp-json.ts';
import { eventNameOf, timeOf, toSpanRecord } from './log-record.ts';

/** The log record that this OTLP JSON means. */
function logRecord(fields: object): OtlpLogRecord {
  const request = { resourceLogs: [{ scopeLogs: [{ logRecords: [fields] }] }] };
  const body = transcodeJsonRequest(Buffer.from(JSON.stringify(request)), 'ExportLogsServiceRequest');
  const record = decodeExportLogsRequest(body).resourceLogs[0]?.scopeLogs[0]?.logRecords[0];
  if (record === undefined || 'malformed' in record) throw new Error(record?.malformed);
  return record;
}

describe('the name of an event', () => {
  it.each([
    ['its own field', { eventName: 'own', attributes: keyValues({ 'event.name': 'attribute' }) }, 'own'],
    ['an attribute', { attributes: keyValues({ 'event.name': 'attribute' }) }, 'attribute'],
    [
      'the last of repeated attributes',
      { attributes: keyValues({ 'event.name': 'a' }).concat(keyValues({ 'event.name': 'b' })) },
      'b',
    ],
    ['no attribute that is no text', { attributes: keyValues({ 'event.name': 7 }) }, ''],
    ['nothing', {}, ''],
  ])('is that of %s', (_what, fields, name) => {
    expect(eventNameOf(logRecord(fields))).toBe(name);
  });
});

describe('the time of a record', () => {
  it('is when it happened, else when it was seen', () => {
    expect(timeOf(logRecord({ timeUnixNano: '5', observedTimeUnixNano: '7' }))).toBe(5n);
    expect(timeOf(logRecord({ observedTimeUnixNano: '7' }))).toBe(7n);
    expect(timeOf(logRecord({}))).toBe(0n);
  });
});

describe('what dialects read of a record', () => {
  it('is its body in JSON and its attributes by their keys, without those that have no value', () => {
    const record = toSpanRecord(
      logRecord({
        eventName: 'gen_ai.choice',
        body: { kvlistValue: { values: keyValues({ index: 0, message: { content: 'Paris\0' } }) } },
        attributes: keyValues({ 'gen_ai.system': 'openai', empty: null, list: ['a', 1] }),
      }),
    );
    expect(record).toEqual({
      name: 'gen_ai.choice',
      timeUnixNano: 0n,
      attributes: { 'gen_ai.system': 'openai', list: ['a', 1] },
      body: { index: 0, message: { content: 'Paris\uFFFD' } },
    });
  });

  it('is no body where the record has none', () => {
    expect(toSpanRecord(logRecord({ eventName: 'e' })).body).toBeUndefined();
    expect(toSpanRecord(logRecord({ eventName: 'e', body: { stringValue: '' } })).body).toBe('');
  });
});

const RECORDINGS = new URL('../../test/fixtures/otlp/', import.meta.url);
const RECORDED = readdirSync(RECORDINGS, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.logs.binpb'),
);

describe('the recorded log records', () => {
  it.each(RECORDED)('%s: have the names and spans that the official classes see, and survive JSON', (name) => {
    const request = new Uint8Array(readFileSync(new URL(name, RECORDINGS)));
    const wire = JSON.parse(readFileSync(new URL(join(dirname(name), 'wire.json'), RECORDINGS), 'utf8')) as WireFiles;
    const summary = summarise(request);
    expect(summary.length).toBeGreaterThan(0);
    expect(summary).toEqual(wire.files.find(({ file }) => file === basename(name))?.log_records);
    const json = formatOtlpJson(request, 'ExportLogsServiceRequest');
    expect(summarise(transcodeJsonRequest(Buffer.from(json), 'ExportLogsServiceRequest'))).toEqual(summary);
  });
});

interface WireFiles {
  readonly files: readonly { readonly file: string; readonly log_records?: readonly object[] }[];
}

/** The records of a request in the words of `wire.json`. */
function summarise(request: Uint8Array): readonly object[] {
  return decodeExportLogsRequest(request).resourceLogs.flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) =>
      logRecords.map((record) => {
        if ('malformed' in record) return record;
        return { event_name: eventNameOf(record), span_id: Buffer.from(record.spanId).toString('hex') };
      }),
    ),
  );
}
