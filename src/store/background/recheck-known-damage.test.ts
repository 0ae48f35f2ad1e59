import { expect, it } from 'vitest';
import type { Damage } from '../engine/damage.ts';
import { DamageRegister } from '../status/damage-register.ts';
import { recheckKnownDamage } from './recheck-known-damage.ts';

it('reads a part of the search index once for all that was damaged in it', async () => {
  const mended: string[] = [];
  const read: string[] = [];
  const register = new DamageRegister({
    onDamage: () => undefined,
    onMended: ({ message }) => mended.push(message),
    onRepairable: () => undefined,
  });
  for (const [message, part] of [
    ['one', 1],
    ['two', 1],
    ['three', 2],
  ] as const) {
    register.note({ kind: 'search_words', message, spans: [], part });
  }
  const rechecking = recheckKnownDamage({
    register,
    recheck: (damage: Damage) => {
      read.push(damage.message);
      return Promise.resolve(damage.part === 1 ? null : damage);
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  rechecking.wake();
  await expect.poll(() => read).toEqual(['one', 'three']);
  await rechecking.stop();
  expect(mended).toEqual(['one', 'two']);
  expect(register.startRecheck().map(({ message }) => message)).toEqual(['three']);
});
