import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from './parse-filter.ts';
import { MAX_SUGGESTIONS, suggest } from './suggest.ts';
import type { FilterGrain } from './tree.ts';

const OBSERVED = {
  attributePaths: ['llm.model_name', 'input.value', 'metadata.topic', 'user.id', 'a-b'],
  values: new Map([
    ['llm.model_name', ['gpt-4o', 'claude']],
    ['name', ['agent', "it's"]],
    ['span_kind', ['TOOL']],
  ]),
  annotationNames: { span: ['quality', 'reviewed'], trace: ['t1'], session: ['s1'], document: ['relevance'] },
};

const at = (grain: FilterGrain, marked: string) =>
  suggest(grain, marked.replace('|', ''), marked.indexOf('|'), OBSERVED);

describe('what can stand at the cursor', () => {
  it.each<[grain: FilterGrain, marked: string, inserts: string[]]>([
    // Names.
    [
      'span',
      '|',
      ['span_id', 'name', 'parent_span', 'llm.model_name', "attributes['a-b']", "annotations['quality']", 'not'],
    ],
    ['span', 'na|', ['name', 'llm.model_name']],
    ['span', 'llm.|', ['llm.token_count.prompt', 'llm.model_name']],
    ['span', "name == 'a' and mod|", ['llm.model_name']],
    ['span', 'not |', ['span_id', 'not']],
    ['span', 'latency_ms > 1 or (|', ['span_id']],
    ['span', 'an|', ["annotations['quality']", 'any(x. for x in annotations)']],
    ['span', "annotations['quality'].annotator_kind == l|", ["'LLM'"]],
    ['span', "document_annotations['|", ["'relevance'"]],
    ['span', 'any(a.la|', []],
    ['span', 'any(a.la| for a in annotations)', ['a.label']],
    ['trace', 'la|', ['latency_ms']],
    ['session', 'any_|', ['any_input', 'any_output']],
    // Operators.
    ['span', 'name |', ['==', '!=', 'in', 'not in', 'is None', 'is not None']],
    ['span', 'latency_ms |', ['<', '<=', '>', '>=', '==']],
    ['span', 'parent_span |', ['is None', 'is not None']],
    ['span', "'timeout' |", ['in', 'not in']],
    ['span', 'x is |', ['None', 'not None', 'True']],
    ['span', 'name not |', ['in']],
    ['session', 'any_input |', ['in', 'not in']],
    ['span', "annotations['quality'].score |", ['<', '==']],
    ['span', "annotations['quality'] |", ['and', 'or']],
    ['span', "name == 'a' |", ['and', 'or']],
    ['span', "name == 'a' an|", ['and']],
    ['span', "(name == 'a') |", ['and', 'or']],
    ['span', 'any(d.cost > 1 for d in cost_details) |', ['and', 'or']],
    // Values.
    ['span', 'name == |', ["'agent'", `"it's"`]],
    ['span', "name == 'a|", ["'agent'"]],
    ['span', "name == 'ag|ent' and x == 1", ["'agent'"]],
    ['span', 'span_kind == l|', ["'LLM'"]],
    ['span', 'span_kind in |', ["['LLM']", "['TOOL']", '[]']],
    ['span', "span_kind in ['LLM', 'T|", ["'TOOL'"]],
    ['span', "attributes['llm.model_name'] == |", ["'gpt-4o'", "'claude'"]],
    ['span', "'timeout' in |", ['name', 'llm.model_name', 'input.value']],
    ['session', "'timeout' in |", ['first_input', 'any_input']],
    // Keys.
    ['span', "annotations['|", ["'quality'", "'reviewed'"]],
    ['span', "trace_annotations['|']", ["'t1'"]],
    ['span', "annotations['quality'].|", ['score', 'label', 'explanation', 'identifier']],
    ['span', "attributes['llm|", ["'llm.model_name'"]],
    ['span', "metadata['|", ["'topic'"]],
    // Loops.
    ['span', 'any(d.| for d in cost_details)', ['d.token_type', 'd.is_prompt', 'd.cost']],
    ['span', 'any(d.cost > 1 for d in |', ['cost_details']],
    ['span', 'any(d.cost > 1 for d in cost_details if |', ['d.token_type']],
    ['span', 'any(d.is_prompt | for d in cost_details)', ['==', '!=', 'and', 'or']],
    ['trace', 'any(s.span_kind == | for s in spans)', ["'LLM'"]],
    ['trace', 'any(any(c.na| for c in s.children) for s in spans)', ['c.name']],
    ['trace', "any(any(c.name == 'a' for c in |) for s in spans)", ['s.children', 's.siblings']],
    ['trace', "any(s.name == 'a' for s in sp|ans)", ['spans', 'span_annotations', 'span_cost_details']],
    ['trace', 'len(|', ['len([x for x in spans])']],
  ])('%s: %s', (grain, marked, inserts) => {
    const found = at(grain, marked).items.map(({ insert }) => insert);
    expect(found.filter((insert) => inserts.includes(insert))).toEqual(inserts);
  });

  it.each<[marked: string, replaced: string]>([
    ['na|me == 1', 'name'],
    ['llm.|', 'llm.'],
    ["x == 1 and llm.mod|el_name == 'a'", 'llm.model_name'],
    ["name == 'ag|ent' and x == 1", "'agent'"],
    ["name == 'ag|", "'ag"],
    ["annotations['quality'].sc|", 'sc'],
    ['name |', ''],
  ])('%s replaces %j', (marked, replaced) => {
    const { start, end } = at('span', marked);
    expect(marked.replace('|', '').slice(start, end)).toBe(replaced);
  });

  it.each<[marked: string, name: string | null]>([
    ['name == |', 'name'],
    ['context.trace_id == |', 'trace_id'],
    ["llm.model_name in ['a', |", 'llm.model_name'],
    ["attributes['a-b'] == '|", 'a-b'],
    ['llm.token_count.total > |', 'llm.token_count.total'],
    ['any(d.token_type == | for d in cost_details)', null],
    ['name |', null],
  ])('%s wants values of %s', (marked, name) => {
    expect(at('span', marked).valuesOf).toBe(name);
  });
});

it('leaves filters that can be read where whole conditions are chosen', () => {
  for (const { insert, kind } of at('span', "span_kind == 'LLM' and name == |").items.filter(
    (item) => item.kind === 'value',
  )) {
    expect({ kind, ...parseFilter('span', `name == ${insert}`) }).toMatchObject({ diagnostics: [] });
  }
});

it('answers wherever the cursor is, in whatever text', () => {
  const words = fc.constantFrom(
    ...`and or not in is for if None any len spans cost_details name a.b annotations x . , ( ) [ ] == < - 'x' ' " 1`.split(
      ' ',
    ),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('span', 'trace', 'session'),
      fc.array(words, { maxLength: 15 }).map((parts) => parts.join(' ')),
      fc.nat(60),
      (grain, text, place) => {
        const offset = Math.min(place, text.length);
        const { start, end, items } = suggest(grain, text, offset, OBSERVED);
        expect(0 <= start && start <= offset && offset <= end && end <= text.length).toBe(true);
        expect(items.length).toBeLessThanOrEqual(MAX_SUGGESTIONS);
      },
    ),
    { numRuns: 500 },
  );
});
