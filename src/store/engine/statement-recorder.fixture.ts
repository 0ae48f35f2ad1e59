/** Statements as an engine gets them: what snapshots of SQL hold, a file for each engine. */
import { TEST_ENGINE } from '../../../test/harness/test-engine.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { openClient } from '../postgres/connect.ts';
import { passwordSource } from '../postgres/passwords.ts';
import { PostgresSession } from '../postgres/session.ts';
import type { SqliteConnection } from '../sqlite/connection.ts';
import { openSqliteTestEngine } from '../sqlite/open-test-engine.fixture.ts';
import { openPostgresTestEngine } from './open-postgres-test-engine.fixture.ts';
import type { TestEngine } from './test-engine.fixture.ts';

/** The snapshot of the engine that the tests run for, beside the test. */
export const QUERIES = `./queries.${TEST_ENGINE}.sql`;

/** Which statements are noted a second time. */
type Repeats = 'none' | 'of other sections' | 'all';

/** Notes the statements of what is asked, section by section: those of SQLite, which needs no statistics, with their plans. */
export class StatementRecorder {
  readonly #repeats: Repeats;
  readonly #sections: string[] = [];
  readonly #known = new Set<string>();
  #statements: string[] = [];

  constructor(repeats: Repeats = 'none') {
    this.#repeats = repeats;
  }

  /** Opens the engine of the run, watched. */
  open(): Promise<TestEngine> {
    return TEST_ENGINE === 'postgres'
      ? openPostgresTestEngine((address) => new NotedSession(address, (text) => this.#note(text)))
      : openSqliteTestEngine((connection) => this.#watch(connection));
  }

  /** Runs a question; what is prepared meanwhile is its section. */
  async record(name: string, run: () => Promise<unknown>): Promise<void> {
    if (this.#repeats === 'none') this.#statements = [];
    else this.restart();
    await run();
    this.#sections.push(`-- ${name}\n${this.#statements.join('\n')}\n`);
  }

  /** All sections. */
  get text(): string {
    return this.#sections.join('\n');
  }

  /** Forgets what was noted so far. */
  restart(): void {
    this.#statements = [];
    this.#known.clear();
  }

  /** The statements of the last section, or all where there was none. */
  get statements(): readonly string[] {
    return this.#statements;
  }

  #watch(connection: SqliteConnection): SqliteConnection {
    return {
      ...connection,
      prepare: (text) => {
        this.#note(text, () => `\n${planOf(connection, text)}`);
        return connection.prepare(text);
      },
    };
  }

  #note(text: string, plan: () => string = () => ''): void {
    if (text.startsWith('PRAGMA') || (this.#repeats !== 'all' && this.#known.has(text))) return;
    this.#known.add(text);
    this.#statements.push(`${text};${plan()}`);
  }
}

class NotedSession extends PostgresSession {
  readonly #note: (text: string) => void;

  constructor(address: PostgresAddress, note: (text: string) => void) {
    super(() => openClient(address, 'write', passwordSource(address)));
    this.#note = note;
  }

  override run(...statement: Parameters<PostgresSession['run']>): ReturnType<PostgresSession['run']> {
    this.#note(statement[0]);
    return super.run(...statement);
  }

  override copyIn(...statement: Parameters<PostgresSession['copyIn']>): ReturnType<PostgresSession['copyIn']> {
    this.#note(statement[0]);
    return super.copyIn(...statement);
  }
}

function planOf(connection: SqliteConnection, statement: string): string {
  const parameters = Array.from(statement.matchAll(/\?/g), () => null);
  const steps = connection.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(parameters) as { detail: string }[];
  return steps.map(({ detail }) => `--   ${detail}`).join('\n');
}
