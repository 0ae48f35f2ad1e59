import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SearchIndexPace } from './indexer.ts';
import { planWhereIdle } from './plan-where-idle.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));

afterEach(() => void vi.useRealTimers());

/** A thread of each kind, whose plans say who made them, and what they were asked for. */
function openThreads() {
  const answer = (who: string, method: string, [bounds]: readonly unknown[]) => ({ who, method, bounds });
  const background = {
    pendingCount: 0,
    takesMs: 0,
    call: async (method: string, parameters: readonly unknown[]) => {
      vi.advanceTimersByTime(background.takesMs);
      return answer('background', method, parameters);
    },
  };
  const readers = {
    callUnrefused: async (method: string, parameters: readonly unknown[]) => answer('readers', method, parameters),
  };
  const plan = planWhereIdle(readers, background) as (pace: SearchIndexPace) => Promise<unknown>;
  const who = async (pace: SearchIndexPace) => ((await plan(pace)) as { readonly who: string }).who;
  return { background, plan, who };
}

describe('a step of the search index', () => {
  it('is planned on the background thread while that is idle: little of what has just arrived, more of what has time', async () => {
    const { plan } = openThreads();
    const planned = { who: 'background', method: 'planSearchIndex' };
    const little = { arrivedCount: 128, changedCount: 32, milliseconds: 30 };
    const more = { arrivedCount: 256, changedCount: 128, milliseconds: 250 };
    expect(await plan('prompt')).toEqual({ ...planned, bounds: little });
    expect(await plan('patient')).toEqual({ ...planned, bounds: more });
  });

  it('is planned among the reads of others while that thread is busy, unless it has time', async () => {
    const { background, plan, who } = openThreads();
    background.pendingCount = 1;
    expect(await plan('prompt')).toMatchObject({
      who: 'readers',
      method: 'planSearchIndex',
      bounds: { arrivedCount: 128 },
    });
    expect(await who('patient')).toBe('background');
    background.pendingCount = 0;
    expect(await who('prompt')).toBe('background');
  });

  it('is planned among the reads of others for a minute after one took long there, unless it has time', async () => {
    const { background, who } = openThreads();
    background.takesMs = 501;
    expect(await who('prompt')).toBe('background');
    expect([await who('prompt'), await who('patient')]).toEqual(['readers', 'background']);
    vi.advanceTimersByTime(60_000 - 501 - 1);
    expect(await who('prompt')).toBe('readers');
    vi.advanceTimersByTime(1);
    expect(await who('prompt')).toBe('background');
  });

  it('stays on the background thread after one that took its time there, and after one that has time', async () => {
    const { background, who } = openThreads();
    background.takesMs = 500;
    expect([await who('prompt'), await who('prompt')]).toEqual(['background', 'background']);
    background.takesMs = 10_000;
    expect([await who('patient'), await who('prompt')]).toEqual(['background', 'background']);
  });
});
