/** Servers that coordinate, and a record of who led when. */
import type { Message } from '../coordination/port.ts';
import type { JobKind } from '../jobs/job.ts';
import { type CoordinationTimes, PostgresCoordination } from './coordination.ts';
import type { PostgresAddress } from '../engine/postgres-address.ts';

/** Creates what servers coordinate by: each look says whether the schema is one that is known, and renews leases. */
export const COORDINATED = `CREATE TABLE schema_migrations (name text);
  CREATE TABLE jobs (id bigint, kind text, state text, owner text, leased_until_us bigint, finished_at_us bigint);
  INSERT INTO jobs VALUES (1, 'compaction', 'running', NULL, 0, NULL)`;

/** Short enough to be waited for. */
export const TEST_TIMES: CoordinationTimes = { lookMs: 40, answerMs: 500, leaseMs: 600 };

/** Who leads a job, and what must never be. */
export class LeadingRecord {
  readonly #leading = new Set<string>();
  /** Leaders in their order. */
  readonly history: string[] = [];
  /** Two that led at the same time. */
  readonly overlaps: string[] = [];

  get leaders(): readonly string[] {
    return [...this.#leading];
  }

  begin(name: string): void {
    if (this.#leading.size > 0) this.overlaps.push(`${name} beside ${this.leaders.join()}`);
    this.#leading.add(name);
    this.history.push(name);
  }

  stop(name: string): void {
    this.#leading.delete(name);
  }
}

/** A server of a test. */
export interface TestServer {
  readonly coordination: PostgresCoordination;
  readonly heard: Message[];
  readonly woken: JobKind[];
  readonly errors: string[];
}

/** Starts one that would work on the standing job of compaction. `stop` is what ending its work waits for. */
export function startServer(
  address: PostgresAddress,
  name: string,
  record = new LeadingRecord(),
  stop: () => Promise<void> = async () => undefined,
  times = TEST_TIMES,
): TestServer {
  const heard: Message[] = [];
  const woken: JobKind[] = [];
  const errors: string[] = [];
  const coordination = new PostgresCoordination({
    address,
    serverId: name,
    onError: (message, error) => void errors.push(`${message}: ${String(error)}`),
    times,
  });
  coordination.onMessage((message) => heard.push(message));
  coordination.serve('compaction', () => {
    record.begin(name);
    return {
      stop: async () => {
        record.stop(name);
        await stop();
      },
      wake: () => void woken.push('compaction'),
    };
  });
  return { coordination, heard, woken, errors };
}
