/** Segments at their bounds: full, nearly full, empty; values at the ends of what a column can hold; names that mean something to JavaScript. */
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_BATCH_ROWS } from './batch.ts';
import { type ColumnStore, openColumnStore, type TestRow } from './columns.fixture.ts';
import { readBatches } from './read-batches.ts';

let store: ColumnStore;

beforeEach(async () => {
  store = await openColumnStore();
});

async function seal(segments: number): Promise<void> {
  await store.setNextRowId(segments * MAX_BATCH_ROWS);
  await store.build();
}

/** What segments say of rows, and what the rows themselves do. */
async function bothWays(which: Parameters<ColumnStore['read']>[0], attributes: readonly string[] = []) {
  const sealed = await store.read(which, { attributes });
  await store.exec("UPDATE span_segments SET format = 'x' || format");
  const live = await store.read(which, { attributes });
  await store.exec('UPDATE span_segments SET format = substr(format, 2)');
  const sorted = (rows: ReadonlyMap<number, unknown>) => [...rows].sort(([a], [b]) => a - b);
  return { sealed: sorted(sealed.rows), live: sorted(live.rows), rowCounts: sealed.rowCounts };
}

describe('a segment', () => {
  it.each([
    ['its first row id alone', [MAX_BATCH_ROWS]],
    ['its last row id alone', [2 * MAX_BATCH_ROWS - 1]],
    ['both ends', [MAX_BATCH_ROWS, 2 * MAX_BATCH_ROWS - 1]],
    ['the last of one and the first of the next', [MAX_BATCH_ROWS - 1, MAX_BATCH_ROWS]],
    ['nothing', []],
    ['the first id that there is', [1]],
  ])('of %s', async (_what, ids) => {
    await store.insert(ids.map((id) => ({ id, prompt_tokens: id })));
    await seal(3);
    const { sealed, live, rowCounts } = await bothWays({ projectRowId: 1 });
    expect(sealed).toEqual(live);
    expect(sealed.map(([rowId]) => rowId)).toEqual(ids);
    expect(rowCounts.every((count) => count > 0)).toBe(true);
    for (const id of ids) {
      expect((await store.read({ projectRowId: 1, firstRowId: id, endRowId: id + 1 })).rows.size).toBe(1);
      expect((await store.read({ projectRowId: 1, firstRowId: id + 1, endRowId: id + 1 })).rows.size).toBe(0);
    }
  });

  it('that is full, of projects one after the other, with every value another', async () => {
    await store.insert(
      Array.from({ length: MAX_BATCH_ROWS }, (_, place) => ({
        id: MAX_BATCH_ROWS + place,
        project_id: 1 + (place % 3),
        name: `name ${place}`,
        attributes: JSON.stringify({ every: `value ${place}`, number: place, [`own.${place % 3000}`]: place }),
      })),
    );
    await seal(2);
    for (const projectRowId of [1, 2, 3, 4]) {
      const { sealed, live } = await bothWays({ projectRowId }, ['every', 'number', 'own.7', 'own.2900', 'own']);
      expect(sealed).toHaveLength(projectRowId === 4 ? 0 : Math.ceil((MAX_BATCH_ROWS + 1 - projectRowId) / 3));
      const known = (rows: typeof live) =>
        rows.map(([rowId, row]) => {
          const { '@every': every, '@number': number, name } = row as Record<string, unknown>;
          return [rowId, name, every, number];
        });
      expect(known(sealed)).toEqual(known(live));
    }
  });

  it('of which all rows are gone is read as none, before it is built anew and after', async () => {
    await store.insert(Array.from({ length: 20 }, (_, place) => ({ id: 1 + place })));
    await seal(1);
    await store.exec('DELETE FROM spans');
    for (const build of [async () => undefined, () => store.build([0])]) {
      await build();
      const { rows, rowCounts } = await store.read({ projectRowId: 1 });
      expect([rows.size, rowCounts.length]).toEqual([0, 0]);
    }
    expect(await store.rows('SELECT count(*) AS n FROM span_segment_changes')).toEqual([{ n: 0 }]);
  });
});

