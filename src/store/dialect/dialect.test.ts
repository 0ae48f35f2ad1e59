/** What each expression means is the same on every engine. */
import fc from 'fast-check';
import { DummyDriver, Kysely, type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describePostgres } from '../../../test/harness/postgres/databases.ts';
import { openPostgresTestEngine } from '../engine/open-postgres-test-engine.fixture.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import { openSqliteTestEngine } from '../sqlite/open-test-engine.fixture.ts';
import type { Tables } from '../schema/tables.ts';
import type { SqlDialect } from './dialect.ts';
import { postgresDialect } from './postgres.ts';

type Build = (dialect: SqlDialect) => RawBuilder<unknown>;

const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.maxSafeInteger(),
  fc.constantFrom(0, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);
const numbers = fc.array(fc.option(number, { freq: 4 }), { maxLength: 12 });
/** As rows hold them: no NUL, whole characters. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\\',
    '\\u0000',
    '"',
    "'",
    "''",
    '%',
    '$1',
    '?',
    '--',
    '\n',
    '😀',
    'é',
    'e\u0301',
    'NULL',
    '{}',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((any) => any.toWellFormed().replaceAll('\0', '')),
);
/** As whoever asks may write them. */
const askedText = fc.oneof(text, fc.constantFrom('a\0b', '\0', '\ud800', 'x\udc00y'));

