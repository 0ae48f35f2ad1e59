import { expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import { formatGroupFilter, readGroupDimension } from './group-dimension.ts';

const filterOf = (grain: 'span' | 'trace', by: string, value: string | number | null) =>
  formatGroupFilter(grain, readGroupDimension(by, grain), { value, text: String(value) });

it('gives each group a filter in the language of its rows', () => {
  expect(filterOf('span', 'name', "it's")).toBe('name == "it\'s"');
  expect(filterOf('span', 'session.id', null)).toBe('session.id is None');
  expect(filterOf('trace', 'user.id', 'ann')).toBe("user.id == 'ann'");
  expect(filterOf('trace', "attributes['session.id']", 'a')).toBe("attributes['session.id'] == 'a'");
  expect(filterOf('trace', 'model_name', 'gpt-4o')).toBe("any(s.model_name == 'gpt-4o' for s in spans)");
  const ofTraces = ['name', 'model_name', 'session'].flatMap((by) => [
    filterOf('trace', by, "an 'answer'"),
    filterOf('trace', by, null),
  ]);
  for (const filter of ofTraces) {
    expect(parseFilter('trace', filter).diagnostics).toEqual([]);
  }
});

it('refuses amounts of traces, and what is no name', () => {
  expect(() => readGroupDimension('latency_ms', 'trace')).toThrow(/attribute of the root span/);
  expect(() => readGroupDimension('1 +', 'span')).toThrow(/cannot be counted by/);
});
