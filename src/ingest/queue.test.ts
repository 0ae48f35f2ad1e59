import { beforeEach, describe, expect, it } from 'vitest';
import type { ExportResult, WriteOutcome } from '#store/writer/port';
import { ByteBudget } from './budget.ts';
import { IngestQueue } from './queue.ts';
import type { ReceivedExport } from './receiver.ts';

const RECEIVED: ReceivedExport = {
  signal: 'traces',
  body: new Uint8Array(1),
  format: 'json',
  contentEncoding: '',
  projectName: null,
};
const STORED: ExportResult = { stored: 2, replaced: 0, duplicate: 0, dropped: 0, rejected: [], touched: [], hint: '' };

let counted: WriteOutcome[];

beforeEach(() => {
  counted = [];
});

describe('the ingest queue', () => {
  it('answers with what was not stored, and counts what was', async () => {
    const rejected = [{ reason: 'malformed', message: 'cut off' }] as const;
    const queue = createQueue(() => Promise.resolve({ ...STORED, rejected }));
    const outcome = await queue.export(RECEIVED);
    expect(outcome).toEqual({
      rejectedCount: 1,
      errorMessage: '1 of 3 spans were not stored (1 malformed). The first: cut off',
    });
    expect(counted).toEqual([{ ...STORED, rejected }]);
  });

  it('passes on why a request was refused, and counts nothing', async () => {
    const queue = createQueue(() => Promise.reject(new TypeError('a fault')));
    await expect(queue.export(RECEIVED)).rejects.toThrow('a fault');
    using _held = await queue.reserve(10);
    await expect(queue.reserve(1)).rejects.toMatchObject({ code: 'unavailable' });
    expect(counted).toEqual([]);
  });

  it('finishes what it has taken and takes nothing more once it drains', async () => {
    const { promise, resolve } = Promise.withResolvers<ExportResult>();
    const queue = createQueue(() => promise);
    const taken = queue.export(RECEIVED);
    let isDrained = false;
    const drained = queue.drain().then(() => {
      isDrained = true;
    });
    await expect(queue.export(RECEIVED)).rejects.toMatchObject({ code: 'unavailable' });
    expect(isDrained).toBe(false);
    resolve(STORED);
    await drained;
    expect(await taken).toMatchObject({ rejectedCount: 0 });
  });
});

function createQueue(store: () => Promise<ExportResult>): IngestQueue {
  return new IngestQueue({
    budget: new ByteBudget({ maxBytes: 10, waitMs: 1, maxWaiting: 10 }),
    store,
    onStored: (_signal, outcome) => counted.push(outcome),
  });
}
