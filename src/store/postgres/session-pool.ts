/** A few sessions for many readers. */
import type { Sessions } from './kysely-on-postgres.ts';
import type { PostgresSession } from './session.ts';

/** Opens sessions as they are needed; whoever finds all in use waits for one, first come, first served. */
export class SessionPool implements Sessions {
  readonly #make: () => PostgresSession;
  readonly #limit: number;
  readonly #all: PostgresSession[] = [];
  readonly #idle: PostgresSession[] = [];
  readonly #waiting: ((session: PostgresSession) => void)[] = [];

  constructor(limit: number, make: () => PostgresSession) {
    this.#limit = limit;
    this.#make = make;
  }

  acquire(): Promise<PostgresSession> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.#all.length === this.#limit) return new Promise((resolve) => this.#waiting.push(resolve));
    const session = this.#make();
    this.#all.push(session);
    return Promise.resolve(session);
  }

  release(session: PostgresSession): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(session);
    else next(session);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((session) => session.close()));
  }
}
