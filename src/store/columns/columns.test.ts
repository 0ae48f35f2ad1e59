import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { runsOf } from '../../../test/harness/test-engine.ts';
import { MAX_BATCH_ROWS } from './batch.ts';
import { type ColumnStore, openColumnStore, type TestRow } from './columns.fixture.ts';
import { readBatches } from './read-batches.ts';

const PROJECT = { projectRowId: 1 };
let store: ColumnStore;

beforeEach(async () => {
  store = await openColumnStore();
});

/** The same rows, read without segments. */
async function expectSameAsRows(attributes: readonly string[] = [], scope = {}): Promise<void> {
  const which = { ...PROJECT, ...scope };
  const { rows } = await store.read(which, { attributes });
  const heads = await store.rows('SELECT segment, format FROM span_segments');
  await store.exec("UPDATE span_segments SET format = 'unreadable'");
  const { rows: expected } = await store.read(which, { attributes });
  for (const { segment, format } of heads) {
    await store.exec(sql`UPDATE span_segments SET format = ${format} WHERE segment = ${segment}`);
  }
  expect(new Map([...rows].sort(([a], [b]) => a - b))).toEqual(expected);
}

/** Rows of a segment of their own. */
const segmentOf = (segment: number, rows: readonly Omit<TestRow, 'id'>[]): TestRow[] =>
  rows.map((row, place) => ({ ...row, id: segment * MAX_BATCH_ROWS + 1 + place }));

const seal = async (segments: number) => {
  await store.setNextRowId(segments * MAX_BATCH_ROWS);
  await store.build();
};

