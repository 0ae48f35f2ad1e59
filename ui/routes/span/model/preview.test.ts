import { expect, it } from 'vitest';
import { previewOf } from './preview.ts';

it('shows whole what is short, or hardly long', () => {
  for (const text of ['', 'one line', 'word '.repeat(280), 'line\n'.repeat(18)]) expect(previewOf(text)).toBe(text);
});

it('ends where a word or a line ends', () => {
  expect(previewOf('word '.repeat(1000))).toMatch(/word$/);
  expect(previewOf('word '.repeat(1000)).length).toBeLessThanOrEqual(1200);
  expect(previewOf('line\n'.repeat(100))).toBe('line\n'.repeat(16).trimEnd());
});

it('tears no character apart where there is no space', () => {
  expect(previewOf(`a${'😀'.repeat(2000)}`)).toBe(`a${'😀'.repeat(599)}`);
});
