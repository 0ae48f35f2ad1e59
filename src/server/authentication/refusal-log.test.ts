import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Caller, NOBODY } from '#domain/caller';
import { keyCaller, userCaller } from '#domain/callers.fixture';
import type { Refusal } from '#store/commands/audit';
import { RefusalLog, type RefusalLogOptions } from './refusal-log.ts';

const DAY_US = 24 * 60 * 60_000_000;

let recorded: Refusal[];
let nowUs: number;

beforeEach(() => {
  recorded = [];
  nowUs = 100 * DAY_US;
});

function open(options: Partial<RefusalLogOptions> = {}): RefusalLog {
  return new RefusalLog({
    record: async (refusals) => void recorded.push(...refusals),
    onError: (error) => {
      throw error;
    },
    now: () => nowUs,
    ...options,
  });
}

const from = (address: string): Caller => ({ ...NOBODY, address });

describe('refusals', () => {
  it('are summed by caller, key, address, operation and object', async () => {
    const log = open();
    for (let times = 0; times < 5; times++) log.note({ caller: from('192.0.2.1'), operation: 'spans.list' });
    nowUs += 1_000_000;
    log.note({ caller: from('192.0.2.2'), operation: 'spans.list' });
    log.note({ caller: from('192.0.2.1'), operation: 'traces.list' });
    log.note({ caller: userCaller('viewer'), operation: 'spans.list' });
    log.note({ caller: userCaller('viewer', 2), operation: 'spans.list' });
    log.note({ caller: keyCaller('viewer', null, 2), operation: 'spans.list' });
    log.note({
      caller: from('192.0.2.1'),
      operation: 'spans.list',
      objectType: 'User',
      objectId: 3,
      objectName: 'Ada',
    });
    await log.close();
    expect(recorded.map(({ count }) => count)).toEqual([5, 1, 1, 1, 1, 1, 1]);
    expect(recorded[0]?.occurredAtUs).toBe(100 * DAY_US);
    expect(recorded.at(-1)?.object).toEqual({ type: 'User', id: 3, name: 'Ada' });
  });

  it('are written every minute, and when the server stops', async () => {
    vi.useFakeTimers();
    const log = open();
    log.note({ caller: NOBODY, operation: 'a' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(recorded).toHaveLength(1);
    log.note({ caller: NOBODY, operation: 'a' });
    await log.close();
    vi.useRealTimers();
    expect(recorded).toHaveLength(2);
  });

  it('of more kinds than are told apart are summed by their operation', async () => {
    const log = open({ maxKinds: 1000 });
    for (let index = 0; index < 100_000; index++) log.note({ caller: from(`${index}`), operation: `op.${index % 3}` });
    await log.close();
    expect(recorded).toHaveLength(1003);
    expect(recorded.reduce((sum, { count }) => sum + count, 0)).toBe(100_000);
    expect(recorded.slice(1000).map(({ caller, operation }) => [caller, operation])).toEqual([
      [NOBODY, 'op.1'],
      [NOBODY, 'op.2'],
      [NOBODY, 'op.0'],
    ]);
  });

  it('leave no more rows a day than that, and one more for each minute', async () => {
    const log = open({ maxRowsOfDay: 100 });
    for (let minute = 0; minute < 10; minute++) {
      for (let index = 0; index < 50; index++)
        log.note({ caller: from(`${minute} ${index}`), operation: `op.${index}` });
      await log.flush();
    }
    expect(recorded).toHaveLength(100 + 8);
    expect(recorded.at(-1)).toMatchObject({ operation: 'audit.otherRefusals', count: 50, caller: NOBODY });
    nowUs += DAY_US;
    log.note({ caller: from('tomorrow'), operation: 'op.1' });
    await log.close();
    expect(recorded.at(-1)).toMatchObject({ operation: 'op.1', caller: { address: 'tomorrow' } });
  });

  it('that cannot be written are kept, and written together with later ones', async () => {
    const failures: unknown[] = [];
    let isAway = true;
    const log = open({
      record: async (refusals) => {
        if (isAway) throw new Error('away');
        recorded.push(...refusals);
      },
      onError: (error) => void failures.push(error),
    });
    log.note({ caller: NOBODY, operation: 'a' });
    await log.flush();
    log.note({ caller: NOBODY, operation: 'a' });
    isAway = false;
    await log.close();
    expect(failures).toHaveLength(1);
    expect(recorded).toMatchObject([{ operation: 'a', count: 2 }]);
  });
});