describe('batches of segments', () => {
  it('say the same as rows', async () => {
    await store.insert(
      segmentOf(
        0,
        Array.from({ length: 300 }, (_, n) => ({
          trace_row_id: n >> 3,
          parent_span_id: n % 8 === 0 ? null : `span ${n}`,
          end_us: n % 5 === 0 ? null : 1_767_225_600_000_000 + n * 1000,
          prompt_tokens: n % 3 === 0 ? n : null,
          completion_tokens: n % 4 === 0 ? n : null,
          cost_usd: n % 7 === 0 ? n / 1e6 : null,
          name: `name ${n % 11}`,
          model_name: n % 2 === 0 ? 'модель' : null,
          attributes: JSON.stringify({ 'a.b': n % 3, text: `t${n}`, ...(n % 50 === 0 && { rare: true }) }),
          omitted_attributes: n % 20 === 0 ? '["long","list."]' : null,
          attributes_cut: n % 100 === 0 ? 1 : 0,
        })),
      ),
    );
    await seal(1);
    const { rowCounts } = await store.read(PROJECT);
    expect(rowCounts).toEqual([300]);
    await expectSameAsRows(['a.b', 'text', 'rare', 'a', 'long', 'list', 'list.0.x', 'none']);
  });

  it('leave out rows that changed or vanished, and read them live', async () => {
    await store.insert(
      segmentOf(
        0,
        Array.from({ length: 50 }, (_, n) => ({ prompt_tokens: n })),
      ),
    );
    await seal(1);
    await store.exec('UPDATE spans SET prompt_tokens = 1000 WHERE id IN (3, 9)');
    await store.exec('DELETE FROM spans WHERE id = 7');
    const { rows, rowCounts } = await store.read(PROJECT);
    expect(rowCounts).toEqual([47, 2]);
    expect(rows.get(9)?.['prompt_tokens']).toBe(1000);
    expect(rows.has(7)).toBe(false);
    await expectSameAsRows();
    await store.build([0]);
    expect((await store.read(PROJECT)).rowCounts).toHaveLength(1);
    await expectSameAsRows();
  });

  it('hold what is replaced as it is now, wherever it went', async () => {
    await store.insert(
      segmentOf(
        0,
        Array.from({ length: 5 }, () => ({ start_us: 1000 })),
      ),
    );
    await seal(1);
    await store.exec('DELETE FROM spans WHERE id = 2');
    await store.insert([{ id: 2, start_us: 9000, project_id: 2 }]);
    const found = await store.read({ projectRowId: 2, startTimeUs: 5000 });
    expect([...found.rows.keys()]).toEqual([2]);
    expect([...(await store.read(PROJECT)).rows.keys()]).toEqual([1, 3, 4, 5]);
  });

  it('keep what changed while a segment was built', async () => {
    await store.insert(
      segmentOf(
        0,
        Array.from({ length: 5 }, () => ({ name: 'old' })),
      ),
    );
    await seal(1);
    await store.exec("UPDATE spans SET name = 'changed' WHERE id = 1");
    await store.build([0], () => store.exec("UPDATE spans SET name = 'again' WHERE id IN (1, 2)"));
    const { rows } = await store.read(PROJECT);
    expect([...rows.values()].map((row) => row['name'])).toEqual(['old', 'old', 'old', 'again', 'again']);
    await expectSameAsRows();
  });

  it('are void where another segment was stored first', async () => {
    await store.insert(segmentOf(0, [{ name: 'old' }]));
    await seal(1);
    await store.exec("UPDATE spans SET name = 'new' WHERE id = 1");
    await store.build([0], () => store.build([0]));
    await expectSameAsRows();
    expect(await store.rows('SELECT build FROM span_segments')).toEqual([{ build: 2 }]);
  });

  it('hold the rows of one project and time alone', async () => {
    const rows = Array.from({ length: 60 }, (_, n) => ({
      project_id: n % 3,
      start_us: n * 10,
      attributes: `{"n":${n}}`,
    }));
    await store.insert(segmentOf(0, rows));
    await store.insert(segmentOf(1, rows));
    await seal(2);
    await store.insert(segmentOf(2, rows));
    await store.setNextRowId(3 * MAX_BATCH_ROWS);
    for (const scope of [{}, { startTimeUs: 100, endTimeUs: 300 }, { firstRowId: 20, endRowId: MAX_BATCH_ROWS + 20 }]) {
      await expectSameAsRows(['n'], scope);
    }
    const { rows: found } = await store.read({ projectRowId: 1, startTimeUs: 100, endTimeUs: 110 });
    expect([...found.keys()]).toEqual([11, MAX_BATCH_ROWS + 11, 2 * MAX_BATCH_ROWS + 11]);
  });

  it('come in the order asked for, and what is said of the rest holds', async () => {
    for (const [segment, startUs] of [3000, 1000, 2000].entries()) {
      await store.insert(segmentOf(segment, [{ start_us: startUs }, { start_us: startUs + 100 }]));
    }
    await seal(3);
    await store.insert(segmentOf(3, [{ start_us: 1500 }]));
    await store.setNextRowId(3 * MAX_BATCH_ROWS + 2);
    const startsOf = async (order: 'start desc' | 'start asc' | 'arrival desc') =>
      (await store.read(PROJECT, { order })).rows
        .values()
        .map(({ start_us: startUs }) => startUs)
        .toArray();
    expect(await startsOf('start desc')).toEqual([1500, 3000, 3100, 2000, 2100, 1000, 1100]);
    expect(await startsOf('start asc')).toEqual([1500, 1000, 1100, 2000, 2100, 3000, 3100]);
    expect(await startsOf('arrival desc')).toEqual([1500, 2000, 2100, 1000, 1100, 3000, 3100]);
  });

  it('know a parent that came later, and one that is deleted', async () => {
    // The last one names itself.
    const parents = ['late', 'span 1', null, 'span 4'];
    const rows = parents.map((parent) => ({ parent_span_id: parent }));
    await store.insert(segmentOf(0, rows));
    await seal(1);
    const states = async () => [...(await store.read(PROJECT)).rows.values()].map((row) => row['parent_state']);
    expect(await states()).toEqual([2, 1, 0, 2]);
    await store.insert([{ id: MAX_BATCH_ROWS, span_id: 'late' }]);
    expect(await states()).toEqual([1, 1, 0, 2]);
    await store.exec('DELETE FROM spans WHERE id = 1');
    await store.exec("UPDATE spans SET attributes_cut = attributes_cut WHERE parent_span_id = 'span 1'");
    await expectSameAsRows();
    expect(await states()).toEqual([0, 2, 2]);
  });

  it('hide the spans of unlisted traces', async () => {
    await store.insert(segmentOf(0, [{ trace_row_id: 1 }, { trace_row_id: 2 }]));
    await seal(1);
    await store.insert(segmentOf(1, [{ trace_row_id: 1 }, { trace_row_id: 2 }]));
    await store.setNextRowId(MAX_BATCH_ROWS + 3);
    await store.exec('INSERT INTO unlisted_traces (trace_row_id) VALUES (2)');
    expect([...(await store.read(PROJECT)).rows.keys()]).toEqual([1, MAX_BATCH_ROWS + 1]);
  });

  it('hold each row once, never older than when reading began, whatever is written meanwhile', async () => {
    const values = new Map<number, number>();
    const rowsOf = (segment: number) =>
      segmentOf(
        segment,
        Array.from({ length: 20 }, () => ({ prompt_tokens: 0 })),
      );
    for (const segment of [0, 1, 2]) {
      await store.insert(rowsOf(segment));
      for (const { id } of rowsOf(segment)) values.set(id, 0);
    }
    await seal(2);
    await store.setNextRowId(2 * MAX_BATCH_ROWS + 21);
    const ids = [...values.keys()];
    let turn = 0;
    let isReading = false;
    const interfere = async () => {
      if (!isReading) return;
      isReading = false;
      turn++;
      const id = ids[(turn * 7) % ids.length] ?? 0;
      values.set(id, turn);
      if (turn % 3 === 0) {
        await store.exec(sql`DELETE FROM spans WHERE id = ${id}`);
        await store.insert([{ id, prompt_tokens: turn }]);
      } else await store.exec(sql`UPDATE spans SET prompt_tokens = ${turn} WHERE id = ${id}`);
      if (turn % 2 === 0) await store.build([turn % 4 === 0 ? 0 : 1]);
      isReading = true;
    };
    const db = store.scope.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await interfere();
        return result;
      },
    });
    for (let round = 0; round < 5; round++) {
      const before = new Map(values);
      const found = new Map<number, number>();
      isReading = true;
      const options = { columns: ['prompt_tokens'], attributes: [], order: 'arrival desc' } as const;
      for await (const { batch } of readBatches({ db, dialect: store.scope.dialect }, PROJECT, options)) {
        for (const [place, rowId] of batch.rowIds.entries()) {
          expect(found.has(rowId)).toBe(false);
          found.set(rowId, batch.numbers('prompt_tokens')[place] ?? NaN);
        }
      }
      isReading = false;
      for (const id of ids) {
        expect(found.get(id)).toBeGreaterThanOrEqual(before.get(id) ?? NaN);
        expect(found.get(id)).toBeLessThanOrEqual(values.get(id) ?? NaN);
      }
    }
    await expectSameAsRows();
  });

  it('stay as they are whatever is done in whichever order', { timeout: 120_000 }, async () => {
    const attributes = fc.dictionary(
      fc.constantFrom('a', 'a.b', 'a.b.c', 'ü"\\', '__proto__', 'constructor'),
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.boolean(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
    );
    const values = fc.record({
      name: fc.constantFrom('x', 'y', '\u{1f600}', ''),
      project_id: fc.constantFrom(1, 2),
      start_us: fc.nat({ max: 2 ** 45 }),
      end_us: fc.option(fc.nat({ max: 2 ** 45 })),
      prompt_tokens: fc.option(fc.nat()),
      completion_tokens: fc.option(fc.nat()),
      cost_usd: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      attributes: attributes.map((members) => JSON.stringify(members)),
      omitted_attributes: fc.option(fc.constantFrom('["a.b"]', '["a."]', '["z"]')),
      attributes_cut: fc.constantFrom(0, 0, 0, 1),
    });
    const place = fc.nat({ max: 40 });
    const step = fc.oneof(
      fc.record({ do: fc.constant('insert' as const), rows: fc.array(values, { minLength: 1, maxLength: 12 }) }),
      fc.record({ do: fc.constant('update' as const), place, values }),
      fc.record({ do: fc.constant('delete' as const), place }),
      fc.record({ do: fc.constant('replace' as const), place, values }),
      fc.record({ do: fc.constant('seal' as const) }),
      fc.record({ do: fc.constant('build' as const), segment: fc.nat({ max: 3 }), meanwhile: fc.option(place) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        for (const table of ['span_segments', 'span_segment_columns', 'spans', 'span_segment_changes']) {
          await store.exec(`DELETE FROM ${table}`);
        }
        await store.setNextRowId(1);
        let next = 1;
        const ids: number[] = [];
        const at = (number: number) => ids[number % ids.length] ?? 0;
        const update = async (id: number, row: Readonly<Record<string, string | number | null>>) => {
          await store.scope.db.updateTable('spans').set(row).where('id', '=', id).execute();
        };
        const remove = (id: number) => store.exec(sql`DELETE FROM spans WHERE id = ${id}`);
        for (const one of steps) {
          if (one.do === 'insert') {
            await store.insert(one.rows.map((row, index) => ({ ...row, id: next + index })));
            ids.push(...one.rows.map((_, index) => next + index));
            next += one.rows.length;
          } else if (one.do === 'update') await update(at(one.place), one.values);
          else if (one.do === 'delete') {
            // An id is never given again.
            const [id] = ids.splice(one.place % ids.length, 1);
            if (id !== undefined) await remove(id);
          } else if (one.do === 'replace') {
            const id = at(one.place);
            await remove(id);
            if (id !== 0) await store.insert([{ ...one.values, id }]);
          } else if (one.do === 'seal') {
            next = (Math.floor(next / MAX_BATCH_ROWS) + 1) * MAX_BATCH_ROWS;
            await store.setNextRowId(next);
            await store.build();
          } else {
            const { meanwhile } = one;
            await store.build([one.segment], async () => {
              if (meanwhile !== null) await update(at(meanwhile), { name: 'meanwhile' });
            });
          }
          await store.setNextRowId(next);
        }
        const paths = ['a', 'a.b', 'a.b.c', 'ü"\\', '__proto__', 'constructor', 'z'];
        await expectSameAsRows(paths);
        await expectSameAsRows(['a.b'], { startTimeUs: 2 ** 43, endTimeUs: 2 ** 44 });
      }),
      { numRuns: runsOf(20) },
    );
  });
});
