import { expect, it } from 'vitest';
import { ANONYMOUS, type Caller, NOBODY } from '#domain/caller';
import { keyCaller, userCaller } from '#domain/callers.fixture';
import { sharesOfCaller } from './shares-of-caller.ts';

const address = '192.0.2.7';

it('people have one share, by whatever they sign in, and a part of it for each address', () => {
  const person = { ...userCaller('member'), address };
  const byKey: Caller = { ...keyCaller('member'), address };
  expect(sharesOfCaller(person)).toEqual(['user 1', address]);
  expect(byKey.kind).toBe('user');
  expect(sharesOfCaller({ ...byKey, rowId: 1 } as Caller)).toEqual(sharesOfCaller(person));
  expect(sharesOfCaller({ ...person, address: '192.0.2.8' })).toEqual(['user 1', '192.0.2.8']);
});

it.each([ANONYMOUS, NOBODY])('$kind callers are told apart by address, those of IPv6 by network', (caller) => {
  expect(sharesOfCaller({ ...caller, address })).toEqual([address]);
  expect(sharesOfCaller({ ...caller, address: '2001:db8::1:2:3:4' })).toEqual(['2001:db8:0:0::/64']);
  expect(sharesOfCaller({ ...caller, address: '2001:db8:0:0:9::1' })).toEqual(['2001:db8:0:0::/64']);
  expect(sharesOfCaller(caller)).toEqual(['']);
});
