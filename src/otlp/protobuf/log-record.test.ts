import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { decodeWithOracle, encodeWithOracle, formatWithOracle } from '../../../test/oracle/otlp.ts';
import { logsRequestInits } from '../../../test/oracle/otlp-arbitraries.ts';
import { logsToPlain, oracleLogsToPlain } from '../../../test/oracle/otlp-plain.ts';
import { formatOtlpJson } from '../json/format.ts';
import { transcodeJsonRequest } from '../json/transcode.ts';
import type { ExportLogsRequest, OtlpLogRecord } from '../messages.ts';
import { encodeExportRequest } from './encode-request.ts';
import { decodeLogRecord } from './log-record.ts';
import { decodeExportLogsParts, decodeExportLogsRequest } from './request.ts';

const MESSAGE = 'ExportLogsServiceRequest';

function recordsOf(request: ExportLogsRequest) {
  return request.resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords));
}

function transcode(...records: readonly object[]) {
  const json = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] });
  return recordsOf(decodeExportLogsRequest(transcodeJsonRequest(Buffer.from(json), MESSAGE)));
}

describe('a request of log records', () => {
  it('is decoded as the oracle does, unknown fields included', () => {
    fc.assert(
      fc.property(logsRequestInits, (init) => {
        const bytes = encodeWithOracle(MESSAGE, init);
        expect(logsToPlain(decodeExportLogsRequest(bytes))).toEqual(
          oracleLogsToPlain(decodeWithOracle(MESSAGE, bytes)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is transcoded from JSON as the oracle does, and formatted to JSON that means the same', () => {
    fc.assert(
      fc.property(logsRequestInits, fc.boolean(), (init, enumAsInteger) => {
        const bytes = encodeWithOracle(MESSAGE, init);
        const plain = logsToPlain(decodeExportLogsRequest(bytes));
        const json = formatWithOracle(MESSAGE, bytes, { enumAsInteger });
        expect(logsToPlain(decodeExportLogsRequest(transcodeJsonRequest(Buffer.from(json), MESSAGE)))).toEqual(plain);
        const ours = transcodeJsonRequest(formatOtlpJson(bytes, MESSAGE), MESSAGE);
        expect(logsToPlain(decodeExportLogsRequest(ours))).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  it('is put together again from its envelopes and its records, one by one decoded as they were', () => {
    fc.assert(
      fc.property(logsRequestInits, (init) => {
        const request = decodeExportLogsRequest(encodeWithOracle(MESSAGE, init));
        const again = encodeExportRequest(
          request.resourceLogs.map(({ resource, scopeLogs }) => ({
            envelope: resource.envelope,
            scopes: scopeLogs.map(({ scope, logRecords }) => ({
              envelope: scope.envelope,
              messages: logRecords.map((record) => record.bytes),
            })),
          })),
        );
        expect(decodeExportLogsRequest(again)).toEqual(request);
        for (const record of recordsOf(request)) expect(decodeLogRecord(record.bytes)).toEqual(record);
      }),
    );
  });

  it('comes in parts that hold each record once, in order', () => {
    fc.assert(
      fc.property(logsRequestInits, fc.integer({ min: 1, max: 4 }), (init, maxItems) => {
        const body = encodeWithOracle(MESSAGE, init);
        const parts = [...decodeExportLogsParts(body, { maxItems, maxBytes: Infinity })];
        const all = recordsOf(decodeExportLogsRequest(body));
        expect(parts.flatMap(({ request }) => recordsOf(request))).toEqual(all);
        expect(parts.length).toBe(Math.max(1, Math.ceil(all.length / maxItems)));
      }),
    );
  });

  it('answers changed bytes with a decoded request or an AppError, nothing else', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(logsRequestInits, changes, (init, positions) => {
        const bytes = encodeWithOracle(MESSAGE, init);
        for (const [position, byte] of positions) bytes[position % bytes.length] = byte;
        try {
          decodeExportLogsRequest(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect(error).toHaveProperty('code', 'invalid_argument');
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a record that is broken', () => {
  it('says why, and leaves its neighbours alone', () => {
    const [first, second, third] = transcode(
      { eventName: 'a' },
      { eventName: 7 },
      { severityNumber: 'SEVERITY_NUMBER_WARN2' },
    );
    expect((first as OtlpLogRecord).eventName).toBe('a');
    expect(second).toMatchObject({ malformed: 'Not a valid log record: eventName: a string is expected.' });
    expect((third as OtlpLogRecord).severityNumber).toBe(14);
  });

  it('says so in protobuf too', () => {
    expect(decodeLogRecord(Uint8Array.of(0x62, 9, 1))).toMatchObject({
      malformed: expect.stringContaining('Not valid protobuf'),
    });
    expect(decodeLogRecord(new Uint8Array(0))).toMatchObject({ eventName: '', body: null });
  });
});
