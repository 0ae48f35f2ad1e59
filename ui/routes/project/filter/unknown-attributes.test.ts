import { expect, it } from 'vitest';
import { doubtfulPaths, unknownAttributes } from './unknown-attributes.ts';

it('doubts attributes that are no fields, and nothing of what it cannot know', () => {
  expect(doubtfulPaths("llm.model_nam == 'x' and latency_ms > 5 and metadata['a'] == 1")).toEqual([
    'llm.model_nam',
    'metadata.a',
  ]);
  expect(doubtfulPaths("attributes['llm.token_count.total'] > 1 or tag.tags[0] == 'y'")).toEqual([]);
  expect(doubtfulPaths('latency_ms = 5 and')).toEqual([]);
});

it('names what is not observed, and what is nearly called so', () => {
  const observed = ['llm.model_name', 'metadata', 'shop.till.number', 'shop.a-b'];
  expect(unknownAttributes(['llm.model_name', 'metadata.a', 'shop.till'], observed)).toEqual([]);
  expect(unknownAttributes(['llm.model_nam', 'shop.a_b', 'quite.another', 'shop.til'], observed)).toEqual([
    { written: 'llm.model_nam', meant: 'llm.model_name' },
    { written: 'shop.a_b', meant: "attributes['shop.a-b']" },
    { written: 'quite.another', meant: undefined },
    { written: 'shop.til', meant: undefined },
  ]);
});
