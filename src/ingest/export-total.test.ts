import { expect, it } from 'vitest';
import { MAX_TOUCHED_TRACES } from '#store/engine/touched-project';
import { ExportTotal } from './export-total.ts';
import type { ExportResult } from '#store/writer/port';

const NOTHING: ExportResult = { stored: 0, replaced: 0, duplicate: 0, dropped: 0, rejected: [], touched: [], hint: '' };

it('adds up what became of spans, and keeps every reason', () => {
  const total = new ExportTotal();
  total.add({ ...NOTHING, stored: 3, replaced: 1, rejected: [{ reason: 'malformed', message: 'the first' }] });
  total.add({
    ...NOTHING,
    stored: 2,
    duplicate: 4,
    rejected: [
      { reason: 'malformed', message: 'another' },
      { reason: 'unstorable', message: 'why' },
    ],
  });
  expect(total.result).toEqual({
    ...NOTHING,
    stored: 5,
    replaced: 1,
    duplicate: 4,
    rejected: [
      { reason: 'malformed', message: 'the first' },
      { reason: 'malformed', message: 'the first' },
      { reason: 'unstorable', message: 'why' },
    ],
  });
});

it('names each touched trace once, and none of a project in which too many were touched', () => {
  const total = new ExportTotal();
  const many = Array.from({ length: MAX_TOUCHED_TRACES }, (_, index) => `trace ${index}`);
  let moment = 0;
  const touch = (projectRowId: number, traceIds: readonly string[] | null) =>
    total.add({ ...NOTHING, touched: [{ projectRowId, traceIds, changedAtUs: ++moment }] });
  touch(1, ['a', 'b']);
  touch(1, ['b', 'c']);
  touch(2, many);
  touch(2, many);
  touch(3, many);
  touch(3, ['one more']);
  touch(4, null);
  touch(4, ['a']);
  expect(total.result.touched).toEqual([
    { projectRowId: 1, traceIds: ['a', 'b', 'c'], changedAtUs: 2 },
    { projectRowId: 2, traceIds: many, changedAtUs: 4 },
    { projectRowId: 3, traceIds: null, changedAtUs: 6 },
    { projectRowId: 4, traceIds: null, changedAtUs: 8 },
  ]);
});
