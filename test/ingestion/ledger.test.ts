/** Every span received is counted once, by what became of it: in /metrics and, in the same commit, in the ledger. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callExport, callFailingExport, encodeRequest, exportTraces, postBody } from '../harness/otlp-client.ts';
import { otlpSpan, requestOf, spanId, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { readIngestCounters } from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ OTLP_MAX_BYTES: '100000' });
});

afterAll(() => server[Symbol.asyncDispose]());

describe('what becomes of spans', () => {
  it('is counted over all transports, in the metrics and in the data file', async () => {
    const good = [1, 2, 3].map((number) => otlpSpan({ traceId: traceId(1), spanId: spanId(number) }));
    const [first = {}] = good;
    const bad = [
      { ...first, traceId: '' },
      { ...first, traceId: '' },
      { ...first, spanId: 'ab' },
      { ...first, endTimeUnixNano: '18446744073709551615' },
    ];
    const request = requestOf([...good, ...bad]);
    expect(await exportTraces(server.url, request)).toMatchObject({
      rejectedSpans: 4,
      message: expect.stringContaining(
        '4 of 7 spans were not stored (2 invalid_trace_id, 1 invalid_span_id, 1 time_out_of_range)',
      ),
    });
    await exportTraces(server.url, request, { encoding: 'application/json', headers: { 'x-project-name': 'other' } });
    await callExport(
      server.grpcAddress,
      encodeRequest('application/x-protobuf', requestOf([{ ...first, name: 'replaced' }])),
    );
    await exportTraces(server.url, requestOf([{ ...first, name: 7 }]), { encoding: 'application/json' });
    await exportTraces(server.url, requestOf([{ ...first, traceId: traceId(2) }]), {
      headers: { 'x-project-name': 'other' },
    });

    expect(Object.fromEntries(await readIngestCounters(server.url))).toEqual({
      'outcome=stored': 4,
      'outcome=replaced': 1,
      'outcome=duplicate': 3,
      'outcome=rejected,reason=invalid_trace_id': 4,
      'outcome=rejected,reason=invalid_span_id': 2,
      'outcome=rejected,reason=time_out_of_range': 2,
      'outcome=rejected,reason=malformed': 1,
    });
    expect(await readLedger()).toEqual([
      ['', 'rejected', 'invalid_span_id', 2],
      ['', 'rejected', 'invalid_trace_id', 4],
      ['', 'rejected', 'malformed', 1],
      ['', 'rejected', 'time_out_of_range', 2],
      ['default', 'duplicate', '', 3],
      ['default', 'replaced', '', 1],
      ['default', 'stored', '', 3],
      ['other', 'stored', '', 1],
    ]);
  });
});

describe('requests that are not acknowledged', () => {
  it('are counted by why, once each', async () => {
    const json = { 'content-type': 'application/json' };
    const bytes = (text: string) => new Uint8Array(Buffer.from(text));
    await postBody(server.url, bytes('{'), json);
    await postBody(server.url, bytes('{}'), { ...json, 'content-encoding': 'compress' });
    await callFailingExport(server.grpcAddress, bytes('\x0a\x7f'));
    const counters = await readIngestCounters(server.url);
    expect([counters.get('code=invalid_argument'), counters.get('code=unsupported')]).toEqual([2, 1]);
  });
});

/** The ledger by project, summed over hours. */
async function readLedger(): Promise<unknown[][]> {
  const rows = await server.data.rows(
    `SELECT coalesce(name, '') AS project, outcome, reason, sum(item_count) AS items
     FROM ingest_ledger LEFT JOIN projects ON projects.id = project_id
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  );
  return rows.map((row) => Object.values(row));
}
