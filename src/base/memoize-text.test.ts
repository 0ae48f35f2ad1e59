import { expect, it } from 'vitest';
import { memoizeText } from './memoize-text.ts';

it('computes once for a text that comes again, and again for a long one', () => {
  const computed: string[] = [];
  const measure = memoizeText((text) => {
    computed.push(text);
    return { length: text.length };
  });
  const long = 'x'.repeat(129);
  for (const text of ['a', 'bb', 'a', long, long]) expect(measure(text)).toEqual({ length: text.length });
  expect(computed).toEqual(['a', 'bb', long, long]);
});

it('keeps a bounded number of results', () => {
  let count = 0;
  const number = memoizeText(() => ({ count: ++count }));
  for (let index = 0; index < 4097; index++) number(`key ${index}`);
  expect(number('key 4096')).toEqual({ count: 4097 });
  expect(number('key 0')).toEqual({ count: 4098 });
});
