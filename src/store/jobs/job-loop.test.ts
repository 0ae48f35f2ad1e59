import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HeldJobs } from './held-jobs.ts';
import { JobLoop, type JobLoopOptions, type StepOutcome } from './job-loop.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => vi.useRealTimers());

/** A loop whose steps come to what is given, in order; nothing is to be done after that. */
function loopOf(outcomes: (StepOutcome | Error)[], options: Partial<JobLoopOptions<number>> = {}) {
  const at: number[] = [];
  const errors: unknown[] = [];
  const startedMs = performance.now();
  const loop = new JobLoop<number>({
    plan: async () => (outcomes.length === 0 ? undefined : 1),
    apply: async () => {
      at.push(performance.now() - startedMs);
      const outcome = outcomes.shift() ?? 'unchanged';
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    isBusy: () => false,
    patienceMs: 100,
    firstMs: 0,
    everyMs: () => 10_000,
    restMs: () => 0,
    retryMs: [1000, 4000],
    onError: (error) => errors.push(error),
    ...options,
  });
  return { loop, at, errors };
}

describe('the loop of a job', () => {
  it('takes step after step, and looks again later or when it is woken', async () => {
    const outcomes: StepOutcome[] = ['changed', 'changed', 'caught up', 'changed'];
    const { loop, at } = loopOf(outcomes);
    await vi.advanceTimersByTimeAsync(9999);
    expect(at).toEqual([0, 0, 0]);
    loop.wake();
    await loop.idle();
    expect(at).toEqual([0, 0, 0, 9999]);
    outcomes.push('changed');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(at.at(-1)).toBe(19_999);
    await loop.stop();
  });

  it('never takes a step that changed nothing for progress: it waits longer each time', async () => {
    const { loop, at } = loopOf(Array.from({ length: 100 }, () => 'unchanged'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(at.slice(0, 4)).toEqual([0, 20, 60, 140]);
    expect(at.length).toBeLessThan(25);
    loop.wake();
    await vi.advanceTimersByTimeAsync(1);
    expect(at.length).toBeLessThan(25);
    await loop.stop();
  });

  it('tries again after an error, with growing waits, and at once after what was changed', async () => {
    const fault = new Error('the disk is gone');
    const { loop, at, errors } = loopOf([fault, fault, fault, fault, 'changed', fault, 'changed']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(at).toEqual([0, 1000, 3000, 7000, 11_000, 11_000, 12_000]);
    expect(errors).toHaveLength(5);
    await loop.stop();
  });

  it('gives way for a moment, and rests as it says', async () => {
    const { loop, at } = loopOf(['changed', 'changed'], { isBusy: () => true, restMs: () => 50 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(at).toEqual([100, 250]);
    await loop.stop();
  });

  it('stops without waiting for a plan, but not before a step is applied', async () => {
    const planning = Promise.withResolvers<number>();
    const { loop, at } = loopOf(['changed'], { plan: () => planning.promise });
    await vi.advanceTimersByTimeAsync(1);
    await loop.stop();
    planning.resolve(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(at).toEqual([]);

    const applying = Promise.withResolvers<StepOutcome>();
    const { loop: other } = loopOf(['changed'], { apply: () => applying.promise });
    await vi.advanceTimersByTimeAsync(1);
    let isStopped = false;
    const stopping = other.stop().then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(1000);
    expect(isStopped).toBe(false);
    applying.resolve('changed');
    await stopping;
  });

  it('gathers what it is woken for, and is not put off by being woken again', async () => {
    const outcomes: StepOutcome[] = [];
    const { loop, at } = loopOf(outcomes, { gatherMs: 200 });
    await loop.idle();
    outcomes.push('changed');
    for (let wakes = 0; wakes < 10; wakes++) {
      loop.wake();
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(at).toEqual([200]);
    await loop.stop();
  });

  it('throws what goes wrong while it catches up, and goes on by itself', async () => {
    const outcomes: (StepOutcome | Error)[] = [];
    const { loop, at } = loopOf(outcomes);
    outcomes.push(new Error('broken'), 'changed');
    await expect(loop.catchUp()).rejects.toThrow('broken');
    await vi.advanceTimersByTimeAsync(2000);
    expect([at.length, outcomes]).toEqual([2, []]);
    await loop.stop();
  });

  it('ends when its job is over, and when it is stopped in the middle of a rest', async () => {
    const ended: string[] = [];
    const { loop } = loopOf(['finished', 'changed'], { onStopped: () => ended.push('finished') });
    await loop.idle();
    const { loop: resting, at } = loopOf(['changed', 'changed'], {
      restMs: () => 1e6,
      onStopped: () => ended.push('stopped'),
    });
    await vi.advanceTimersByTimeAsync(10);
    await resting.stop();
    expect([ended, at.length]).toEqual([['finished', 'stopped'], 1]);
    await loop.stop();
  });
});

describe('jobs that a server holds', () => {
  it('are begun when they come, stopped when they go, and not begun again until they have stopped', async () => {
    const log: string[] = [];
    const stopping = Promise.withResolvers<void>();
    const held = new HeldJobs((message) => log.push(message));
    held.serve('search', (id) => {
      log.push(`begin ${id}`);
      return {
        wake: () => log.push(`wake ${id}`),
        stop: () => stopping.promise.then(() => void log.push(`stop ${id}`)),
      };
    });
    held.hold([
      { id: 1, kind: 'search' },
      { id: 2, kind: 'columns' },
    ]);
    expect([held.wake('search'), held.wake('columns'), held.isRunning('search'), held.ids]).toEqual([
      true,
      false,
      true,
      [1],
    ]);
    held.hold([]);
    held.hold([{ id: 1, kind: 'search' }]);
    expect([held.isRunning('search'), held.stoppingIds]).toEqual([false, [1]]);
    stopping.resolve();
    await held.stopped();
    held.hold([{ id: 1, kind: 'search' }]);
    expect(log).toEqual(['begin 1', 'wake 1', 'stop 1', 'begin 1']);
  });
});
