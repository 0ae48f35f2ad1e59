/** How much is read of a store of many segments for a filter of sets: counted, since time says little on a busy machine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annotationsAsSets } from '#filter/annotation-sets';
import type { Condition } from '#filter/tree';
import { type ColumnStore, openColumnStore } from '../columns/columns.fixture.ts';
import { MAX_BATCH_ROWS } from '../columns/batch.ts';
import { readBatches } from '../columns/read-batches.ts';
import { type CountedHandle, countStatements } from '../sets/count-statements.fixture.ts';
import { PINNED, PINNED_SETS, Pins } from '../sets/pins.fixture.ts';
import { SetReader } from '../sets/set-reader.ts';
import { rowScreenOf } from './row-screen.ts';

const SEGMENTS = 40;
const ROWS_OF_SEGMENT = 64;
const SPANS_OF_TRACE = 8;

let store: ColumnStore;
let counted: CountedHandle;

/** Row ids of spans. */
const all = Array.from({ length: SEGMENTS }, (_, segment) =>
  Array.from({ length: ROWS_OF_SEGMENT }, (_row, place) => 1 + segment * MAX_BATCH_ROWS + place * 3),
);

beforeAll(async () => {
  store = await openColumnStore();
  const rows = all.flat().map((id, place) => ({ id, trace_row_id: Math.floor(place / SPANS_OF_TRACE) + 1 }));
  await store.insert(rows);
  await store.setNextRowId(SEGMENTS * MAX_BATCH_ROWS + 1);
  await store.build();
  counted = countStatements(store.scope.db);
  const pins = await Pins.create({ db: store.scope.db, exec: store.exec });
  await pins.add('span', 'rare', [at(3, 5), at(17, 0), at(39, 63), 900_000]);
  await pins.add('trace', 'rare', [2, 100]);
  await pins.add('span', 'of two segments', [...segment(7), ...segment(30), ...segment(7).map((id) => id + 1)]);
  await pins.add(
    'span',
    'of a full segment',
    Array.from({ length: MAX_BATCH_ROWS }, (_, place) => 12 * MAX_BATCH_ROWS + place),
  );
});

afterAll(() => store.close());

function segment(place: number): readonly number[] {
  return all[place] ?? [];
}

function at(place: number, row: number): number {
  return segment(place)[row] ?? Number.NaN;
}

/** What is read for a filter: the rows that come, of which others may be. */
async function read(condition: Condition, which: { readonly endRowId?: number; readonly endTimeUs?: number } = {}) {
  const scope = { db: counted.db, dialect: store.scope.dialect, sets: PINNED_SETS };
  const rows = rowScreenOf(scope, condition, new SetReader(scope));
  const rowIds: number[] = [];
  let batchCount = 0;
  counted.take();
  const options = { columns: ['kind'], attributes: [], order: 'start desc', rows } as const;
  for await (const { batch } of readBatches(scope, { projectRowId: 1, ...which }, options)) {
    if (batch.rowCount > 0) batchCount++;
    rowIds.push(...batch.rowIds);
  }
  return { rowIds: rowIds.sort((a, b) => a - b), batchCount, ...counted.take() };
}

const LATENCY: Condition = {
  kind: 'compare',
  operator: '>',
  left: { kind: 'field', name: 'latency_ms', of: null, isOfParent: false },
  right: { kind: 'literal', type: 'number', value: 1, text: '1' },
  as: 'number',
};
const rare = PINNED.span.leaf({ label: 'rare' });

describe('a filter of sets reads', () => {
  it('everything where no set rules anything out', async () => {
    const { rowIds, batchCount, statementCount } = await read({ kind: 'or', operands: [rare, LATENCY] });
    expect(rowIds).toEqual(all.flat());
    expect(batchCount).toBe(SEGMENTS);
    expect(statementCount).toBeGreaterThan(10);
  });

  it.each<[string, Condition]>([
    ['a rare set', rare],
    ['a rare set and anything else', { kind: 'and', operands: [LATENCY, rare] }],
    ['a rare set or none', { kind: 'or', operands: [rare, PINNED.trace.leaf({ label: 'none' })] }],
  ])('the rows of %s, by their ids', async (_what, condition) => {
    const { rowIds, batchCount, statementCount } = await read(condition);
    expect(rowIds).toEqual([at(3, 5), at(17, 0), at(39, 63)]);
    expect(batchCount).toBe(1);
    // Unlisted traces, the next row id, changes, heads, one or two sets, when the rows start, and the rows.
    expect(statementCount).toBeLessThanOrEqual(9);
  });

  it('the spans of the traces of a rare set', async () => {
    const { rowIds, batchCount, statementCount } = await read(PINNED.trace.leaf({ label: 'rare' }));
    const spansOf = (trace: number) => all.flat().slice((trace - 1) * SPANS_OF_TRACE, trace * SPANS_OF_TRACE);
    expect(rowIds).toEqual([...spansOf(2), ...spansOf(100)]);
    expect(batchCount).toBe(1);
    expect(statementCount).toBeLessThanOrEqual(9);
  });

  it('those of the bounds alone', async () => {
    expect((await read(rare, { endRowId: at(17, 0) })).rowIds).toEqual([at(3, 5)]);
    const startUs = 1_767_225_600_000_000 + at(17, 0);
    expect((await read(rare, { endTimeUs: startUs + 1 })).rowIds).toEqual([at(3, 5), at(17, 0)]);
  });

  it('the segments that hold members of a larger set', async () => {
    const { rowIds, batchCount, statementCount } = await read(PINNED.span.leaf({ label: 'of two segments' }));
    expect(rowIds).toEqual([...segment(7), ...segment(30)]);
    expect(batchCount).toBe(2);
    // Beside those of any question, the attempt to list it, the rest of its members, and the columns of two segments.
    expect(statementCount).toBeLessThanOrEqual(9);
  });

  it('no segment all of whose row ids are in a set that spans must not be in', async () => {
    const { rowIds, batchCount } = await read({ ...PINNED.span.leaf({ label: 'of a full segment' }), isNegated: true });
    expect(rowIds).toEqual(all.filter((_ids, place) => place !== 12).flat());
    expect(batchCount).toBe(SEGMENTS - 1);
  });

  it('nothing for annotations that no span has, and everything without them', async () => {
    const annotated = { kind: 'annotated', isNegated: false, annotation: { target: 'span', name: 'quality' } } as const;
    const { rowIds, statementCount } = await read(annotationsAsSets(annotated));
    expect(rowIds).toEqual([]);
    expect(statementCount).toBeLessThanOrEqual(6);
    expect((await read(annotationsAsSets({ ...annotated, isNegated: true }))).rowIds).toEqual(all.flat());
  });

  it('nothing of an empty set', async () => {
    const { rowIds, statementCount } = await read(PINNED.span.leaf({ label: 'none' }));
    expect(rowIds).toEqual([]);
    expect(statementCount).toBeLessThanOrEqual(6);
  });
});
