import { describe, expect, it } from 'vitest';
import { breakText, rowAt, rowText } from './text-rows.ts';

function rows(text: string, columns: number): string[] {
  const broken = breakText(text, columns);
  return broken.starts.map((_, row) => rowText(broken, row));
}

describe('breaking text', () => {
  it('keeps its lines, empty ones too', () => {
    expect(rows('one\n\ntwo\n', 10)).toEqual(['one', '', 'two', '']);
    expect(rows('', 10)).toEqual(['']);
  });

  it('goes on below behind a space, or in the middle of a long word', () => {
    expect(rows('the quick brown fox', 10)).toEqual(['the quick ', 'brown fox']);
    expect(rows('abcdefghijklmno', 10)).toEqual(['abcdefghij', 'klmno']);
    expect(rows('a bcdefghijklmno', 10)).toEqual(['a bcdefghi', 'jklmno']);
  });

  it('gives wide characters two columns, and tears no pair apart', () => {
    expect(rows('日本語日本語', 6)).toEqual(['日本語', '日本語']);
    expect(rows('ab😀😀', 4)).toEqual(['ab😀', '😀']);
  });

  it('loses no character', () => {
    const text = 'Lorem ipsum dolor sit amet, 漢字かな交じり文 consectetur\tadipiscing\n\n elit '.repeat(50);
    const { starts } = breakText(text, 17);
    expect(starts.map((start, row) => text.slice(start, starts[row + 1])).join('')).toBe(text);
  });

  it('knows the row of every character', () => {
    const broken = breakText('ab\ncd\nef', 10);
    expect([0, 2, 3, 7].map((offset) => rowAt(broken, offset))).toEqual([0, 0, 1, 2]);
  });
});
