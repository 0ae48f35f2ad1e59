import { describe, expect, it } from 'vitest';
import { formatFilter } from './format.ts';
import { parseFilter } from './parse-filter.ts';
import type { FilterGrain } from './tree.ts';

/** The filter as it was understood; what is wrong with it where it was not. */
function understood(grain: FilterGrain, text: string): string {
  const { condition, diagnostics } = parseFilter(grain, text);
  return condition === null ? JSON.stringify(diagnostics) : formatFilter(grain, condition);
}

describe('of spans', () => {
  it.each([
    // What is written as it is understood.
    [`span_kind == 'LLM' and 'timeout' in output.value`],
    [`llm.token_count.total > 1000 and llm.model_name == 'gpt-4o'`],
    [`metadata.topic == 'programming'`],
    [`float(metadata.retries) > 1`],
    [`'abc' in str(metadata.k)`],
    [`annotations['correctness'].label == 'incorrect' and annotations['correctness'].score < 0.5`],
    [`annotations['reviewed']`],
    [`not annotations['reviewed']`],
    [`annotations['quality'].identifier == 'reviewer-1'`],
    [`trace_annotations['quality'].score >= 0.8`],
    [`parent_span is None`],
    [`parent_id is None`],
    [`total_cost > 0.05 and span_kind == 'LLM'`],
    [`any(d.token_type == 'cache_read' and d.tokens > 0 for d in cost_details)`],
    [`all(d.cost > 0 for d in cost_details)`],
    [`max(d.cost for d in cost_details) > 1 or len([d for d in cost_details]) == 0`],
    [`(a == 1 or b == 2) and c == 3`],
    [`a == 1 or b == 2 and c == 3`],
    [`(a + b) * c - (d - e) / -f % 2 > 0`],
    [`True or False`],
    // Other spellings.
    [
      `status_code == 'error' and start_time >= '2026-07-01T00:00:00Z'`,
      `status_code == 'ERROR' and start_time >= '2026-07-01T00:00:00+00:00'`,
    ],
    [`start_time < '2026-07-01 02:00+02:00'`, `start_time < '2026-07-01T00:00:00+00:00'`],
    [`attributes['tag']['tags'][0] == "prod"`, `attributes['tag.tags.0'] == 'prod'`],
    [`tag.tags.0 == 'prod'`, `attributes['tag.tags.0'] == 'prod'`],
    [`attributes['llm.model_name'] == 'x'`, `llm.model_name == 'x'`],
    [`attributes['llm']['model_name'] == 'x'`, `llm.model_name == 'x'`],
    [`attributes[['llm', 'model_name']] == 'x'`, `llm.model_name == 'x'`],
    [`attributes.llm.model_name == 'x'`, `llm.model_name == 'x'`],
    [`attributes['name'] == 'x'`, `attributes['name'] == 'x'`],
    [`attributes['a-b'] == 'x'`, `attributes['a-b'] == 'x'`],
    [`metadata['a.b'] == 'x'`, `metadata.a.b == 'x'`],
    [`context.span_id == 'a' and context.trace_id == 'b'`, `span_id == 'a' and trace_id == 'b'`],
    [`cumulative_token_count.total > 5`, `cumulative_llm_token_count_total > 5`],
    [`evals['a'].score > 1`, `annotations['a'].score > 1`],
    [`0.5 < latency_ms < 1000`, `0.5 < latency_ms and latency_ms < 1000`],
    [`a == 1 and (b == 2 and c == 3)`, `a == 1 and b == 2 and c == 3`],
    [`span_kind in ('llm', 'Tool',)`, `span_kind in ['LLM', 'TOOL']`],
    [`span_kind not in {'llm'}`, `span_kind not in ['LLM']`],
    [`name in []`, `name in []`],
    [`a in [1, -2.5, +3]`, `a in [1, -2.5, 3]`],
    [`flag is True and other == False`, `flag == True and other == False`],
    [`a == None or b != None`, `a is None or b is not None`],
    [`any(d.is_prompt for d in cost_details)`, `any(d.is_prompt == True for d in cost_details)`],
    [`any([d.cost > 1 for d in cost_details])`, `any(d.cost > 1 for d in cost_details)`],
    [
      `any(d.cost > 1 for d in cost_details if d.tokens > 1 if d.is_prompt)`,
      `any(d.cost > 1 for d in cost_details if d.tokens > 1 and d.is_prompt == True)`,
    ],
    [`int(a) > 1 and float(latency_ms) > 1 and str(name) == 'x'`, `float(a) > 1 and latency_ms > 1 and name == 'x'`],
    [
      `float('-12.5') < latency_ms and int('1e3') > a and float('12345678901234567890') == b`,
      `-12.5 < latency_ms and 1000 > a and 12345678901234567890 == b`,
    ],
    [`+a > 1 and +latency_ms > 1`, `float(a) > 1 and latency_ms > 1`],
    [
      `a == 1_000 and b == 0x1F and c == .5 and d == 5. and e == 1E3`,
      `a == 1000 and b == 31 and c == 0.5 and d == 5.0 and e == 1E3`,
    ],
    [`a == 12345678901234567890`, `a == 12345678901234567890`],
    [`a == 'it\\'s' and b == "q\\x41\\u00e9\\n" and c == r'\\d'`, `a == "it's" and b == 'qAé\\n' and c == '\\\\d'`],
    [`\n  name\t== 'x'  \n`, `name == 'x'`],
    [`name == '''a 'quoted' text'''`, `name == "a 'quoted' text"`],
    // Texts with a prefix, without a space before them, and over the end of a line.
    [`name in r'salt and pepper'`, `name in 'salt and pepper'`],
    [`u'salt and pepper' in input.value`, `'salt and pepper' in input.value`],
    [`name in'salt and pepper'`, `name in 'salt and pepper'`],
    [`not'salt and pepper' in name`, `'salt and pepper' not in name`],
    [`'5" and \\\n6' in name`, `'5" and 6' in name`],
    [`"the dogs' and \\\ncats" in input.value`, `"the dogs' and cats" in input.value`],
    // Negations are carried to what they negate.
    [`not a == 1`, `a != 1`],
    [`not (a == 1 and b in ['x'] or not c is None)`, `(a != 1 or b not in ['x']) and c is None`],
    [`not 1 < a <= 2`, `1 >= a or a > 2`],
    [`not 'x' in name`, `'x' not in name`],
    [`not not True`, `True`],
    [`not parent_span is None`, `parent_span is not None`],
    [`not any(not d.cost > 1 for d in cost_details)`, `not any(d.cost <= 1 for d in cost_details)`],
    [`not (not all(d.cost > 1 for d in cost_details))`, `all(d.cost > 1 for d in cost_details)`],
  ])('%s', (text, meaning = text) => {
    expect(understood('span', text)).toBe(meaning);
  });
});

