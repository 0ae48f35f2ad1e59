import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RestTimer } from './rest-timer.ts';

const EVERY_MS = 1000;

let steps: boolean[];
let left: number;
let errors: unknown[];
let rest: RestTimer;

beforeEach(() => {
  vi.useFakeTimers();
  [steps, left, errors] = [[], 0, []];
  rest = new RestTimer({
    step: async (isIdle) => {
      steps.push(isIdle);
      return left-- > 0;
    },
    everyMs: EVERY_MS,
    onError: (error) => errors.push(error),
  });
});

afterEach(() => {
  rest.close();
  vi.useRealTimers();
});

it('waits until callers are quiet, and ends with a step before which nothing was done', async () => {
  for (let time = 0; time < 5; time++) {
    rest.noteWork(true);
    await vi.advanceTimersByTimeAsync(EVERY_MS / 2);
  }
  expect(steps).toEqual([]);
  await vi.advanceTimersByTimeAsync(20 * EVERY_MS);
  expect(steps).toEqual([false, true]);
});

it('takes a step now and then beside work that nobody waits for', async () => {
  for (let time = 0; time < 10; time++) {
    rest.noteWork(false);
    await vi.advanceTimersByTimeAsync(EVERY_MS / 2);
  }
  expect(steps.length).toBeGreaterThanOrEqual(4);
  expect(steps).not.toContain(true);
});

it('takes steps until nothing is left', async () => {
  left = 5;
  rest.noteWork(true);
  await vi.advanceTimersByTimeAsync(20 * EVERY_MS);
  expect(steps).toEqual([false, true, true, true, true, true]);
});

it('does not repeat for ever what fails', async () => {
  rest.close();
  const failing = new RestTimer({
    step: () => Promise.reject(new Error('full')),
    everyMs: EVERY_MS,
    onError: (error) => errors.push(error),
  });
  failing.noteWork(true);
  await vi.advanceTimersByTimeAsync(20 * EVERY_MS);
  expect(errors).toHaveLength(2);
});
