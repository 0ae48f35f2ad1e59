import { describe, expect, it } from 'vitest';
import { JsonNumber, parseJson } from '#base/json';
import { evaluate } from './evaluate.ts';
import { parseFilter } from './parse-filter.ts';
import { type PlainRow, plainSubject } from './plain-subject.fixture.ts';
import type { Condition, FilterGrain } from './tree.ts';

function holds(grain: FilterGrain, text: string, row: PlainRow): boolean {
  const { condition, diagnostics } = parseFilter(grain, text);
  if (condition === null) throw new Error(JSON.stringify(diagnostics));
  return evaluate(condition, plainSubject(row));
}

/** Both that it holds and that its negation does not: nothing that is compared is missing. */
function decides(text: string, row: PlainRow): boolean {
  const result = holds('span', text, row);
  expect(holds('span', `not (${text})`, row)).toBe(!result);
  return result;
}

const ATTRIBUTES = parseJson(`{
  "text": "Straße der ΟΔΟΣ", "number": 12, "float": 1.0, "digits": " 12.5 ", "word": "12 apples", "yes": true, "one": 1,
  "trueText": "true", "null": null, "list": ["prod", "eu"], "lists": [[1, 2]], "objects": [{"a": 5}], "object": {"k": 1},
  "wide": 12345678901234567890, "nan": "NaN", "huge": 1e400, "zero": 0, "dotted.key": "d", "nested": {"dotted.key": {"x": 1}},
  "hex": "0x10", "empty": ""
}`) as Record<string, never>;

describe('attributes', () => {
  it.each([
    // As numbers.
    [`number == 12`, true],
    [`number != 12`, false],
    [`digits == 12.5`, true],
    [`digits > 12 and digits < 13`, true],
    [`float == 1`, true],
    [`wide == 12345678901234567890`, true],
    [`wide == 12345678901234567891`, false],
    [`wide > 12345678901234567889`, true],
    [`wide in [12345678901234567890]`, true],
    [`wide in [12345678901234567891]`, false],
    [`number in [1, 12.0]`, true],
    [`digits in [12.5]`, true],
    // As texts.
    [`number == '12'`, true],
    [`float == '1.0'`, true],
    [`yes == 'true'`, true],
    [`text != 'straße der οδος'`, true],
    [`'STRASSE' in text`, true],
    [`'οδος' in text`, true],
    [`'%' in text`, false],
    [`'' in text`, true],
    [`'prod' in list`, true],
    [`list == '["prod","eu"]'`, true],
    [`'12' in number`, true],
    [`number in ['12', 'x']`, true],
    [`text < 'T'`, true],
    [`empty == ''`, true],
    // As truth values.
    [`yes == True`, true],
    [`trueText is True`, true],
    [`one == True`, true],
    [`zero == False`, true],
    [`zero != True`, true],
    [`yes in [True]`, true],
    // Of each other.
    [`float == one`, true],
    [`one == trueText`, false],
    [`number == number`, true],
    [`number > digits`, false],
    // Where they lie.
    [`list.0 == 'prod'`, true],
    [`attributes['list'][1] == 'eu'`, true],
    [`lists.0.1 == 2`, true],
    [`objects.0.a == 5`, true],
    [`dotted.key == 'd'`, true],
    [`attributes['dotted.key'] == 'd'`, true],
    [`nested.dotted.key.x == 1`, true],
    // Calculations.
    [`number / 5 == 2.4`, true],
    [`-number % 5 == -2`, true],
    [`(number + 8) * 2 - 1 == 39`, true],
    // Missing or not.
    [`null is None`, true],
    [`missing is None`, true],
    [`empty is None`, false],
    [`list.7 is None`, true],
    [`number / zero is None`, true],
    [`float(word) is None`, true],
  ])('%s: %s', (text, expected) => {
    expect(decides(text, { attributes: ATTRIBUTES })).toBe(expected);
  });

  it.each([
    'missing == 1',
    "missing == 'a'",
    "missing in ['a']",
    'missing in []',
    "'a' in missing",
    'missing == True',
    'null == 1',
    'missing == other',
    'word == 12',
    'hex == 16',
    'empty == 0',
    'nan == 0',
    'huge > 0',
    'yes == 1',
    'list == 1',
    'object > 0',
    'word == True',
    'number == True',
    'number / zero > 0',
    'number % zero == 0',
    'list == object',
    '-missing < 0',
  ])('what is missing decides nothing, nor does its negation: %s', (text) => {
    expect(holds('span', text, { attributes: ATTRIBUTES })).toBe(false);
    expect(holds('span', `not (${text})`, { attributes: ATTRIBUTES })).toBe(false);
  });
});

