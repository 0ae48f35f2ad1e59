import { expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

it('runs as many tasks at a time as it may, in their order, whatever becomes of them', async () => {
  const semaphore = new Semaphore(2);
  const started: string[] = [];
  const work = new Map<string, PromiseWithResolvers<string>>();
  const begin = (name: string) =>
    semaphore.run(() => {
      started.push(name);
      const task = Promise.withResolvers<string>();
      work.set(name, task);
      return task.promise;
    });
  const results = ['a', 'b', 'c', 'd', 'e'].map(begin);
  const outcomes = Promise.allSettled(results);
  await settled();
  expect(started).toEqual(['a', 'b']);
  work.get('b')?.reject(new Error('bad'));
  await settled();
  expect(started).toEqual(['a', 'b', 'c']);
  work.get('a')?.resolve('a is done');
  work.get('c')?.resolve('c is done');
  await settled();
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const name of ['d', 'e']) work.get(name)?.resolve(name);
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(await semaphore.run(async () => 'later')).toBe('later');
});

/** After everything that is ready to run has run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
