import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/postgres/databases.ts';
import type { PostgresAddress } from '../engine/postgres-address.ts';
import { openClient, type Purpose } from './connect.ts';
import { passwordSource } from './passwords.ts';
import { PostgresSession } from './session.ts';

/** Opens a session on a schema of its own, which ends with the test. */
export type OpenTestSession = () => Promise<{ readonly session: PostgresSession; readonly database: TestDatabase }>;

/** One database for all tests of the `describe` in which it is called: a schema is made in a fiftieth of the time. */
export function useTestSessions(): OpenTestSession {
  let database: TestDatabase;
  let opened = 0;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });
  return async () => {
    opened += 1;
    const schema = `test_${opened}`;
    await database.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}`);
    const address = { ...database.address, schema };
    const session = sessionOn(address);
    onTestFinished(() => session.close());
    return { session, database: { ...database, address } };
  };
}

/** A session that opens connections as engines do. */
export function sessionOn(address: PostgresAddress, purpose: Purpose = 'write', timeoutMs?: number): PostgresSession {
  return new PostgresSession(() => openClient(address, purpose, passwordSource(address)), timeoutMs);
}