describe('starts that are equal', () => {
  it.each(['start asc', 'start desc', 'arrival asc', 'arrival desc'] as const)(
    'across segments are each read once by %s, and bounds of what comes hold',
    async (order) => {
      const start_us = 1_767_225_600_000_000;
      const rows: TestRow[] = [];
      for (let segment = 0; segment < 4; segment++) {
        for (let place = 1; place <= 5; place++) {
          rows.push({ id: segment * MAX_BATCH_ROWS + place, start_us: start_us + (segment === 2 ? place - 3 : 0) });
        }
      }
      await store.insert(rows);
      await seal(3);
      await store.setNextRowId(3 * MAX_BATCH_ROWS + 6);
      await store.exec(`UPDATE spans SET start_us = start_us - 1 WHERE id IN (2, ${MAX_BATCH_ROWS + 3})`);
      const read: { readonly starts: readonly number[]; readonly ids: readonly number[] }[] = [];
      const rests = [];
      for await (const { batch, rest } of readBatches(
        store.scope,
        { projectRowId: 1 },
        { order, columns: ['start_us'], attributes: [] },
      )) {
        read.push({ starts: [...batch.numbers('start_us')], ids: [...batch.rowIds] });
        rests.push(rest);
      }
      expect(read.flatMap(({ ids }) => ids).sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id));
      for (const [place, rest] of rests.entries()) {
        const later = read.slice(place + 1);
        if (later.length > 0) expect(rest).not.toBeNull();
        for (const { starts, ids } of later) {
          expect(Math.min(...starts)).toBeGreaterThanOrEqual(rest?.minStartUs ?? Infinity);
          expect(Math.max(...starts)).toBeLessThanOrEqual(rest?.maxStartUs ?? -Infinity);
          expect(Math.min(...ids)).toBeGreaterThanOrEqual(rest?.minRowId ?? Infinity);
          expect(Math.max(...ids)).toBeLessThanOrEqual(rest?.maxRowId ?? -Infinity);
        }
      }
      const exactly = await store.read({ projectRowId: 1, startTimeUs: start_us, endTimeUs: start_us + 1 });
      expect(exactly.rows.size).toBe(14);
    },
  );
});

/** Attributes as rows hold them: JSON texts, by what is hostile in them. */
const HOSTILE_ATTRIBUTES: readonly (readonly [what: string, path: string, json: string])[] = [
  ['a prototype', '__proto__', '"own"'],
  ['a constructor', 'constructor', '1'],
  ['a method', 'toString', 'true'],
  ['a prototype inside', 'a.__proto__.b', '2'],
  ['quotes', 'say "this"', '"x"'],
  ['a backslash', 'back\\slash', '"\\\\"'],
  ['dots alone', '...', '3'],
  ['a dot at its end', 'end.', '4'],
  ['nothing', '', '"empty key"'],
  ['blanks', ' ', '5'],
  ['a line break', 'a\nb', '"a\\nb"'],
  ['a zero', 'a\uFFFDb', '"\\u0000"'],
  ['an emoji', '😀.👩‍👩‍👧', '"😀"'],
  ['letters of two ways', 'é', '"é"'],
  ['the other way', 'e\u0301', '"e\u0301"'],
  ['a chunk of another kind', '~hidden', '"x"'],
  ['a column', 'row_ids', '6'],
  ['2^53', 'n.exact', '9007199254740992'],
  ['2^53 + 1', 'n.beyond', '9007199254740993'],
  ['2^63 - 1', 'n.largest', '9223372036854775807'],
  ['less than -2^53', 'n.least', '-9223372036854775808'],
  ['a whole float', 'n.float', '1.0'],
  ['the same as an integer', 'n.integer', '1'],
  ['zero below zero', 'n.zero', '-0.0'],
  ['a huge float', 'n.huge', '1e+308'],
  ['a tiny float', 'n.tiny', '5e-324'],
  ['a fraction', 'n.fraction', '0.30000000000000004'],
  ['NaN', 'n.nan', '"NaN"'],
  ['null', 'n.null', 'null'],
  ['an empty text', 't.empty', '""'],
  ['a text that is a number', 't.number', '"1"'],
  ['a long text', 't.long', JSON.stringify('x'.repeat(5000))],
];

/** Paths that only a filter can name. */
const UNSTORABLE = ['a\0b', 'a\ud800b'];

