import { describe, expect, it } from 'vitest';
import { excerptOf, FOLDED_CHARS, occursIn } from './log-text.ts';

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

describe('occursIn', () => {
  const content = {
    input: 'What is due?',
    output: null,
    statusMessage: 'cancelled',
    exceptions: [
      {
        timestamp: '2026-01-01T00:00:00Z',
        type: 'TimeoutError',
        message: 'no answer',
        stackTrace: 'at tools.py line 31',
        hasEscaped: false,
        rest: undefined,
      },
    ],
  };

  it('looks at inputs, outputs, messages and exceptions', () => {
    for (const query of ['DUE', 'cancel', 'timeout', 'no answer', 'TOOLS.py']) {
      expect(occursIn(content, query)).toBe(true);
    }
    expect(occursIn(content, 'null')).toBe(false);
  });
});
