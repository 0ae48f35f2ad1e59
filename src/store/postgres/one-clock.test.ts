import { beforeEach, expect, it, vi } from 'vitest';
import { forgetMoments, nextMomentUs } from '#base/moment';
import { createTestDatabase, describePostgres, type TestDatabase } from '../../../test/harness/postgres/databases.ts';
import { MIGRATED } from '../engine/open-postgres-test-engine.fixture.ts';
import { startServer } from './coordination.fixture.ts';
import { sessionOn } from './open-session.fixture.ts';
import { runOnPostgres } from './run-statement.ts';
import { turnsOf } from './turn.ts';

const HOUR_MS = 3_600_000;

describePostgres('the moment of what a server changes whose clock is wrong', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase({ template: MIGRATED });
    forgetMoments();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - HOUR_MS });
    return async () => {
      vi.useRealTimers();
      forgetMoments();
      await database.drop();
    };
  });

  async function readClockUs(): Promise<number> {
    const [row] = await database.query<{ us: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000000 AS us');
    return Number(row?.us);
  }

  it('is after that of whatever others wrote before it', async () => {
    const [a, b] = [sessionOn(database.address), sessionOn(database.address)];
    await b.begin();
    await turnsOf(runOnPostgres(b), 'b')();
    const taken = turnsOf(runOnPostgres(a), 'a')();
    await expect.poll(() => database.query(WAITING)).toHaveLength(1);
    const othersUs = await readClockUs();
    await b.commit();
    await taken;
    expect(nextMomentUs()).toBeGreaterThan(othersUs);
    await Promise.all([a.close(), b.close()]);
  });

  it('is by the same clock where it writes nothing, and after its own was put right', async () => {
    const { coordination } = startServer(database.address, 'a');
    await coordination.attempted;
    expect(nextMomentUs()).toBeGreaterThan((await readClockUs()) - MINUTE_US);
    vi.setSystemTime(Date.now() + HOUR_MS);
    const looks = () => database.query(LOOKS);
    // The first may have been under way.
    for (let times = 0; times < 2; times++) {
      const before = await looks();
      await expect.poll(looks).not.toEqual(before);
    }
    expect(nextMomentUs()).toBeLessThan((await readClockUs()) + MINUTE_US);
    await coordination.close();
  });
});

const MINUTE_US = 60_000_000;

const WAITING = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE write_turn%'`;

/** Of one that has looked since, the time is another. */
const LOOKS = `SELECT query_start FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'cairn coordination' AND query = 'SELECT name FROM schema_migrations'`;
