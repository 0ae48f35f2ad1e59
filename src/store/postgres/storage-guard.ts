/** Refuses new data while the tables hold more than they may. */
import { AppError } from '#base/errors';
import type { PostgresSession } from './session.ts';

/**
 * A check to make before each write: it measures at most once a minute, and lets writes through again by itself.
 * @throws AppError `insufficient_storage`
 */
export function storageGuard(session: PostgresSession, blockAboveBytes: number, now = Date.now): () => Promise<void> {
  let measuredAt = Number.NEGATIVE_INFINITY;
  let usedBytes = 0;
  return async () => {
    if (now() - measuredAt >= MEASURE_EVERY_MS) {
      usedBytes = await measureUsedBytes(session);
      measuredAt = now();
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

/** Bytes of the tables, with their indexes. */
async function measureUsedBytes(session: PostgresSession): Promise<number> {
  const { rows } = await session.run(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
     WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind IN ('r', 'm')`,
    [],
  );
  return (rows as readonly { bytes: number }[])[0]?.bytes ?? 0;
}
