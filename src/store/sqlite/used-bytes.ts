import type { SqliteConnection } from './connection.ts';

/** Bytes of pages that hold something. */
export function measureUsedBytes(connection: SqliteConnection): number {
  const [row] = connection
    .prepare(
      'SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()',
    )
    .all([]) as { bytes: number }[];
  return row?.bytes ?? 0;
}
