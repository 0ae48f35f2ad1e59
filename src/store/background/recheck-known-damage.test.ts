import { expect, it } from 'vitest';
import type { Damage } from '../engine/damage.ts';
import { DamageRegister } from '../status/damage-register.ts';
import { recheckKnownDamage } from './recheck-known-damage.ts';

it.for([
  ['a part of the search index', { kind: 'search_words', part: 1 }, { kind: 'search_words', part: 2 }],
  ['all tables', { kind: 'database' }, { kind: 'database', index: { table: 't', name: 'i', isRebuildable: false } }],
] as const)(
  'reads %s once for all that was damaged in it, and goes on where a look ended early',
  async ([, place, other]) => {
    const mended: string[] = [];
    const read: string[] = [];
    const register = new DamageRegister({
      onDamage: () => undefined,
      onShared: () => undefined,
      onMended: ({ message }) => mended.push(message),
      onRepairable: () => undefined,
    });
    for (const [message, at] of [
      ['one', place],
      ['two', place],
      ['three', other],
    ] as const) {
      register.note({ message, spans: [], ...at });
    }
    const rechecking = recheckKnownDamage({
      register,
      recheck: (damage: Damage) => {
        read.push(damage.message);
        if (damage.message === 'three') return Promise.resolve(damage);
        // The first look ends early.
        const recheckedTo = { table: 't', after: 1 };
        return Promise.resolve(damage.recheckedTo === undefined ? { ...damage, recheckedTo } : null);
      },
      onError: (error) => expect.unreachable(String(error)),
    });
    rechecking.wake();
    await expect.poll(() => read).toEqual(['one', 'three', 'one']);
    await rechecking.stop();
    expect(mended).toEqual(['one', 'two']);
    expect(register.startRecheck().map(({ message }) => message)).toEqual(['three']);
  },
);
