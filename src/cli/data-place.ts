import type { DatabaseConfig } from '#config/config';
import { describeAddress } from '#store/engine/postgres-address';

/** Where the data lies, for people; without what proves who one is. */
export function describeDataPlace(database: DatabaseConfig): string {
  if (database.engine === 'sqlite') return database.path;
  return `PostgreSQL at ${describeAddress({ ...database.primary, schema: database.schema })}`;
}
