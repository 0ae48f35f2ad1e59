/** Counts what is asked of a database. */
import type { Kysely, KyselyPlugin } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** A handle whose statements are counted. */
export interface CountedHandle {
  readonly db: Kysely<Tables>;
  /** Statements since the last time that this was asked, and their rows. */
  take(): { readonly statementCount: number; readonly rowCount: number };
}

/** The same database, counted. */
export function countStatements(db: Kysely<Tables>): CountedHandle {
  let [statementCount, rowCount] = [0, 0];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statementCount++;
      rowCount += result.rows.length;
      return result;
    },
  };
  return {
    db: db.withPlugin(plugin),
    take() {
      const taken = { statementCount, rowCount };
      [statementCount, rowCount] = [0, 0];
      return taken;
    },
  };
}
