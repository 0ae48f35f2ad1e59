import type { PostgresAddress } from '#store/engine/postgres-address';
import { openClient } from '#store/postgres/connect';
import { passwordSource } from '#store/postgres/passwords';
import { PostgresSession } from '#store/postgres/session';

/** A session as the server has them. */
export function openBenchSession(address: PostgresAddress): PostgresSession {
  return new PostgresSession(() => openClient(address, 'write', passwordSource(address)));
}
