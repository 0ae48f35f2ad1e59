import { expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { StoringFailures } from './storing-failures.ts';

it('remembers damage for as long as it is known, and other failures for a minute', async () => {
  let [nowMs, isDamaged] = [0, true];
  const failures = new StoringFailures(
    () => isDamaged,
    () => nowMs,
  );
  const fail = (message: string, reason?: 'damage') =>
    expect(failures.watch(Promise.reject(new AppError('unavailable', message, reason && { reason })))).rejects.toThrow(
      message,
    );
  await fail('no answer');
  expect(failures.latest()).toBe('no answer');
  nowMs += 60_000;
  expect(failures.latest()).toBeNull();
  await fail('a damaged page', 'damage');
  nowMs += 3_600_000;
  expect(failures.latest()).toBe('a damaged page');
  isDamaged = false;
  expect(failures.latest()).toBeNull();
  isDamaged = true;
  await failures.watch(Promise.resolve());
  expect(failures.latest()).toBeNull();
});
