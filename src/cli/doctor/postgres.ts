import { AppError, errorMessage } from '#base/errors';
import type { PostgresConfig } from '#config/postgres-config';
import { engineOf, replicaOf } from '#server/engine-of';
import { claimDatabase, openReplicaEngine } from '#store/open/open-engine';
import { describeDataPlace } from '../data-place.ts';
import type { Finding } from './finding.ts';

/** Whether the database can be reached, and whether this version can use it; the same of its replica. */
export async function checkPostgres(database: PostgresConfig): Promise<Finding[]> {
  const check = 'Database';
  try {
    const claim = await claimDatabase(engineOf({ database, storageGuard: null }), { willWrite: true });
    claim.release();
    return [
      { check, status: 'ok', message: `${describeDataPlace(database)} is ready` },
      ...(await checkReplica(database)),
    ];
  } catch (error) {
    if (error instanceof AppError) return [{ check, status: 'problem', message: error.message }];
    throw error;
  }
}

/** Without a replica that can be used, a server reads from the primary. */
async function checkReplica(database: PostgresConfig): Promise<Finding[]> {
  const address = replicaOf({ database });
  if (address === null) return [];
  const check = 'Read replica';
  const replica = await openReplicaEngine(engineOf({ database, storageGuard: null }), address);
  try {
    const lagMs = await replica.measureLag();
    return [{ check, status: 'ok', message: `ready, ${Math.round(lagMs)} ms behind the primary` }];
  } catch (error) {
    const repair = 'Reads go to the primary. Check the replica, and SERVICE_SQL_DATABASE_READ_REPLICA_URL.';
    return [{ check, status: 'warning', message: errorMessage(error), repair }];
  } finally {
    await replica.close();
  }
}