describe('fields', () => {
  const row = { fields: { name: 'a', latency_ms: 5, start_time: 1_782_864_000_000_000, span_kind: 'LLM' }, parent: {} };

  it.each([
    [`start_time == '2026-07-01T00:00:00Z'`, true],
    [`start_time in ['2026-07-01T02:00:00+02:00']`, true],
    [`start_time > '2026-07-01T00:00:00.000001Z'`, false],
    [`4 < latency_ms <= 5`, true],
    [`span_kind == 'llm'`, true],
    [`span_kind in ['tool', 'llm']`, true],
    [`parent_span is None`, false],
    [`parent_id is None`, true],
    [`name not in []`, true],
    [`True`, true],
  ])('%s: %s', (text, expected) => {
    expect(decides(text, row)).toBe(expected);
  });
});

describe('annotations', () => {
  const row: PlainRow = {
    annotations: {
      'span quality': [
        { score: 0.9, label: 'good', identifier: 'r1' },
        { score: 0.1, label: 'bad' },
      ],
      'span other': [{ score: 0.5 }, { score: 0.1 }],
      'trace quality': [{ label: 'fine' }],
    },
  };

  it.each([
    [`annotations['quality']`, true],
    [`not annotations['quality']`, false],
    [`not annotations['none']`, true],
    [`annotations['quality'].score > 0.5 and annotations['quality'].label == 'good'`, true],
    [`annotations['quality'].score > 0.5 and annotations['quality'].label == 'bad'`, false],
    [`annotations['quality'].score > 0.5 or annotations['quality'].label == 'bad'`, true],
    [`not annotations['quality'].label == 'good'`, true],
    [`not annotations['none'].label == 'good'`, false],
    [`annotations['none'].label is None`, true],
    [`annotations['quality'].explanation is None`, true],
    [`annotations['quality'].identifier == ''`, true],
    [`trace_annotations['quality'].label == 'fine' and annotations['quality'].label == 'bad'`, true],
    [`annotations['quality'].score == annotations['other'].score`, true],
    [`annotations['quality'].score == annotations['other'].score and annotations['quality'].label == 'good'`, false],
    [
      `(annotations['quality'].label == 'good' or annotations['other'].score > 1) and annotations['quality'].score < 0.5`,
      false,
    ],
    [`parent_span is None and annotations['quality'].label == 'good'`, true],
  ])('%s: %s', (text, expected) => {
    expect(holds('span', text, row)).toBe(expected);
  });

  it('decides many names with many annotations, where they are independent', () => {
    const names = Array.from({ length: 16 }, (_, index) => `n${index}`);
    const scores = Array.from({ length: 200 }, (_, score) => ({ score }));
    const many = { annotations: Object.fromEntries(names.map((name) => [`span ${name}`, scores])) };
    const text = names.map((name) => `annotations['${name}'].score == 199`).join(' and ');
    expect(holds('span', text, many)).toBe(true);
    expect(holds('span', `${text} and annotations['n0'].score == 1`, many)).toBe(false);
  });
});

