import { expect, it } from 'vitest';
import { weighJsonContainer } from './weigh-json.ts';

it('weighs a text only where it is an object or a list', () => {
  expect(weighJsonContainer('{"a":[1,2]}')).toBe(2 * 100 + 50);
  expect(weighJsonContainer('1,2,[{}]')).toBe(0);
  expect(weighJsonContainer(`[${Array(1000).fill('{}').join(',')}]`)).toBe(0);
});