describePostgres('expressions on SQLite and PostgreSQL', () => {
  let engines: readonly TestEngine[];

  beforeAll(async () => {
    engines = [await openSqliteTestEngine(), await openPostgresTestEngine()];
  });

  afterAll(async () => {
    for (const engine of engines) await engine.close();
  });

  /** Asserts that the query gives these rows, in any order, on both. */
  async function expectRows(build: Build, expected: readonly object[]): Promise<void> {
    const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
    for (const engine of engines) {
      const rows = await engine.rows(build(engine.dialect));
      expect([engine.dialect.name, sorted(rows)]).toEqual([engine.dialect.name, sorted(expected)]);
    }
  }

  /** The only value of the only row. */
  async function answers(build: Build): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    for (const engine of engines) found.push((await engine.rows(build(engine.dialect)))[0]?.['answer']);
    return found;
  }

  const column = (values: readonly (number | null)[], dialect: SqlDialect) =>
    dialect.tuplesOfJson(JSON.stringify(values.map((value) => [value])), { v: 'number' });
  const V = sql.ref<number | null>('v');

  it('quantiles lie between the nearest values, and are null without any', async () => {
    const share = fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(numbers, share, async (values, probability) => {
        const found = await answers(
          (dialect) => sql`SELECT ${dialect.quantile(V, probability)} AS answer FROM ${column(values, dialect)} AS t`,
        );
        const expected = interpolate(values, (count) => probability * (count - 1));
        expect(found).toEqual([expected, expected]);
      }),
    );
  });

  it('the value at a place is that of the nearest ones, and the first or last beyond them', async () => {
    const place = fc.oneof(fc.integer({ min: -3, max: 15 }), fc.double({ min: -1, max: 12, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(numbers, place, async (values, at) => {
        const found = await answers((dialect) => {
          const given = sql<number>`CAST(${at} AS DOUBLE PRECISION)`;
          return sql`SELECT ${dialect.valueAt(V, given)} AS answer FROM ${column(values, dialect)} AS t`;
        });
        const expected = interpolate(values, (count) => Math.min(Math.max(at, 0), count - 1));
        expect(found).toEqual([expected, expected]);
      }),
    );
  });

  it('the smaller and the larger of two are null where one is', async () => {
    const pairs = fc.array(fc.tuple(fc.option(number), fc.option(number)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pairs, async (list) => {
        await expectRows(
          (dialect) => {
            const [a, b] = [sql.ref<number>('a'), sql.ref<number>('b')];
            const rows = dialect.tuplesOfJson(JSON.stringify(list), { a: 'number', b: 'number' });
            return sql`SELECT ${dialect.least(a, b)} AS low, ${dialect.greatest(a, b)} AS high FROM ${rows} AS t`;
          },
          list.map(([a, b]) => {
            const both = a === null || b === null ? null : ([a, b] as const);
            return { low: both && Math.min(...both), high: both && Math.max(...both) };
          }),
        );
      }),
    );
  });

  it('a text stands in another from a character on', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, async (before, part, after) => {
        const whole = `${before}${part}${after}`;
        const units = whole.indexOf(part);
        const position = Array.from(whole.slice(0, units)).length + 1;
        const ask = (in_: string | null, what: string) =>
          answers((dialect) => {
            const column = sql<string | null>`CAST(${in_} AS TEXT)`;
            return sql`SELECT ${dialect.positionOf(what, column)} AS answer`;
          });
        expect(await ask(whole, part)).toEqual([position, position]);
        expect(await ask(whole, `${whole}x`)).toEqual([0, 0]);
        expect(await ask(null, part)).toEqual([null, null]);
      }),
    );
  });

  it('sets hold what is in their lists, and nothing where those are empty', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(number), fc.array(number, { minLength: 1 }), async (wanted, there) => {
        await expectRows(
          (dialect) =>
            sql`SELECT v FROM ${column(there, dialect)} AS t WHERE v IN ${dialect.numbersOf([...wanted, ...there.slice(1)])}`,
          there.filter((value) => [...wanted, ...there.slice(1)].includes(value)).map((v) => ({ v })),
        );
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(askedText), fc.array(text, { minLength: 1 }), async (wanted, there) => {
        const asked = [...wanted, ...there.slice(1)];
        await expectRows(
          (dialect) => {
            const rows = dialect.tuplesOfJson(JSON.stringify(there.map((one) => [one])), { v: 'text' });
            return sql`SELECT v FROM ${rows} AS t WHERE v IN ${dialect.textsOf(asked)}`;
          },
          there.filter((value) => asked.includes(value)).map((v) => ({ v })),
        );
      }),
    );
  });

  it('tuples have the values of their lists', async () => {
    const tuples = fc.array(fc.tuple(fc.option(number), fc.option(text), number), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(tuples, async (list) => {
        const columns = { a: 'number', b: 'text', c: 'number' } as const;
        await expectRows(
          (dialect) => sql`SELECT a, b, c FROM ${dialect.tuplesOfJson(JSON.stringify(list), columns)} AS t`,
          list.map(([a, b, c]) => ({ a, b, c })),
        );
      }),
    );
  });

  it('ids are listed under their numbers', async () => {
    const listed = fc.dictionary(fc.nat().map(String), fc.array(text, { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(listed, async (byNumber) => {
        await expectRows(
          (dialect) => sql`SELECT number, id FROM ${dialect.idsByNumber(JSON.stringify(byNumber))} AS t`,
          Object.entries(byNumber).flatMap(([key, ids]) => ids.map((id) => ({ number: Number(key), id }))),
        );
      }),
    );
  });

  it('lists of groups have all values, and none without any', async () => {
    const rows = fc.array(fc.tuple(fc.option(number), fc.option(text)), { maxLength: 8 });
    const inOrder = (list: readonly unknown[]) => list.map((value) => JSON.stringify(value)).toSorted();
    await fc.assert(
      fc.asyncProperty(rows, async (list) => {
        for (const engine of engines) {
          const { dialect } = engine;
          const from = dialect.tuplesOfJson(JSON.stringify(list), { a: 'number', b: 'text' });
          const a = sql.ref<number | null>('a');
          const [row] =
            await engine.rows(sql`SELECT ${dialect.collect(a)} AS numbers, ${dialect.collect(sql.ref('b'))} AS texts,
            ${dialect.collectTuples(a, sql<number>`a - 1`)} AS tuples FROM ${from} AS t`);
          const listOf = (name: string) => inOrder(JSON.parse(String(row?.[name])) as unknown[]);
          expect(listOf('numbers')).toEqual(inOrder(list.map(([value]) => value)));
          expect(listOf('texts')).toEqual(inOrder(list.map(([, value]) => value)));
          expect(listOf('tuples')).toEqual(inOrder(list.map(([value]) => [value, value === null ? null : value - 1])));
        }
      }),
    );
  });

  it('now is now', async () => {
    for (const now of await answers(({ nowUs }) => sql`SELECT ${sql.raw(nowUs)} AS answer`))
      expect(Math.abs(Number(now) / 1000 - Date.now())).toBeLessThan(60_000);
  });
});

function interpolate(values: readonly (number | null)[], placeOf: (count: number) => number): number | null {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const place = placeOf(sorted.length);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (place - Math.floor(place)) + 0;
}

it('on PostgreSQL looks the members of a set up in an index', () => {
  const driver = new DummyDriver();
  const db = new Kysely<Tables>({ dialect: postgresDialect.compileFor(driver) });
  const query = db
    .selectFrom('spans')
    .select('id')
    .where('id', 'in', postgresDialect.numbersOf([1]));
  expect(query.compile().sql).toContain('where "id" = ANY (ARRAY(SELECT ');
  expect(
    query
      .where('id', 'in', [2])
      .where('id', 'not in', postgresDialect.numbersOf([3]))
      .compile().sql,
  ).toMatch(/and "id" in \(\$2\) and "id" not in \(SELECT /);
});
