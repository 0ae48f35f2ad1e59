import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { losesWords, type Token, tokenize } from './tokenizer.ts';

const textsOf = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join(' ');
const wordsOf = (text: string) => textsOf(tokenize(text).words);

describe('words of a text', () => {
  it.each([
    ['Hello, World!', 'hello world'],
    ['order_id a.b.c 2f6c-41d0 path/to', 'order id a b c 2f6c 41d0 path to'],
    ['café CAFÉ cafe\u0301', 'cafe cafe cafe'],
    ['Straße ΣΊΣΥΦΟΣ İstanbul ﬁne Ｆｕｌｌ', 'strasse σισυφοσ istanbul fine full'],
    ['don’t 3.14', 'don t 3 14'],
    ['naïve hindi हिन्दी עִבְרִית', 'naive hindi हिन्दी עִבְרִית'],
    ['東京都', '東京 京都 都'],
    ['使用GPT模型', '使用 用 gpt 模型 型'],
    ['ﾊﾞﾅﾅ', 'バナ ナナ ナ'],
    ['한국어', '한국 국어 어'],
    ['ภาษา', 'ภา าษ ษา า'],
    ['😀 -- …', ''],
    ['\ud800 half', 'half'],
  ])('of %s are %s', (text, words) => {
    expect(wordsOf(text)).toBe(words);
  });

  it.each([
    ['getUserName', 'get user name'],
    ['HTTPServer', 'http server'],
    ['order1234', 'order 1234'],
    ['Capital lower UPPER 42', ''],
    ['a1b2c3d4e5f6a7b8', ''],
    ['größeÄndern', 'große andern'.replace('ß', 'ss')],
  ])('has the parts of %s beside them', (text, parts) => {
    expect(textsOf(tokenize(text).parts)).toBe(parts);
  });

  it('knows long words by their beginning, and of data only the beginning', () => {
    expect(wordsOf('a'.repeat(100))).toBe('a'.repeat(64));
    const data = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 256)).toString('base64');
    const words = wordsOf(`see data:image/png;base64,${data} there`);
    expect(words.startsWith('see data image png base64 ')).toBe(true);
    expect(words.endsWith(' there')).toBe(true);
    expect(words.length).toBeLessThan(200);
  });

  it('says which texts lose words', () => {
    const run = fc
      .tuple(fc.constantFrom('a', 'B7', '-', 'a-', 'é'), fc.integer({ min: 1, max: 600 }))
      .map(([unit, length]) => unit.repeat(length).slice(0, length));
    fc.assert(
      fc.property(fc.array(fc.oneof(run, fc.constantFrom(' ', '\n', 'a word, ')), { maxLength: 6 }), (pieces) => {
        const text = pieces.join('');
        const isLost = /[A-Za-z0-9é]{65}|[A-Za-z0-9+/=_-]{512}/.test(text);
        if (isLost) expect(losesWords(text)).toBe(true);
        else if (!text.includes('é')) expect(losesWords(text)).toBe(false);
      }),
    );
  });

  it('are where it says, folded and without white space, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { words, parts } = tokenize(text);
        let before = 0;
        for (const { text: word, start, end } of words) {
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          before = start;
        }
        for (const { start, end } of parts)
          expect(words.some((word) => word.start <= start && end <= word.end)).toBe(true);
      }),
    );
  });
});
