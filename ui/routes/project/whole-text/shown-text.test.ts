import { expect, it } from 'vitest';
import { MAX_SHOWN_CHARACTERS, shownText } from './shown-text.ts';

it('lays JSON out with all of its digits, and leaves other texts as they are', () => {
  expect(shownText('{"id":12345678901234567890,"a":[1.0]}', 'json')).toEqual({
    text: '{\n  "id": 12345678901234567890,\n  "a": [\n    1.0\n  ]\n}',
    isCode: true,
    isCut: false,
  });
  expect(shownText('{"a"', 'json')).toEqual({ text: '{"a"', isCode: true, isCut: false });
  expect(shownText(' two\n lines ', 'text')).toEqual({ text: ' two\n lines ', isCode: false, isCut: false });
});

it('shows the beginning of what is long', () => {
  const { text, isCut } = shownText('x'.repeat(MAX_SHOWN_CHARACTERS + 1), 'text');
  expect([text.length, isCut]).toEqual([MAX_SHOWN_CHARACTERS, true]);
});
