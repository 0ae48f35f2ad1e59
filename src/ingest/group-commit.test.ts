import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { unpackMembers } from '#derive/narrow-codes';
import { type IncomingRequest, toIncomingMetrics } from '#store/incoming/request';
import type { WriteOutcome } from '#store/writer/port';
import { logsRequestOf, otlpLogRecord, spanId, type TestSpan, traceBody } from '../../test/harness/otlp-json.ts';
import { describeRejections, GroupCommit } from './group-commit.ts';
import { type PreparedExport, prepareExport } from './prepare-export.ts';
import type { ReceivedExport } from './receiver.ts';

/** What the writer was given, commit by commit, and a way to hold it up. */
let groups: (readonly IncomingRequest[])[];
let failure: Error | undefined;
let gate: Promise<void>;
let commits: GroupCommit<ReceivedExport>;

beforeEach(() => {
  groups = [];
  failure = undefined;
  gate = Promise.resolve();
  commits = groupCommit();
});

describe('group commit', () => {
  it('answers a request with what became of its spans', async () => {
    const outcome = await commits.export(received([{ spanId: spanId(1) }, { spanId: 'no id' }]));
    expect(outcome).toMatchObject({ stored: 1, rejected: [{ reason: 'invalid_span_id' }] });
  });

  it('puts everything that arrives during a commit into the next one', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const first = commits.export(received([{ spanId: spanId(1) }]));
    await until(() => groups.length === 1);
    const rest = [2, 3, 4].map((number) => commits.export(received([{ spanId: spanId(number) }])));
    gate = Promise.resolve();
    resolve();
    await Promise.all([first, ...rest]);
    expect(groups.map((group) => group.length)).toEqual([1, 3]);
  });

  it('ends a group at its bound of bytes', async () => {
    const prepared = { request: toIncomingMetrics(0), body: new Uint8Array(5_000_000), hint: '' };
    const quick = new GroupCommit({ writer, prepare: () => prepared });
    await Promise.all([1, 2, 3].map((number) => quick.export(number)));
    expect(groups.map((group) => group.length)).toEqual([2, 1]);
  });

  it('refuses a bad body alone, before anything is written', async () => {
    const bad = { ...received([]), body: new TextEncoder().encode('{') };
    const [refused, stored] = await Promise.allSettled([
      commits.export(bad),
      commits.export(received([{ spanId: spanId(1) }])),
    ]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'invalid_argument' } });
    expect(stored.status).toBe('fulfilled');
    expect(groups).toHaveLength(1);
  });

  it('bounds a body while it inflates', async () => {
    const bomb = { ...received([]), body: new Uint8Array(gzipSync(Buffer.alloc(20_000_000))), contentEncoding: 'gzip' };
    await expect(commits.export(bomb)).rejects.toMatchObject({ code: 'too_large' });
  });

  it('tells every request of a group when its commit fails, and goes on', async () => {
    failure = new AppError('unavailable', 'disk full');
    const failed = await Promise.allSettled([1, 2].map((n) => commits.export(received([{ spanId: spanId(n) }]))));
    expect(failed.map((one) => one.status)).toEqual(['rejected', 'rejected']);
    failure = undefined;
    expect(await commits.export(received([{ spanId: spanId(3) }]))).toMatchObject({ stored: 1 });
  });

  it('names the project by header, then by resource, then by default', async () => {
    await commits.export(received([{ spanId: spanId(1) }], { projectName: 'by header' }));
    await commits.export(received([{ spanId: spanId(1) }]));
    expect(groups.flat().map((request) => request.spans[0]?.projectName)).toEqual(['by header', 'fallback']);
  });

  it('masks what must not be stored, in the original bytes too', async () => {
    commits = groupCommit((key) => key === 'secret');
    await commits.export(received([{ spanId: spanId(1), attributes: { secret: 'hunter2', open: 'hello' } }]));
    const [span] = groups[0]?.[0]?.spans ?? [];
    expect(JSON.parse(unpackMembers(span?.digest.narrow.text ?? ''))).toEqual({
      secret: '__REDACTED__',
      open: 'hello',
    });
    expect(Buffer.from(span?.bytes ?? []).includes('hunter2')).toBe(false);
  });

  it.each([
    ['{"resource_spans":[{"scope_spans":[]}]}', 'names them resourceSpans'],
    ['{"hello":"world"}', 'names them resourceSpans'],
    ['{}', ''],
    ['{"resourceSpans":[]}', ''],
  ])('hints at the names of OTLP JSON where %s holds none of them', async (text, hint) => {
    const result = await commits.export({ ...received([]), body: new TextEncoder().encode(text) });
    if (hint === '') expect(result.hint).toBe('');
    else expect(result.hint).toContain(hint);
  });

  it('takes log records and metrics as it takes spans', async () => {
    const json = (message: object) => new TextEncoder().encode(JSON.stringify(message));
    const records = [{ eventName: 'gen_ai.choice' }, { body: 'an ordinary line' }];
    const logs = json(logsRequestOf([...records.map(otlpLogRecord), { eventName: 7 }]));
    const metrics = json({ resourceMetrics: [{ scopeMetrics: [{ metrics: [{ sum: { dataPoints: [{}, {}] } }] }] }] });
    const [ofLogs, ofMetrics, ofNames] = await Promise.all([
      commits.export(received([], { signal: 'logs', body: logs })),
      commits.export(received([], { signal: 'metrics', body: metrics })),
      commits.export(received([], { signal: 'logs', body: json({ resource_logs: [] }) })),
    ]);
    expect(ofLogs).toMatchObject({ stored: 1, dropped: 1, rejected: [{ reason: 'malformed' }] });
    expect(describeRejections('logs', ofLogs)).toMatch(/^1 of 3 log records were not stored/);
    expect(ofMetrics).toMatchObject({ stored: 0, dropped: 2, rejected: [] });
    expect(ofNames.hint).toContain('names them resourceLogs');
  });

  it('drains when everything is answered', async () => {
    let isAnswered = false;
    void commits.export(received([{ spanId: spanId(1) }])).then(() => {
      isAnswered = true;
    });
    await commits.drain();
    expect(isAnswered).toBe(true);
  });
});

