import { expect, it } from 'vitest';
import { NOTHING_SELECTED, selectAll, toggleRow } from '#ui/components/data-table/selection.ts';
import { toBulkInput, upTo } from './bulk-input.ts';

const scope = {
  projectId: 'P',
  grain: 'trace',
  timeRange: { start: '2026-01-01T00:00:00Z' },
  filter: 'error_count > 0',
  refresh: '',
} as const;

it('names selected rows by their ids', () => {
  const two = toggleRow(toggleRow(NOTHING_SELECTED, 'a'), 'b');
  expect(toBulkInput({ ...scope, grain: 'span' }, two)).toEqual({ projectId: 'P', rows: 'SPANS', ids: ['a', 'b'] });
});

it('describes everything by time and filter, without the rows that were taken out', () => {
  expect(toBulkInput(scope, toggleRow(selectAll(), 'a'))).toEqual({
    projectId: 'P',
    rows: 'TRACES',
    matching: { timeRange: scope.timeRange, filterCondition: 'error_count > 0', exceptIds: ['a'] },
  });
});

it('ends an open time range now, and no other', () => {
  const nowMs = Date.parse('2026-02-01T00:00:00Z');
  expect(upTo(scope, nowMs).timeRange).toEqual({ start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00.000Z' });
  const ended = { ...scope, timeRange: { end: '2026-01-02T00:00:00Z' } };
  expect(upTo(ended, nowMs).timeRange).toEqual(ended.timeRange);
});
