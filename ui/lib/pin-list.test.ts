import { expect, it } from 'vitest';
import { readPins, withPin } from './pin-list.ts';

const SHOP = { projectId: 'P1', title: 'shop' };
const DESK = { projectId: 'P2', title: 'desk' };

it('pins at the end, once, and unpins', () => {
  const both = withPin(withPin([], SHOP, true), DESK, true);
  expect(both).toEqual([SHOP, DESK]);
  expect(withPin(both, SHOP, true)).toEqual([DESK, SHOP]);
  expect(withPin(both, SHOP, false)).toEqual([DESK]);
});

it('takes of what was kept only what is a pin', () => {
  expect(readPins({ '': [SHOP, { projectId: 7 }, null], U1: 'none' })).toEqual({ '': [SHOP], U1: [] });
  expect(readPins('[]')).toBeUndefined();
});
