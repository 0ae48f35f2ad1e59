import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexedWords, tokenize } from './tokenizer.ts';

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
    expect(indexedWords(text).words).toBe(words);
  });

  it.each([
    ['getUserName', 'get user name'],
    ['HTTPServer', 'http server'],
    ['order1234', 'order 1234'],
    ['Capital lower UPPER 42', ''],
    ['a1b2c3d4e5f6a7b8', ''],
    ['größeÄndern', 'große andern'.replace('ß', 'ss')],
  ])('has the parts of %s beside them', (text, parts) => {
    expect(indexedWords(text).parts).toBe(parts);
  });

  it('knows long words by their beginning, and of data only the beginning', () => {
    expect(indexedWords('a'.repeat(100)).words).toBe('a'.repeat(64));
    const data = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 256)).toString('base64');
    const { words } = indexedWords(`see data:image/png;base64,${data} there`);
    expect(words.startsWith('see data image png base64 ')).toBe(true);
    expect(words.endsWith(' there')).toBe(true);
    expect(words.length).toBeLessThan(200);
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
