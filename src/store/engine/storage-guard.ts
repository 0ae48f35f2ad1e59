/** Refuses new data while the stored data take more than they may. */
import { AppError } from '#base/errors';

/**
 * A check to make before each write: it measures at most once a minute, and lets writes through again by itself. `null` lets the data
 * grow as they like.
 * @throws AppError `insufficient_storage`
 */
export function storageGuard(
  measureUsedBytes: () => Promise<number>,
  blockAboveBytes: number | null,
  now = Date.now,
): () => Promise<void> {
  if (blockAboveBytes === null) return async () => undefined;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let usedBytes = 0;
  return async () => {
    if (now() - measuredAt >= MEASURE_EVERY_MS) {
      usedBytes = await measureUsedBytes();
      measuredAt = now();
    }
    if (usedBytes > blockAboveBytes) {
      throw new AppError(
        'insufficient_storage',
        `The data uses ${usedBytes} bytes; the limit is ${blockAboveBytes}. Delete traces, or raise SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES.`,
      );
    }
  };
}

const MEASURE_EVERY_MS = 60_000;