describe('the sentence about rejected spans', () => {
  const outcome: WriteOutcome = { stored: 3, replaced: 0, duplicate: 1, dropped: 0, rejected: [], touched: [] };

  it('is empty when every span was stored', () => {
    expect(describeRejections('traces', outcome)).toBe('');
  });

  it('counts the reasons and gives the first message', () => {
    const rejected = [
      { reason: 'malformed', message: 'field 3 is cut off' },
      { reason: 'invalid_span_id', message: 'too short' },
      { reason: 'malformed', message: 'another' },
    ] as const;
    expect(describeRejections('traces', { ...outcome, rejected })).toBe(
      '3 of 7 spans were not stored (2 malformed, 1 invalid_span_id). The first: field 3 is cut off',
    );
  });
});

const writer = {
  async write(requests: readonly IncomingRequest[]): Promise<readonly WriteOutcome[]> {
    groups.push(requests);
    await gate;
    if (failure !== undefined) throw failure;
    return requests.map(({ spans, records, rejected, droppedCount }) => ({
      stored: spans.length + records.length,
      replaced: 0,
      duplicate: 0,
      dropped: droppedCount,
      rejected,
      touched: [],
    }));
  },
};

function groupCommit(isMasked: ((key: string) => boolean) | null = null): GroupCommit<ReceivedExport> {
  const options = { maxBodyBytes: 8_000_000, defaultProject: 'fallback', isMasked };
  return new GroupCommit({ writer, prepare: (sent) => prepareExport(sent, options) as PreparedExport });
}

function received(spans: readonly TestSpan[], more: Partial<ReceivedExport> = {}): ReceivedExport {
  return { signal: 'traces', body: traceBody(spans), format: 'json', contentEncoding: '', projectName: null, ...more };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
