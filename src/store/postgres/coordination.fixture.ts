/** Servers that coordinate, and a record of who led when. */
import type { JobName, Message } from '../coordination/port.ts';
import { type CoordinationTimes, PostgresCoordination } from './coordination.ts';
import type { PostgresAddress } from '../engine/postgres-address.ts';

/** Short enough to be waited for. */
export const TEST_TIMES: CoordinationTimes = { lookMs: 40, answerMs: 500, settleMs: 50, wakeMs: 60_000 };

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
  readonly woken: JobName[];
  readonly errors: string[];
}

/** Starts one that would lead the job. `stop` is what ending its work waits for. */
export function startServer(
  address: PostgresAddress,
  name: string,
  record = new LeadingRecord(),
  stop: () => Promise<void> = async () => undefined,
): TestServer {
  const heard: Message[] = [];
  const woken: JobName[] = [];
  const errors: string[] = [];
  const coordination = new PostgresCoordination({
    address,
    serverId: name,
    onError: (message, error) => void errors.push(`${message}: ${String(error)}`),
    times: TEST_TIMES,
  });
  coordination.onMessage((message) => heard.push(message));
  coordination.lead('compaction', () => {
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
