import { expect, it } from 'vitest';
import { currentSignal, endTogether } from './cancellation.ts';

it('ends what is read together when a part of it has failed, or when its caller goes', async () => {
  const untilEnded = () =>
    new Promise<never>((_resolve, reject) => {
      const signal = currentSignal();
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  const caller = new AbortController();
  let other: Promise<never> | undefined;
  const failing = async () => {
    throw new Error('broken');
  };
  const read = () => Promise.all([failing(), (other = untilEnded())]);
  await expect(endTogether(caller.signal, read)).rejects.toThrow('broken');
  await expect(other).rejects.toThrow('Another part of the request has failed.');
  const left = endTogether(caller.signal, untilEnded);
  caller.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
});

it('lets what has succeeded be sent', async () => {
  const signal = await endTogether(new AbortController().signal, async () => currentSignal());
  expect(signal?.aborted).toBe(false);
});
