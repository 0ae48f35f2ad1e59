import { expect, it } from 'vitest';
import { initialsOf } from './initials.ts';

it.each([
  ['Ada Lovelace', 'AL'],
  ['ada', 'A'],
  ['Grace Brewster Murray Hopper', 'GH'],
  ['admin@localhost', 'AL'],
  ['jean-luc.picard', 'JP'],
  ['  ', '?'],
  ['李小龍', '李'],
  ['e\u0301lodie k\u0327ara', 'E\u0301K\u0327'],
  ['3rd party', '3P'],
])('of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
