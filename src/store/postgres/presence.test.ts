import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, describePostgres, type TestDatabase } from '../../../test/harness/postgres/databases.ts';
import { postgresDialect } from '../dialect/postgres.ts';
import type { PostgresAddress } from '../engine/postgres-address.ts';
import { COORDINATED, startServer } from './coordination.fixture.ts';
import { openPostgresReadEngine } from './engine.ts';
import { sessionOn } from './open-session.fixture.ts';
import { countServers, holdAlone, JOIN } from './presence.ts';

describePostgres('a database that servers use', () => {
  let here: TestDatabase;
  /** Other data: a schema of the same database, and a database whose schemas have the same numbers. */
  let beside: PostgresAddress;
  let elsewhere: TestDatabase;

  beforeEach(async () => {
    [here, elsewhere] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await here.query(`CREATE SCHEMA beside; ${COORDINATED}`);
    beside = { ...here.address, schema: 'beside' };
    return async () => {
      await Promise.all([here.drop(), elsewhere.drop()]);
    };
  });

  it('has as many as have joined, those on other data left out', async () => {
    expect(await count(here.address)).toBe(0);
    for (const address of [here.address, here.address, beside, elsewhere.address]) await join(address);
    expect(await count(here.address)).toBe(2);
    expect(await count(beside)).toBe(1);
    expect(await count(elsewhere.address)).toBe(1);
  });

  it('is left alone for somebody once they have gone', async () => {
    const server = await join(here.address);
    await Promise.all([join(beside), join(elsewhere.address)]);
    let isAlone = false;
    const held = holdAlone(here.address).finally(() => {
      isAlone = true;
    });
    await expect.poll(() => here.query(HAS_ASKED)).toHaveLength(1);
    expect(isAlone).toBe(false);
    await server.leave();
    await (await held).release();
  });

  it('is joined by none while somebody is alone with it, and by those who came meanwhile after that', async () => {
    const { release } = await holdAlone(here.address);
    expect((await join(here.address)).hasJoined).toBe(false);
    expect(await count(here.address)).toBe(0);
    expect((await join(beside)).hasJoined).toBe(true);
    expect((await join(elsewhere.address)).hasJoined).toBe(true);
    const { coordination, errors } = startServer(here.address, 'a');
    onTestFinished(() => coordination.close());
    await coordination.attempted;
    expect(errors).toEqual([expect.stringContaining('it is being copied')]);
    expect(coordination.isRunning('compaction')).toBe(false);
    await release();
    await expect.poll(() => coordination.isRunning('compaction')).toBe(true);
    expect(await count(here.address)).toBe(1);
  });
});

async function join(address: PostgresAddress) {
  const session = sessionOn(address);
  onTestFinished(() => session.close());
  const { rows } = await session.run(JOIN, []);
  const { hasJoined } = rows[0] as { readonly hasJoined: boolean };
  return { hasJoined, leave: () => session.close() };
}

async function count(address: PostgresAddress): Promise<number> {
  const engine = openPostgresReadEngine(address, postgresDialect);
  try {
    return await countServers(engine.db);
  } finally {
    await engine.close();
  }
}

/** Whoever wants to be alone, and has been told that it is not. */
const HAS_ASKED = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND state = 'idle' AND query LIKE 'SELECT coalesce(pg_try_advisory_lock(%'`;
