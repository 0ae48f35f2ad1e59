import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtFinds, excerptOf, FOLDED_CHARS, occursIn } from './log-text.ts';

describe('excerptOf', () => {
  it('folds long texts and says how much it hides', () => {
    const text = 'word '.repeat(1000);
    expect(excerptOf(text, false)).toEqual({ text: text.slice(0, FOLDED_CHARS), hiddenCount: 5000 - FOLDED_CHARS });
    expect(excerptOf(text, true)).toEqual({ text, hiddenCount: 0 });
  });

  it('never holds all of a text of megabytes', () => {
    const { text, hiddenCount } = excerptOf('word '.repeat(1_000_000), true);
    expect(text.length).toBeLessThan(60_000);
    expect(text.length + hiddenCount).toBe(5_000_000);
  });

  it('writes encoded bytes as their size', () => {
    expect(excerptOf(`see data:image/png;base64,${'iVBORw0K'.repeat(2048)}== end`, false).text).toBe(
      'see data:image/png;base64,⟨12 KiB encoded⟩ end',
    );
  });

  it('leaves ids and addresses alone', () => {
    const text = `trace ${'0af7651916cd43dd8448eb211c80319c'.repeat(4)}`;
    expect(excerptOf(text, false).text).toBe(text);
  });

  it('cuts no character in two', () => {
    expect(excerptOf(`${' '.repeat(FOLDED_CHARS - 1)}😀 and more`, false).text.isWellFormed()).toBe(true);
  });
});

describe('cutAtFinds', () => {
  it('cuts where the query occurs, in any case', () => {
    expect(cutAtFinds('Say hello, Hello!', 'hello')).toEqual([
      { text: 'Say ', isFound: false },
      { text: 'hello', isFound: true },
      { text: ', ', isFound: false },
      { text: 'Hello', isFound: true },
      { text: '!', isFound: false },
    ]);
  });

  it('keeps the text whole where nothing is looked for or found', () => {
    expect(cutAtFinds('text', '')).toEqual([{ text: 'text', isFound: false }]);
    expect(cutAtFinds('text', 'x y')).toEqual([{ text: 'text', isFound: false }]);
    expect(cutAtFinds('', 'x')).toEqual([{ text: '', isFound: false }]);
  });

  it('loses nothing of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ maxLength: 2 }), (text, query) => {
        expect(
          cutAtFinds(text, query)
            .map((stretch) => stretch.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('occursIn', () => {
  const content = {
    input: 'What is due?',
    output: null,
    statusMessage: 'cancelled',
    exceptions: [{ type: 'TimeoutError', message: 'no answer', stack: 'at tools.py line 31' }],
  };

  it('looks at inputs, outputs, messages and exceptions', () => {
    for (const query of ['DUE', 'cancel', 'timeout', 'no answer', 'TOOLS.py']) {
      expect(occursIn(content, query)).toBe(true);
    }
    expect(occursIn(content, 'null')).toBe(false);
  });
});
