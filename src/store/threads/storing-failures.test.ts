import { expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { STORING_MEETS_DAMAGE } from '../engine/storage-error.ts';
import { StoringFailures } from './storing-failures.ts';

it('remembers damage for as long as it is known, and other failures for a minute', async () => {
  let [nowMs, isDamaged] = [0, true];
  const failures = new StoringFailures(
    () => isDamaged,
    () => nowMs,
  );
  const fail = (message: string) =>
    expect(failures.watch(Promise.reject(new AppError('unavailable', message)))).rejects.toThrow(message);
  await fail('no answer');
  expect(failures.latest()).toBe('no answer');
  nowMs += 60_000;
  expect(failures.latest()).toBeNull();
  await fail(STORING_MEETS_DAMAGE);
  nowMs += 3_600_000;
  expect(failures.latest()).toBe(STORING_MEETS_DAMAGE);
  isDamaged = false;
  expect(failures.latest()).toBeNull();
  isDamaged = true;
  await failures.watch(Promise.resolve());
  expect(failures.latest()).toBeNull();
});
