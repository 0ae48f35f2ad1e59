import { describe, expect, it } from 'vitest';
import { decodeWithOracle } from '../../test/oracle/otlp.ts';
import { encodeExportResponse, encodeRpcStatus } from './response.ts';

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

describe('encodeExportResponse', () => {
  it('is empty when every span was stored', () => {
    const result = { rejectedCount: 0, errorMessage: '' };
    expect(encodeExportResponse('traces', 'protobuf', result)).toHaveLength(0);
    expect(textOf(encodeExportResponse('traces', 'json', result))).toBe('{}');
  });

  it('counts the rejected spans and says why', () => {
    const result = { rejectedCount: 300, errorMessage: 'span id is empty' };
    expect(
      decodeWithOracle('ExportTraceServiceResponse', encodeExportResponse('traces', 'protobuf', result)),
    ).toMatchObject({
      partialSuccess: { rejectedSpans: 300n, errorMessage: 'span id is empty' },
    });
    expect(textOf(encodeExportResponse('traces', 'json', result))).toBe(
      '{"partialSuccess":{"rejectedSpans":"300","errorMessage":"span id is empty"}}',
    );
  });

  it('carries a warning without a rejected span', () => {
    const result = { rejectedCount: 0, errorMessage: 'beware' };
    expect(
      decodeWithOracle('ExportTraceServiceResponse', encodeExportResponse('traces', 'protobuf', result)),
    ).toMatchObject({
      partialSuccess: { rejectedSpans: 0n, errorMessage: 'beware' },
    });
    expect(textOf(encodeExportResponse('traces', 'json', result))).toBe('{"partialSuccess":{"errorMessage":"beware"}}');
  });

  it('counts in JSON by the name of the signal', () => {
    const result = { rejectedCount: 1, errorMessage: '' };
    expect(textOf(encodeExportResponse('logs', 'json', result))).toBe('{"partialSuccess":{"rejectedLogRecords":"1"}}');
    expect(textOf(encodeExportResponse('metrics', 'json', result))).toBe(
      '{"partialSuccess":{"rejectedDataPoints":"1"}}',
    );
  });
});

describe('encodeRpcStatus', () => {
  it('has the code and the message', () => {
    const status = { code: 3, message: 'bad „data“' };
    expect(decodeWithOracle('RpcStatus', encodeRpcStatus('protobuf', status))).toMatchObject({
      ...status,
      details: [],
    });
    expect(textOf(encodeRpcStatus('json', status))).toBe('{"code":3,"message":"bad „data“"}');
  });

  it.each([
    [5, { seconds: 5n, nanos: 0 }, '5s'],
    [1.75, { seconds: 1n, nanos: 750_000_000 }, '1.75s'],
    [0, { seconds: 0n, nanos: 0 }, '0s'],
  ])('tells when to retry: after %s s', (retryAfterSeconds, retryDelay, text) => {
    const status = { code: 14, message: 'full', retryAfterSeconds };
    const { details } = decodeWithOracle('RpcStatus', encodeRpcStatus('protobuf', status)) as unknown as {
      details: { typeUrl: string; value: Uint8Array }[];
    };
    expect(details.map(({ typeUrl }) => typeUrl)).toEqual(['type.googleapis.com/google.rpc.RetryInfo']);
    expect(decodeWithOracle('RetryInfo', details[0]?.value ?? new Uint8Array(0))).toMatchObject({ retryDelay });
    expect(JSON.parse(textOf(encodeRpcStatus('json', status)))).toEqual({
      code: 14,
      message: 'full',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: text }],
    });
  });
});
