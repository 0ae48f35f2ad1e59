/** Refuses new data while the data file holds more than it may. */
import { AppError } from '#base/errors';
import type { SqliteConnection } from './connection.ts';

/**
 * A check to make before each write: it measures at most once a minute, and lets writes through again by itself.
 * @throws AppError `insufficient_storage`
 */
export function storageGuard(connection: SqliteConnection, blockAboveBytes: number, now = Date.now): () => void {
  let measuredAt = Number.NEGATIVE_INFINITY;
  let usedBytes = 0;
  return () => {
    if (now() - measuredAt >= MEASURE_EVERY_MS) {
      measuredAt = now();
      usedBytes = measureUsedBytes(connection);
    }
    if (usedBytes > blockAboveBytes) {
      throw new AppError(
        'insufficient_storage',
        `The data holds ${usedBytes} bytes, more than the ${blockAboveBytes} that it may: delete traces, or raise SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES.`,
      );
    }
  };
}

const MEASURE_EVERY_MS = 60_000;

/** Bytes of pages that hold something. */
function measureUsedBytes(connection: SqliteConnection): number {
  const [row] = connection
    .prepare(
      'SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()',
    )
    .all([]) as { bytes: number }[];
  return row?.bytes ?? 0;
}
