import { describe, expect, it } from 'vitest';
import { isPlainText, revealHidden, splitHidden } from './hidden-characters.ts';

describe('what cannot be seen in a name', () => {
  it('has a mark in its place that says what it is', () => {
    expect(splitHidden('pay\u202Exe.fdp')).toEqual([
      { text: 'pay' },
      { text: '⟨U+202E⟩', meaning: 'Right-to-left override' },
      { text: 'xe.fdp' },
    ]);
    expect(revealHidden('a\0b')).toBe('a⟨U+0000⟩b');
    expect(revealHidden('ad\u200Bmin')).toBe('ad⟨U+200B⟩min');
    expect(revealHidden('ad\u200Dmin\u200C')).toBe('ad⟨U+200D⟩min⟨U+200C⟩');
    expect(revealHidden('\uFEFF\u2066x\u2069\x1b[31m')).toBe('⟨U+FEFF⟩⟨U+2066⟩x⟨U+2069⟩⟨U+001B⟩[31m');
    expect(revealHidden('half \ud83d')).toBe('half ⟨U+D83D⟩');
    expect(revealHidden('tag\u{e0061}')).toBe('tag⟨U+E0061⟩');
  });

  it('is one mark for a run of the same', () => {
    expect(revealHidden(`a${'\u200B'.repeat(12)}\u200E\u200Eb`)).toBe('a⟨U+200B ×12⟩⟨U+200E ×2⟩b');
  });

  it('is left alone where it shapes what is written', () => {
    for (const text of ['line one\n\tline two', '👩‍👩‍👧 family', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag', 'می‌خواهم', 'क्‍ष', 'שלום', '東京 é']) {
      expect(revealHidden(text), text).toBe(text);
    }
  });

  it('costs little in a hostile name', () => {
    const name = '\u202E\u202D'.repeat(200_000);
    expect(splitHidden(name).length).toBeLessThanOrEqual(42);
    expect(revealHidden('x'.repeat(5000))).toHaveLength(1001);
    expect(revealHidden(`x${'😀'.repeat(1000)}`).isWellFormed()).toBe(true);
  });
});

it('a plain text is told at once', () => {
  expect(isPlainText('ChatCompletion <3')).toBe(true);
  expect(isPlainText('')).toBe(true);
  expect(isPlainText('é')).toBe(false);
  expect(isPlainText('a\0')).toBe(false);
  expect(isPlainText('x'.repeat(5000))).toBe(false);
});
