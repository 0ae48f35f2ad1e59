import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { describePostgres, type TestDatabase } from '../../../test/harness/postgres/databases.ts';
import type { ColumnValue } from '../schema/column-value.ts';
import type { BulkInsert } from '../schema/statements.ts';
import { ColumnTypes } from './column-types.ts';
import { bulkInsertOnPostgres } from './copy-rows.ts';
import { type OpenTestSession, useTestSessions } from './open-session.fixture.ts';
import type { PostgresSession } from './session.ts';

const TABLE = 'things' as Parameters<BulkInsert>[0];

describePostgres('loading rows into PostgreSQL', () => {
  const open = useTestSessions();

  it('stores whatever the columns can hold', async () => {
    const { session, insert } = await openTable(open);
    const row = fc.record({
      whole: orNull(fc.maxSafeInteger()),
      small: orNull(fc.integer({ min: -0x8000, max: 0x7fff })),
      middle: orNull(fc.integer()),
      real: orNull(fc.double({ noNaN: true })),
      text: orNull(fc.array(fc.integer({ min: 1, max: 0x10_ffff }), { maxLength: 20 }).map(toText)),
      bytes: orNull(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
        await session.begin();
        await insert(
          TABLE,
          rows.map((one, place) => ({ id: place, ...one })),
        );
        const read = (await session.run('SELECT whole, small, middle, real, text, bytes FROM things ORDER BY id', []))
          .rows;
        await session.rollback();
        expect((read as typeof rows).map(plain)).toEqual(rows.map(plain));
      }),
      { numRuns: 30 },
    );
  });

  it('loads more than a chunk at once, and integers of eight bytes', async () => {
    const { session, insert } = await openTable(open);
    const long = 'ü'.repeat(700_000);
    await insert(TABLE, [
      { id: 2n ** 60n, text: long },
      { id: -1, text: long },
    ]);
    const { rows } = await session.run('SELECT id::text AS id, text = $1 AS is_whole FROM things ORDER BY things.id', [
      long,
    ]);
    expect(rows).toEqual([
      { id: '-1', is_whole: true },
      { id: `${2n ** 60n}`, is_whole: true },
    ]);
  });

  it('refuses what a column cannot hold, and the transaction goes on', async () => {
    const { session, insert } = await openTable(open);
    await session.begin();
    const refused: [string, ColumnValue, RegExp][] = [
      ['text', 'a\0b', /column text cannot hold text with NUL/],
      ['text', 1, /column text cannot hold 1/],
      ['whole', 2 ** 53, /column whole cannot hold 9007199254740992/],
      ['whole', 0.5, /column whole cannot hold 0.5/],
      ['whole', 2n ** 63n, /column whole cannot hold 9223372036854775808/],
      ['small', 40_000, /column small cannot hold 40000/],
      ['bytes', 'text', /column bytes cannot hold text/],
      ['other', 1, /no column other in things/],
    ];
    for (const [column, value, message] of refused) {
      await expect(insert(TABLE, [{ id: 1, [column]: value }])).rejects.toThrow(message);
    }
    await insert(TABLE, [{ id: 1, real: Number.NaN }]);
    await session.commit();
    expect((await session.run('SELECT id, real FROM things', [])).rows).toEqual([{ id: 1, real: null }]);
  });

  it('fails when the connection is lost, and loads on the next one', async () => {
    const { session, insert, database } = await openTable(open);
    await database.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); END';
      CREATE TRIGGER slow BEFORE INSERT ON things FOR EACH STATEMENT EXECUTE FUNCTION slow()`);
    const loading = insert(TABLE, [{ id: 1 }]).catch((error: unknown) => error);
    const end = () =>
      database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY%' AND state = 'active' AND datname = current_database()`,
      );
    await expect.poll(async () => (await end()).length).toBe(1);
    expect(await loading).toMatchObject({ fault: 'unavailable' });
    await database.query('DROP TRIGGER slow ON things');
    await insert(TABLE, [{ id: 2 }]);
    expect((await session.run('SELECT id FROM things', [])).rows).toEqual([{ id: 2 }]);
  });

  it('fails as a statement does when a row breaks a rule of the table', async () => {
    const { session, insert } = await openTable(open);
    await insert(TABLE, [{ id: 1 }]);
    await expect(insert(TABLE, [{ id: 2 }, { id: 1 }])).rejects.toMatchObject({ fault: 'statement' });
    expect((await session.run('SELECT id FROM things', [])).rows).toEqual([{ id: 1 }]);
  });
});

/** Comparing bytes one by one takes longer than all else. */
function plain<Row extends { readonly bytes: Uint8Array | null }>(row: Row): object {
  return { ...row, bytes: row.bytes === null ? null : Buffer.from(row.bytes).toString('hex') };
}

async function openTable(open: OpenTestSession): Promise<{
  session: PostgresSession;
  insert: BulkInsert;
  database: TestDatabase;
}> {
  const { session, database } = await open();
  await database.query(
    'CREATE TABLE things (id bigint PRIMARY KEY, whole bigint, small smallint, middle integer, real float8, text text, bytes bytea)',
  );
  return { session, insert: bulkInsertOnPostgres(session, new ColumnTypes(session)), database };
}

function toText(points: readonly number[]): string {
  return String.fromCodePoint(...points).toWellFormed();
}

function orNull<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(values, { nil: null, freq: 5 });
}
