import { AppError } from '#base/errors';
import type { PostgresConfig } from '#config/postgres-config';
import { engineOf } from '#server/engine-of';
import { claimDatabase } from '#store/engine/open-engine';
import { describeDataPlace } from '../data-place.ts';
import type { Finding } from './finding.ts';

/** Whether the database can be reached, and whether this version can use it. */
export async function checkPostgres(database: PostgresConfig): Promise<Finding[]> {
  const check = 'Database';
  try {
    const claim = await claimDatabase(engineOf({ database, storageGuard: null }));
    claim.release();
    return [{ check, status: 'ok', message: `${describeDataPlace(database)} can be used` }];
  } catch (error) {
    if (error instanceof AppError) return [{ check, status: 'problem', message: error.message }];
    throw error;
  }
}
