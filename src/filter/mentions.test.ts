import { expect, it } from 'vitest';
import { mentionsOf } from './mentions.ts';
import { parseFilter } from './parse-filter.ts';

it('names what must be read before a condition can be decided', () => {
  const text = `name == 'a' and (float(metadata.x) + latency_ms > 1 or 'b' in llm.model_name) and parent_span is None
    and annotations['q'].score > 1 and not annotations['q'] and trace_annotations['q']
    and sum(d.cost for d in cost_details if d.tokens > 1) < -total_cost and start_time is not None and a.b in ['x']`;
  const { condition } = parseFilter('span', text);
  expect(condition && mentionsOf(condition)).toEqual({
    fields: new Set(['name', 'latency_ms', 'total_cost', 'start_time']),
    attributes: new Set(['metadata.x', 'llm.model_name', 'a.b']),
    collections: new Set(['cost_details']),
    annotations: [
      { target: 'span', name: 'q' },
      { target: 'trace', name: 'q' },
    ],
    sets: [],
    asksForParent: true,
  });
});

it('names the sets that the row and elements are asked to be in', () => {
  const sets = ['a', 'b', 'c'].map((name) => ({ name, subject: 'span', parameters: {} }) as const);
  const [a, b, c] = sets.map((set) => ({ kind: 'inSet', isNegated: false, set, of: 's' }) as const);
  if (a === undefined || b === undefined || c === undefined) throw new Error('three sets');
  const over = { collection: 'spans', of: null, variable: 's', where: c } as const;
  const all = { kind: 'quantifier', isNegated: false, quantifier: 'any', over, test: b } as const;
  expect(mentionsOf({ kind: 'and', operands: [{ ...a, of: null }, all] }).sets).toEqual([sets[0], sets[2], sets[1]]);
});
