import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SearchIndexPace } from './search-job.ts';
import { planWhereIdle, STEPS } from './plan-where-idle.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));

afterEach(() => void vi.useRealTimers());

/** A thread of each kind, whose plans say who made them, and what they were asked for. */
function openThreads() {
  const background = { isBusy: false, takesMs: 0, isDue: true, hasWork: true };
  const plan = planWhereIdle({
    isDue: async () => background.isDue,
    planAmongReads: async (bounds) => ({ who: 'readers', bounds }),
    planInBackground: async (bounds) => {
      vi.advanceTimersByTime(background.takesMs);
      return background.hasWork ? { who: 'background', bounds } : undefined;
    },
    isBackgroundBusy: () => background.isBusy,
  });
  const who = async (pace: SearchIndexPace) => (await plan(pace))?.who;
  return { background, plan, who };
}

describe('a step of the search index', () => {
  it('is planned on the background thread while that is idle: little of what has just arrived, more of what has time', async () => {
    const { plan } = openThreads();
    const planned = { who: 'background' };
    expect(await plan('prompt')).toEqual({ ...planned, bounds: STEPS.prompt });
    expect(await plan('patient')).toEqual({ ...planned, bounds: STEPS.patient });
    expect(STEPS.prompt.arrivedCount).toBeLessThan(STEPS.patient.arrivedCount / 4);
  });

  it('is planned among the reads of others while that thread is busy, without merging, unless it has time', async () => {
    const { background, plan, who } = openThreads();
    background.isBusy = true;
    expect(await plan('prompt')).toMatchObject({
      who: 'readers',
      bounds: { ...STEPS.prompt, mayMerge: false },
    });
    expect(await who('patient')).toBe('background');
    background.isBusy = false;
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

  it('is not planned, so that the background thread need not run, until something is due after nothing was left', async () => {
    const { background, who } = openThreads();
    background.isDue = false;
    expect(await who('prompt')).toBeUndefined();
    background.isDue = true;
    expect(await who('prompt')).toBe('background');
    background.isDue = false;
    expect(await who('prompt')).toBe('background');
    background.hasWork = false;
    expect(await who('prompt')).toBeUndefined();
    background.hasWork = true;
    expect(await who('prompt')).toBeUndefined();
  });

  it('stays on the background thread after one that took its time there, and after one that has time', async () => {
    const { background, who } = openThreads();
    background.takesMs = 500;
    expect([await who('prompt'), await who('prompt')]).toEqual(['background', 'background']);
    background.takesMs = 10_000;
    expect([await who('patient'), await who('prompt')]).toEqual(['background', 'background']);
  });
});
