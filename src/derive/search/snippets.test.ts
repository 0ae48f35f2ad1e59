import { describe, expect, it } from 'vitest';
import { parseSearch } from './query.ts';
import { ALL_PLACES, placeBit } from './scope.ts';
import { makeSnippets } from './snippets.ts';

/** Snippets with their hits in brackets. */
function marked(search: string, ...texts: string[]): string[] {
  const snippets = makeSnippets(
    parseSearch(search),
    texts.map((text) => [text, placeBit('input')] as const),
    ALL_PLACES,
  );
  return snippets.map(({ text, hits, isCutBefore, isCutAfter }) => {
    let shown = '';
    let at = 0;
    for (const { start, end } of hits) {
      shown += `${text.slice(at, start)}[${text.slice(start, end)}]`;
      at = end;
    }
    return `${isCutBefore ? '…' : ''}${shown}${text.slice(at)}${isCutAfter ? '…' : ''}`;
  });
}

describe('snippets', () => {
  it('mark every hit, and nothing that must be absent', () => {
    expect(marked('refund ord* -gone', 'Refund of ORDER 1, order 2')).toEqual(['[Refund] of [ORDER] 1, [order] 2']);
    expect(marked('"my refund" refund', 'my refund')).toEqual(['[my refund]']);
    expect(marked('京', '東京都')).toEqual(['東[京]都']);
    expect(marked('user', 'getUserName()')).toEqual(['get[User]Name()']);
  });

  it('are cut out of long texts around the words that stand close together', () => {
    const text = `${'refund '.repeat(3)}${'filler '.repeat(200)}a refund for the order ${'filler '.repeat(200)}`;
    const [snippet] = marked('refund order', text);
    expect(snippet).toMatch(/^…filler .*a \[refund\] for the \[order\] .*filler…$/);
    expect(snippet?.length).toBeLessThan(260);
  });

  it('come from the texts that hold most of the words', () => {
    expect(marked('a b', 'only a', 'a and b', 'only b', 'nothing')).toEqual(['[a] and [b]', 'only [a]', 'only [b]']);
  });

  it('say the same once', () => {
    expect(marked('a', 'so a', 'so a', 'another a')).toEqual(['so [a]', 'another [a]']);
    const long = `so a ${'filler '.repeat(200)}`;
    expect(marked('a', `${long}one`, `${long}two`)).toHaveLength(1);
  });

  it('say the same of each place where it stands', () => {
    const text = `so a ${'filler '.repeat(200)}`;
    const texts = [
      [`${text}one`, placeBit('input')],
      [`${text}two`, placeBit('output')],
    ] as const;
    const places = makeSnippets(parseSearch('a'), texts, ALL_PLACES).map(({ place }) => place);
    expect(places).toEqual(['input', 'output']);
  });

  it('leave out places that were not looked at, and do not cut characters apart', () => {
    expect(makeSnippets(parseSearch('x'), [['x', placeBit('output')]], placeBit('input'))).toEqual([]);
    const [snippet] = marked('word', `${'😀'.repeat(300)}word${'😀'.repeat(300)}`);
    expect(snippet).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
  });
});
