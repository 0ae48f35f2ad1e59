import { expect, it } from 'vitest';
import { formatJson } from './json-output.ts';

it('writes JSON that a terminal cannot obey, and that reads as the same value', () => {
  const value = { 'a\u009b31m\u202e': ['\u001b[2J', '\u007f\u0085', '\u2028\u2066', '\u{e0001}', 'ü 👩\n'] };
  const text = formatJson(value);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  expect(text).toContain(String.raw`"a\u009b31m\u202e"`);
  expect(text).toContain('ü 👩');
  expect(JSON.parse(text)).toEqual(value);
});
