/**
 * Leases of jobs: the server that works on a job renews its lease in the job's row, by the clock of the database. A server that is
 * gone or cut off no longer renews; another server takes the job when the lease has expired.
 */
import type { JobId } from '../jobs/job.ts';

/** Which jobs a server asks for. */
export interface LeaseRequest {
  readonly serverId: string;
  /** For how long, in milliseconds. */
  readonly leaseMs: number;
  /** Jobs of these kinds that no other server has. */
  readonly kinds: readonly string[];
  /** None of these, though. */
  readonly exceptIds: readonly number[];
  /** These of its own in any case. */
  readonly keptIds: readonly number[];
}

/** A job that is not over. */
export interface LeasedJob extends JobId {
  /** Whether the server has it from now on. */
  readonly isHeld: boolean;
  /** Whether it had it before; while somebody else has the row locked, its lease is not renewed. */
  readonly wasHeld: boolean;
}

const NOW_US = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint';

/** Parameters: see {@link leaseParameters}. A row that a step has locked is left for the next time. */
export const RENEW_LEASES = `WITH held AS (
    UPDATE jobs SET owner = $1, leased_until_us = ${NOW_US} + $2 WHERE id IN (
      SELECT id FROM jobs WHERE finished_at_us IS NULL AND state = 'running'
        AND (owner = $1 OR leased_until_us <= ${NOW_US}
          -- Given by a primary whose clock was ahead.
          OR leased_until_us > ${NOW_US} + $2)
        AND (id = ANY($5::bigint[]) OR (kind = ANY($3::text[]) AND id <> ALL($4::bigint[])))
      FOR UPDATE SKIP LOCKED)
    RETURNING id)
  SELECT id, kind, id IN (SELECT id FROM held) AS "isHeld", coalesce(owner = $1, false) AND state = 'running' AS "wasHeld"
  FROM jobs WHERE finished_at_us IS NULL ORDER BY id`;

/** What {@link RENEW_LEASES} is run with. */
export function leaseParameters({ serverId, leaseMs, kinds, exceptIds, keptIds }: LeaseRequest): readonly unknown[] {
  return [serverId, leaseMs * 1000, kinds, exceptIds, keptIds];
}

/** Lets others have all jobs of a server, which is the parameter. */
export const RELEASE_LEASES = 'UPDATE jobs SET owner = NULL, leased_until_us = 0 WHERE owner = $1';
