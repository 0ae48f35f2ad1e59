import { expect, it } from 'vitest';
import { parseProjectNameHeader } from './project-name-header.ts';

it.each([
  ['checkout', 'checkout'],
  ['  spaced out \t', 'spaced out'],
  ['100%20sure', '100%20sure'],
  ['', null],
  ['   ', null],
  [undefined, null],
  [Buffer.from('日本 ☃', 'utf8').toString('latin1'), '日本 ☃'],
  ['caf\u00e9', 'café'],
  [['first', 'second'], 'first'],
])('reads %o as %o', (value, expected) => {
  expect(parseProjectNameHeader(value)).toBe(expected);
});
