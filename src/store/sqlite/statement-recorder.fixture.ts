/** Statements that are prepared, each with how SQLite answers it: what snapshots of SQL hold. */
import type { SqliteConnection } from './connection.ts';

/** Notes the statements of what is asked, section by section. */
export class StatementRecorder {
  readonly #sections: string[] = [];
  readonly #known = new Set<string>();
  #statements: string[] = [];

  /** The connection, watched. */
  readonly watch = (connection: SqliteConnection): SqliteConnection => ({
    ...connection,
    prepare: (text) => {
      if (!this.#known.has(text)) this.#statements.push(`${text};\n${planOf(connection, text)}`);
      this.#known.add(text);
      return connection.prepare(text);
    },
  });

  /** Runs a question; what is prepared meanwhile and was not before is its section. */
  async record(name: string, run: () => Promise<unknown>): Promise<void> {
    this.#statements = [];
    await run();
    this.#sections.push(`-- ${name}\n${this.#statements.join('\n')}\n`);
  }

  /** All sections. */
  get text(): string {
    return this.#sections.join('\n');
  }
}

function planOf(connection: SqliteConnection, statement: string): string {
  const parameters = Array.from(statement.matchAll(/\?/g), () => null);
  const steps = connection.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(parameters) as { detail: string }[];
  return steps.map(({ detail }) => `--   ${detail}`).join('\n');
}
