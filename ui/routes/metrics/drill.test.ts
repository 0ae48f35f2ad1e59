import { expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import { CHARTS } from './chart-specs.ts';
import { rowsBehind } from './drill.ts';

const ERROR = { span: "status_code == 'ERROR'", trace: 'error_count > 0' };

it('keeps the status of what was pressed, in the language of the table', () => {
  expect(rowsBehind('traces', null, ERROR, 3)).toEqual({ table: 'traces', filter: 'error_count > 0' });
  expect(rowsBehind('spans', "span_kind == 'LLM'", ERROR, 3)).toEqual({
    table: 'spans',
    filter: "span_kind == 'LLM' and status_code == 'ERROR'",
  });
});

it('lists spans where the page has a filter, which is one of spans', () => {
  expect(rowsBehind('traces', "name == 'a' or name == 'b'", ERROR, 3)).toEqual({
    table: 'spans',
    filter: "(name == 'a' or name == 'b') and status_code == 'ERROR'",
  });
});

it('lists traces that are no faster than a percentile', () => {
  const { filter } = rowsBehind('traces', null, { traceFrom: 'latency_ms' }, 12.34567);
  expect(filter).toBe('latency_ms >= 12.345');
  expect(rowsBehind('traces', null, { traceFrom: 'latency_ms' }, null).filter).toBeNull();
});

it('lists everything of a bucket where no series was pressed', () => {
  expect(rowsBehind('traces', null, undefined, undefined)).toEqual({ table: 'traces', filter: null });
});

it('has conditions for every series, and all of them are understood', () => {
  for (const { grain, title, series } of CHARTS) {
    for (const { label, drill } of series) {
      const { table, filter } = rowsBehind(grain, null, drill, 1);
      expect(filter, `${title}: ${label}`).not.toBeNull();
      expect(parseFilter(table === 'spans' ? 'span' : 'trace', filter ?? '').diagnostics).toEqual([]);
    }
  }
});