describe('attributes', () => {
  // Frequent ones have a chunk of their own, rare ones share one.
  it.each([
    ['few', 2],
    ['many', 20],
  ])('of %s rows are held under any name, with any value', async (_what, count) => {
    const json = `{${HOSTILE_ATTRIBUTES.map(([, path, value]) => `${JSON.stringify(path)}:${value}`).join()}}`;
    await store.insert(
      Array.from({ length: count + 1 }, (_, place) => ({ id: 1 + place, attributes: place === count ? '{}' : json })),
    );
    await seal(1);
    const paths = HOSTILE_ATTRIBUTES.map(([, path]) => path);
    const { sealed, live } = await bothWays({ projectRowId: 1 }, [
      ...paths,
      ...UNSTORABLE,
      'a',
      'n',
      'valueOf',
      'a.__proto__',
    ]);
    expect(sealed).toEqual(live);
    for (const [what, path, value] of HOSTILE_ATTRIBUTES) {
      const [, first] = sealed[0] ?? [];
      const held = (first as Record<string, { readonly value: unknown }>)[`@${path}`];
      // Digits and types included.
      expect(JSON.stringify(held?.value), what).toBe(value);
      const [, last] = sealed.at(-1) ?? [];
      expect((last as Record<string, { readonly value: unknown }>)[`@${path}`]?.value, what).toBeUndefined();
    }
  });
});

/** Columns of integers hold no others. */
const isInteger = (value: number | null) => value === null || Number.isSafeInteger(value);

describe('numbers of columns', () => {
  const ENDS = [0, 1, -1, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32, 2 ** 48, 2 ** 53 - 1, -(2 ** 53 - 1), null];

  it.each([
    ['alone', ENDS.map((value) => [value])],
    ['beside one', ENDS.map((value) => [value, 1])],
    ['after each other', [ENDS]],
    ['few large ones among many', [[...Array.from({ length: 200 }, (_, n) => n % 7), 2 ** 53 - 1, 2 ** 40]]],
    ['all missing', [[null, null, null]]],
    ['fractions', [[0.1, null, -0.5, 1e-300, 1e300]]],
  ])('%s come back as they were', async (_what, lists) => {
    const values = lists.flatMap((list, segment) =>
      list.map((value, place) => ({ id: segment * MAX_BATCH_ROWS + 1 + place, value })),
    );
    await store.insert(
      values.map(({ id, value }) => ({ id, prompt_tokens: isInteger(value) ? value : null, cost_usd: value })),
    );
    await seal(lists.length);
    const { sealed, live } = await bothWays({ projectRowId: 1 });
    expect(sealed).toEqual(live);
    expect(sealed.map(([, row]) => (row as Record<string, unknown>)['cost_usd'])).toEqual(
      values.map(({ value }) => value ?? NaN),
    );
  });
});

describe('a change', () => {
  it('at each moment of a building is neither lost nor read twice', async () => {
    await store.insert(Array.from({ length: 10 }, (_, place) => ({ id: 1 + place, prompt_tokens: 0 })));
    await seal(1);
    const tokens = async () => {
      const { rows } = await store.read({ projectRowId: 1 });
      return [...rows].map(([rowId, row]) => [rowId, row['prompt_tokens']]).sort(([a], [b]) => Number(a) - Number(b));
    };
    const changes = [
      'UPDATE spans SET prompt_tokens = prompt_tokens + 1 WHERE id IN (1, 2)',
      'DELETE FROM spans WHERE id = 3',
      'UPDATE spans SET prompt_tokens = prompt_tokens + 1 WHERE id = 2',
      'DELETE FROM spans WHERE id IN (1, 10)',
      'UPDATE spans SET project_id = 2 WHERE id = 5',
      'UPDATE spans SET project_id = 1, prompt_tokens = 9 WHERE id = 5',
    ];
    const expectTrue = async () => {
      const rows = await store.rows('SELECT id, prompt_tokens FROM spans WHERE project_id = 1 ORDER BY id');
      expect(await tokens()).toEqual(rows.map((row) => Object.values(row)));
    };
    for (const [place, change] of changes.entries()) {
      await store.exec(change);
      await expectTrue();
      await store.build([0], async () => {
        await store.exec(changes[(place + 1) % changes.length] ?? '');
        await expectTrue();
        // Another one is quicker, so that what was planned before is not stored.
        if (place % 2 === 0) await store.build([0]);
        await expectTrue();
      });
      await expectTrue();
    }
    await store.build([0]);
    await expectTrue();
    expect(await store.rows('SELECT id, prompt_tokens FROM spans')).toHaveLength(7);
    expect(await store.rows('SELECT * FROM span_segment_changes')).toEqual([]);
  });
});
