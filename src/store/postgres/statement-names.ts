/** Names of the statements that a connection keeps prepared. */
import type pg from 'pg';

/** The names of one connection; the statements that were used longest ago are closed. */
export class StatementNames {
  readonly #client: pg.Client;
  readonly #limit: number;
  readonly #names = new Map<string, string>();
  #given = 0;

  constructor(client: pg.Client, limit: number) {
    this.#client = client;
    this.#limit = limit;
  }

  /** The name of a statement; one that has none yet is prepared when it runs for the first time. */
  nameOf(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) {
      this.#names.delete(text);
      this.#names.set(text, known);
      return known;
    }
    this.#given += 1;
    const name = `s${this.#given}`;
    this.#names.set(text, name);
    for (const [oldest, old] of this.#names) {
      if (this.#names.size <= this.#limit) break;
      this.#names.delete(oldest);
      this.#close(old);
    }
    return name;
  }

  /** A statement that the server cannot run any more. */
  forget(text: string): void {
    const name = this.#names.get(text);
    if (name === undefined) return;
    this.#names.delete(text);
    this.#close(name);
  }

  /**
   * With the next statement: the message needs no answer, and is no error for one that does not exist or in a transaction that
   * failed, as DEALLOCATE would be.
   */
  #close(name: string): void {
    const connection = this.#client.connection as unknown as PreparingConnection;
    delete connection.parsedStatements[name];
    connection.close({ type: 'S', name });
  }
}

/** What the driver's connection has beside what its types say. */
interface PreparingConnection {
  /** Which the server has, by name. */
  readonly parsedStatements: Record<string, string>;
  close(statement: { readonly type: 'S'; readonly name: string }): void;
}
