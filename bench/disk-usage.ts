/** Where the bytes of a data file are. */
import Database from 'better-sqlite3';

/** Bytes of pages, by what they hold. */
export interface DiskUsage {
  readonly blocks: number;
  readonly rows: number;
  readonly indexes: number;
}

/** Measures a data file that nobody writes to; pages that hold nothing are left out. */
export function measureDisk(path: string): DiskUsage {
  const database = new Database(path, { readonly: true });
  try {
    const parts = database
      .prepare(
        `SELECT CASE WHEN name = 'blocks' THEN 'blocks' WHEN type = 'index' THEN 'indexes' ELSE 'rows' END AS part,
                sum(pgsize) AS bytes
         FROM dbstat LEFT JOIN (SELECT name AS known, type FROM sqlite_schema) ON known = name GROUP BY part`,
      )
      .all() as { part: keyof DiskUsage; bytes: number }[];
    const usage = { blocks: 0, rows: 0, indexes: 0 };
    for (const { part, bytes } of parts) usage[part] = bytes;
    return usage;
  } finally {
    database.close();
  }
}

/** What came to `before`. */
export function subtractDisk(after: DiskUsage, before: DiskUsage): DiskUsage {
  return {
    blocks: after.blocks - before.blocks,
    rows: after.rows - before.rows,
    indexes: after.indexes - before.indexes,
  };
}

/** What an empty database has, or near enough. */
export const NOTHING: DiskUsage = { blocks: 0, rows: 0, indexes: 0 };