describe('collections', () => {
  const cost = (token_type: string, is_prompt: boolean, cost: number | null) => ({
    fields: { token_type, is_prompt, cost, tokens: 10 },
  });
  const row: PlainRow = {
    collections: {
      cost_details: [cost('input', true, 0.5), cost('cache_read', true, 0.25), cost('output', false, null)],
    },
  };

  it.each([
    [`any(d.token_type == 'cache_read' and d.tokens > 0 for d in cost_details)`, true, false],
    [`all(d.tokens == 10 for d in cost_details)`, true, true],
    [`all(d.cost > 0 for d in cost_details)`, false, true],
    [`all(d.cost > 0 for d in cost_details if d.is_prompt)`, true, true],
    [`not any(d.cost > 1 for d in cost_details)`, true, true],
    [`sum(d.cost for d in cost_details) == 0.75`, true, false],
    [`sum(d.cost for d in cost_details) == 0`, false, true],
    [`max(d.cost for d in cost_details) == 0.5`, true, false],
    [`min(d.cost for d in cost_details) is None`, false, true],
    [`len([d for d in cost_details if d.cost is None]) == 1`, true, false],
    [`len([d for d in cost_details]) == 0`, false, true],
  ])('%s: %s, of none %s', (text, expected, ofNone) => {
    expect(holds('span', text, row)).toBe(expected);
    expect(holds('span', text, {})).toBe(ofNone);
  });

  it('reaches elements of elements, and parents', () => {
    const tool = { fields: { span_kind: 'TOOL', latency_ms: 7 }, parent: { span_kind: 'LLM' } };
    const llm = { fields: { span_kind: 'LLM', latency_ms: 9 }, collections: { children: [tool] } };
    const trace = { collections: { spans: [llm, tool] } };
    const isSo = (text: string) => holds('trace', text, trace);
    expect(isSo(`any(any(c.latency_ms < s.latency_ms for c in s.children) for s in spans)`)).toBe(true);
    expect(isSo(`any(any(c.latency_ms > s.latency_ms for c in s.children) for s in spans)`)).toBe(false);
    expect(isSo(`any(s.parent_span.span_kind == 'LLM' and s.span_kind == 'TOOL' for s in spans)`)).toBe(true);
    expect(isSo(`any(s.parent_span is None and s.span_kind == 'TOOL' for s in spans)`)).toBe(false);
    expect(isSo(`max(len([c for c in s.children]) for s in spans) == 1`)).toBe(true);
  });

  it('looks for a text in the input of any root span of a session', () => {
    const session = {
      collections: { root_spans: [{ fields: { input: 'Hello' } }, { fields: { input: 'a REFUND' } }] },
    };
    expect(holds('session', `'refund' in any_input`, session)).toBe(true);
    expect(holds('session', `'refund' not in any_input`, session)).toBe(false);
    expect(holds('session', `'refund' in any_output`, session)).toBe(false);
    expect(holds('session', `'refund' not in any_output`, session)).toBe(true);
  });
});

describe('exact comparisons, which only programs make', () => {
  const equals = (value: unknown, literal: Condition & { kind: 'compare' }) =>
    evaluate(literal, plainSubject({ attributes: { a: value as never } }));
  const exact = (right: (Condition & { kind: 'compare' })['right']): Condition & { kind: 'compare' } => ({
    kind: 'compare',
    operator: '==',
    left: { kind: 'attribute', path: 'a', of: null },
    right,
    as: 'exact',
  });
  const number = (text: string) => exact({ kind: 'literal', type: 'number', value: Number(text), text });

  it('compare the type too, where an integer equals a float of its value', () => {
    expect(equals(1, number('1'))).toBe(true);
    expect(equals(new JsonNumber('1.0'), number('1'))).toBe(true);
    expect(equals(new JsonNumber('1.0'), number('1.0'))).toBe(true);
    expect(equals(1, number('1.0'))).toBe(false);
    expect(equals('1', number('1'))).toBe(false);
    expect(equals('true', exact({ kind: 'literal', type: 'boolean', value: true }))).toBe(false);
    expect(equals(true, exact({ kind: 'literal', type: 'boolean', value: true }))).toBe(true);
    expect(equals('x', exact({ kind: 'literal', type: 'text', value: 'x' }))).toBe(true);
    expect(equals(['x'], exact({ kind: 'literal', type: 'text', value: '["x"]' }))).toBe(false);
  });
});
