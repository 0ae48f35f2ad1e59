import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditions } from './conditions.fixture.ts';
import { formatFilter } from './format.ts';
import { parseFilter } from './parse-filter.ts';
import type { Condition } from './tree.ts';

describe('formatFilter', () => {
  it.each(['span', 'trace', 'session'] as const)('writes what is read back as the same: %s', (grain) => {
    fc.assert(
      fc.property(conditions(grain), (condition) => {
        const text = formatFilter(grain, condition);
        const { condition: read, diagnostics } = parseFilter(grain, text);
        expect(parseFilter(grain, `not (not (${text}))`).condition).toEqual(condition);
        expect({ text, read, errors: diagnostics.filter(({ severity }) => severity === 'error') }).toEqual({
          text,
          read: condition,
          errors: [],
        });
      }),
      { numRuns: 150 },
    );
  });

  it('writes what programs make: nothing joined, and exact comparisons', () => {
    const exact: Condition = {
      kind: 'compare',
      operator: '==',
      left: { kind: 'attribute', path: 'a', of: null },
      right: { kind: 'literal', type: 'number', value: 1, text: '1' },
      as: 'exact',
    };
    expect(formatFilter('span', { kind: 'and', operands: [] })).toBe('True');
    expect(formatFilter('span', { kind: 'or', operands: [] })).toBe('False');
    expect(formatFilter('span', { kind: 'and', operands: [{ kind: 'or', operands: [exact, exact] }] })).toBe(
      'a == 1 or a == 1',
    );
  });
});
