import { describe, expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import { annotatorKey, type Judge, judgesToBeginWith, pairFilter, readAnnotator } from './judge.ts';

const judge = (name: string, by: Judge['by'] = null): Judge => ({ name, by });

it('are at first two annotators of one name, else two names, and say so', () => {
  const pair = [judge('tone', { kind: 'HUMAN', identifier: 'ada' }), judge('tone', { kind: 'LLM', identifier: '' })];
  expect(judgesToBeginWith(['fit', 'tone'], pair)).toMatchObject({ first: pair[0], second: pair[1] });
  expect(judgesToBeginWith(['fit', 'tone'], pair)?.why).toContain('under the name “tone”');
  expect(judgesToBeginWith(['fit', 'tone'], [])).toEqual({
    first: judge('fit'),
    second: judge('tone'),
    why: 'No name has two annotators yet, so these are two different names.',
  });
  expect(judgesToBeginWith(['fit'], [])?.why).toContain('compared with itself');
  expect(judgesToBeginWith([], [])).toBeUndefined();
});

describe('a filter for two labels', () => {
  it.each([
    ['span', judge('tone'), judge('truth'), "annotations['tone'].label == 'a' and annotations['truth'].label == 'b'"],
    [
      'trace',
      judge('tone', { kind: 'HUMAN', identifier: "ada's" }),
      judge('tone'),
      `any(a.name == 'tone' and a.label == 'a' and a.annotator_kind == 'HUMAN' and a.identifier == "ada's" for a in trace_annotations) and any(a.name == 'tone' and a.label == 'b' for a in trace_annotations)`,
    ],
    [
      'session',
      judge('tone', { kind: 'LLM', identifier: '' }),
      judge('truth'),
      `any(a.name == 'tone' and a.label == 'a' and a.annotator_kind == 'LLM' and a.identifier == '' for a in session_annotations) and any(a.name == 'truth' and a.label == 'b' for a in session_annotations)`,
    ],
  ] as const)('of a %s is in the filter language', (kind, first, second, filter) => {
    expect(pairFilter(kind, first, second, ['a', 'b'])).toBe(filter);
    expect(parseFilter(kind, filter).diagnostics).toEqual([]);
  });
});

describe('an annotator', () => {
  it('is in an address as a key', () => {
    const ada = { kind: 'HUMAN', identifier: 'px-app:1\n:x' } as const;
    expect(readAnnotator(annotatorKey(ada))).toEqual(ada);
    expect(readAnnotator('HUMAN:')).toEqual({ kind: 'HUMAN', identifier: '' });
    expect(readAnnotator('GOD:x')).toBeNull();
    expect(readAnnotator(undefined)).toBeNull();
  });
});
