import type { DatabaseConfig } from '#config/config';

/** Where the data lies, for people; without what proves who one is. */
export function describeDataPlace(database: DatabaseConfig): string {
  if (database.engine === 'sqlite') return database.path;
  const { host, port, database: name } = database.primary;
  const schema = database.schema === null ? '' : ` (schema ${database.schema})`;
  return `PostgreSQL at ${host.includes(':') ? `[${host}]` : host}:${port}/${name}${schema}`;
}
