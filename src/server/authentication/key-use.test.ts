import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { KeyUse } from '#resources/api-keys/commands';
import { KeyUses } from './key-use.ts';

const MINUTE_US = 60_000_000;
let written: (readonly KeyUse[])[];
let warnings: string[];
let keys: KeyUses;
let failure: Error | undefined;

beforeEach(() => {
  vi.useFakeTimers({ now: 90_000 });
  written = [];
  warnings = [];
  failure = undefined;
  keys = new KeyUses({
    write: async (uses) => {
      if (failure !== undefined) throw failure;
      written.push(uses);
    },
    log: { warn: (message) => void warnings.push(message) },
  });
});

afterEach(() => {
  vi.useRealTimers();
});

it('writes the uses of some seconds together, each key once a minute', async () => {
  for (const rowId of [1, 2, 1, 1]) keys.note(rowId);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(5000);
  const first = [{ rowId: 1, atUs: MINUTE_US }, { rowId: 2, atUs: MINUTE_US }]; // biome-ignore format: one line
  expect(written).toEqual([first]);
  keys.note(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(written).toEqual([first]);
  await vi.advanceTimersByTimeAsync(10_000);
  keys.note(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(written).toEqual([first, [{ rowId: 1, atUs: 2 * MINUTE_US }]]);
});

it('writes the rest when it is closed', async () => {
  keys.note(1);
  await keys.close();
  expect(written).toEqual([[{ rowId: 1, atUs: MINUTE_US }]]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(written).toHaveLength(1);
});

it('goes on after a failure', async () => {
  failure = new Error('no room');
  keys.note(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(warnings).toHaveLength(1);
  failure = undefined;
  keys.note(2);
  await keys.close();
  expect(written).toEqual([[{ rowId: 2, atUs: MINUTE_US }]]);
});
