import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, describePostgres } from '../../../test/harness/postgres/databases.ts';
import { MIGRATED } from '../engine/open-postgres-test-engine.fixture.ts';
import { MIGRATIONS } from '../migrations/list.ts';
import { sessionOn } from './open-session.fixture.ts';
import { preparePostgres } from './prepare.ts';
import { runOnPostgres } from './run-statement.ts';
import { turnsOf } from './turn.ts';

const LATER = [...MIGRATIONS, { name: '9999-later', statements: () => ['CREATE TABLE later (id BIGINT)'] }];

describePostgres('the turn to write', () => {
  it('says whether nobody else had it', async () => {
    const { a, b } = await openServers();
    const turns = [];
    for (const server of [a, a, b, a, a]) turns.push(await server.inTurn());
    expect(turns).toEqual([false, true, false, false, true]);
  });

  it('says that what was written is not all there, where turns were lost with a primary', async () => {
    const { a, query } = await openServers();
    const [before] = await query('SELECT * FROM write_turn');
    for (let turn = 0; turn < 2; turn++) await a.inTurn();
    const [kept] = await query('SELECT * FROM write_turn');
    expect(await a.inTurn()).toBe(true);
    for (const state of [kept, before]) {
      await query(`UPDATE write_turn SET (server_id, previous, turn) =
        (SELECT server_id, previous, turn FROM json_populate_record(NULL::write_turn, '${JSON.stringify(state)}'))`);
      expect([await a.inTurn(), await a.inTurn()]).toEqual([false, true]);
    }
  });

  it('is waited for by whoever changes the schema, and not given to an older version after that', async () => {
    const { a, b, address, query } = await openServers();
    await a.inTurn();
    await a.session.begin();
    expect(await a.take()).toBe(true);
    const migrating = preparePostgres(address, { migrations: LATER });
    await expect.poll(() => query(waitingFor('UPDATE write_turn'))).toHaveLength(1);
    await a.session.run(`UPDATE projects SET description = 'by the older version' WHERE id = 1`, []);
    await a.session.commit();
    expect(await migrating).toEqual(['9999-later']);
    for (const server of [a, b, a]) await expect(server.inTurn()).rejects.toMatchObject({ fault: 'outdated' });
    const { rows } = await b.session.run('SELECT description FROM projects WHERE id = 1', []);
    expect(rows).toEqual([{ description: 'by the older version' }]);
  });

  it('is not given to an older version that waited for it while the schema was changed', async () => {
    const { a, b, address, query } = await openServers();
    await a.inTurn();
    // Its change waits for somebody who reads, and has the turn meanwhile.
    await b.session.begin();
    await b.session.run('SELECT 1 FROM sessions', []);
    const migrations = [
      ...MIGRATIONS,
      { name: '9999-later', statements: () => ['ALTER TABLE sessions ADD later BIGINT'] },
    ];
    const migrating = preparePostgres(address, { migrations });
    await expect.poll(() => query(waitingFor('ALTER TABLE'))).toHaveLength(1);
    const refused = expect(a.inTurn()).rejects.toMatchObject({ fault: 'outdated' });
    await expect.poll(() => query(waitingFor('UPDATE write_turn'))).toHaveLength(1);
    await b.session.commit();
    expect(await migrating).toEqual(['9999-later']);
    await refused;
  });
});

/** Asks who waits with such a statement for somebody else's transaction. */
function waitingFor(statement: string): string {
  return `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '${statement}%'`;
}

async function openServers() {
  const database = await createTestDatabase({ template: MIGRATED });
  const { address } = database;
  const servers = ['a', 'b'].map((name) => {
    const session = sessionOn(address);
    const take = turnsOf(runOnPostgres(session), name);
    return { session, take, inTurn: () => inTransaction(session, take) };
  });
  onTestFinished(async () => {
    await Promise.all(servers.map(({ session }) => session.close()));
    await database.drop();
  });
  const [a, b] = servers as [(typeof servers)[0], (typeof servers)[0]];
  return { a, b, address, query: (text: string) => database.query(text) };
}

async function inTransaction<T>(session: ReturnType<typeof sessionOn>, work: () => Promise<T>): Promise<T> {
  await session.begin();
  try {
    const result = await work();
    await session.commit();
    return result;
  } catch (error) {
    await session.rollback();
    throw error;
  }
}
