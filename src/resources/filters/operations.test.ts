import { describe, expect, it } from 'vitest';
import { readFilter, selectsRootsOnly } from './operations.ts';

describe('a filter as clients write it', () => {
  it.each([undefined, null, '', ' \n'])('is none where it says nothing: %j', (text) => {
    expect(readFilter('span', text)).toBeUndefined();
  });

  it('is refused with what is wrong, and where', () => {
    const refusal = { code: 'invalid_argument', message: expect.stringMatching(/^Invalid filter: .*at character \d+/) };
    for (const text of ['name ==', "latency_ms > '5'", 'name', "start_time > '2026-01-01'", `${'('.repeat(1000)}1`])
      expect(() => readFilter('span', text), text).toThrow(expect.objectContaining(refusal));
  });

  it('is told in one message however much is wrong', () => {
    const text = Array.from({ length: 40 }, () => 'name').join(' and ');
    expect(() => readFilter('span', text)).toThrow(/and \d+ more$/);
  });

  it.each([
    ['parent_span is None', true],
    ["parent_id is None and name == 'a'", true],
    ['parent_span is None or parent_id is None', true],
    ["parent_span is None or name == 'a'", false],
    ['parent_span is not None', false],
    ["not (parent_span is not None or name == 'a')", true],
    ["parent_id == 'a'", false],
  ])('selects only roots: %s is %s', (text, expected) => {
    const condition = readFilter('span', text);
    expect(condition && selectsRootsOnly(condition)).toBe(expected);
  });
});
