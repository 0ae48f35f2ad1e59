import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, describePostgres, type TestDatabase } from '../../../test/harness/postgres/databases.ts';
import { postgresDialect } from '../dialect/postgres.ts';
import { MIGRATED } from '../engine/open-postgres-test-engine.fixture.ts';
import type { RecordEngine } from '../engine/records.ts';
import { MIGRATIONS } from '../migrations/list.ts';
import { sessionOn } from './open-session.fixture.ts';
import { preparePostgres } from './prepare.ts';
import { recordsOnPostgres } from './records.ts';

const LATER = [...MIGRATIONS, { name: '9999-later', statements: () => ['CREATE TABLE later (id BIGINT)'] }];

/** Two servers on a database. */
async function open(): Promise<readonly [TestDatabase, RecordEngine, RecordEngine]> {
  const database = await createTestDatabase({ template: MIGRATED });
  const servers = ['a', 'b'].map((id) => recordsOnPostgres(sessionOn(database.address), postgresDialect, id));
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await database.drop();
  });
  return [database, servers[0] as RecordEngine, servers[1] as RecordEngine];
}

async function turnOf({ query }: TestDatabase): Promise<number> {
  const [row] = await query<{ turn: number }>('SELECT turn::int FROM record_turn');
  return row?.turn ?? Number.NaN;
}

/** Whether somebody waits with such a statement for somebody else's transaction. */
function waitingFor(statement: string): string {
  return `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '${statement}%'`;
}

describePostgres('transactions over records', () => {
  it('are counted where they are committed, and not where they are undone', async () => {
    const [database, a, b] = await open();
    const before = await turnOf(database);
    await a.transact(async () => undefined);
    await b.transact(async () => undefined);
    await expect(a.transact(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(await turnOf(database)).toBe(before + 2);
  });

  it('keep a change of the schema waiting, and are refused to an older version after it', async () => {
    const [database, a, b] = await open();
    const working = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = a.transact(async () => {
      begun.resolve();
      await working.promise;
    });
    await begun.promise;
    const migrating = preparePostgres(database.address, { migrations: LATER });
    await expect.poll(() => database.query(waitingFor('SELECT 1 FROM record_turn FOR UPDATE'))).toHaveLength(1);
    working.resolve();
    await first;
    expect(await migrating).toEqual(['9999-later']);
    for (const server of [a, b]) {
      await expect(server.transact(async () => undefined)).rejects.toMatchObject({ fault: 'outdated' });
    }
  });

  it('have a named lock one after the other, on all servers', async () => {
    const [database, a, b] = await open();
    const working = Promise.withResolvers<void>();
    const order: string[] = [];
    const begun = Promise.withResolvers<void>();
    const first = a.transact(async ({ lock }) => {
      await lock('policies');
      begun.resolve();
      await working.promise;
      order.push('a');
    });
    await begun.promise;
    const second = b.transact(async ({ lock }) => {
      await lock('policies');
      order.push('b');
    });
    await expect.poll(() => database.query(waitingFor('SELECT pg_advisory_xact_lock'))).toHaveLength(1);
    working.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['a', 'b']);
  });

  it('run again where PostgreSQL ends one that waits in a circle', async () => {
    const [database, a, b] = await open();
    const tries = { a: 0, b: 0 };
    const bothHave = Promise.withResolvers<void>();
    let having = 0;
    const take = (server: RecordEngine, name: 'a' | 'b', other: string) =>
      server.transact(async ({ lock }) => {
        tries[name] += 1;
        await lock(name);
        if (++having === 2) bothHave.resolve();
        await bothHave.promise;
        await lock(other);
      });
    const before = await turnOf(database);
    await Promise.all([take(a, 'a', 'b'), take(b, 'b', 'a')]);
    expect(tries.a + tries.b).toBe(3);
    expect(await turnOf(database)).toBe(before + 2);
  });

  it('say soon that a lock is not to be had, and let the others go on', async () => {
    const [database, a] = await open();
    await database.query('BEGIN');
    await database.query('SELECT 1 FROM record_turn FOR UPDATE');
    const startedMs = performance.now();
    await expect(a.transact(async () => undefined)).rejects.toMatchObject({ state: '55P03' });
    expect(performance.now() - startedMs).toBeLessThan(9000);
    await database.query('ROLLBACK');
    await a.transact(async () => undefined);
  });

  it('are finished before the connection is closed', async () => {
    const [database, a] = await open();
    const before = await turnOf(database);
    const begun = Promise.withResolvers<void>();
    const working = Promise.withResolvers<void>();
    const running = a.transact(async () => {
      begun.resolve();
      await working.promise;
    });
    await begun.promise;
    const closed = a.close();
    working.resolve();
    await Promise.all([running, closed]);
    expect(await turnOf(database)).toBe(before + 1);
  });
});