describe('of traces', () => {
  it.each([
    [`error_count > 0 and any(span.span_kind == 'LLM' for span in spans)`],
    [`any(any(child.status_code == 'ERROR' for child in span.children) for span in spans)`],
    [`any(span.parent_span.span_kind == 'LLM' and span.span_kind == 'TOOL' for span in spans)`],
    [`any(s.parent_span is None and s.latency_ms > 5 for s in spans)`],
    [
      `sum(d.cost for d in span_cost_details if d.is_prompt) > 0.10`,
      `sum(d.cost for d in span_cost_details if d.is_prompt == True) > 0.10`,
    ],
    [`len([s for s in spans if s.name == 'search']) > 3`],
    [
      `max(s.end_time for s in spans) < '2026-07-01T00:00:00Z'`,
      `max(s.end_time for s in spans) < '2026-07-01T00:00:00+00:00'`,
    ],
    [`any(any(c.latency_ms > s.latency_ms for c in s.siblings) for s in spans)`],
    [`trace_annotations['quality'].label == 'good'`],
    [`any(a.name == 'quality' and a.identifier == '' for a in trace_annotations)`],
    [`user.id == 'u1' and metadata['k'] == 'v'`, `user.id == 'u1' and attributes['metadata.k'] == 'v'`],
    [
      `attributes['llm.model_name'] == 'x' and attributes['llm']['model_name'] == 'x'`,
      `attributes['llm.model_name'] == 'x' and attributes['llm.model_name'] == 'x'`,
    ],
    [`'refund' in input and output is not None`],
    [`r'terms and conditions' in input`, `'terms and conditions' in input`],
    [`input in u'yes or no'`, `input in 'yes or no'`],
  ])('%s', (text, meaning = text) => {
    expect(understood('trace', text)).toBe(meaning);
  });
});

describe('of sessions', () => {
  it.each([
    [`num_traces > 5 and total_cost > 0.5`],
    [`num_traces_with_error / num_traces > 0.2`],
    [`last_output is not None`],
    [`any(len([s for s in trace.spans if s.span_kind == 'TOOL']) > 5 for trace in traces)`],
    [`session_annotations['quality'].score > 0.5`],
    [`'refund' in any_input`, `any('refund' in root.input for root in root_spans)`],
    [`'refund' not in any_output`, `not any('refund' in root.output for root in root_spans)`],
  ])('%s', (text, meaning = text) => {
    expect(understood('session', text)).toBe(meaning);
  });
});

it.each(['', '   ', '\n\t'])('%j filters nothing', (text) => {
  expect(parseFilter('span', text)).toEqual({ condition: null, diagnostics: [] });
});

describe('as what is compared', () => {
  it.each([
    [`a == '1'`, 'text'],
    [`a == 1`, 'number'],
    [`a == True`, 'boolean'],
    [`a == b`, 'same'],
    [`a < b`, 'number'],
    [`a < 'x'`, 'text'],
    [`a == name`, 'text'],
    [`a == latency_ms`, 'number'],
    [`start_time == end_time`, 'date'],
    [`llm.token_count.total == attributes['x']`, 'number'],
    [`attributes['llm']['token_count']['total'] < x`, 'number'],
  ])('%s: %s', (text, as) => {
    expect(parseFilter('span', text).condition).toMatchObject({ kind: 'compare', as });
  });
});
