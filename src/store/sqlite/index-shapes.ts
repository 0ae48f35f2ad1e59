import type { SqliteConnection } from './connection.ts';

/** An index as statements can name what is in it. */
export interface IndexShape {
  readonly name: string;
  /** Its columns and expressions, as SQL. */
  readonly terms: readonly string[];
  /** The columns that it is made of, those of its expressions included, but for the row id. */
  readonly columns: readonly string[];
  /** Which rows it has, as SQL; `null` for all. */
  readonly condition: string | null;
  readonly isUnique: boolean;
}

/** The indexes of a table with row ids. */
export function readIndexes(connection: SqliteConnection, table: string): readonly IndexShape[] {
  const indexes = connection
    .prepare(
      'SELECT list.name, list."unique" AS is_unique, sqlite_schema.sql FROM pragma_index_list(?) AS list JOIN sqlite_schema ON sqlite_schema.name = list.name',
    )
    .all([table]) as { name: string; is_unique: number; sql: string | null }[];
  const ofTable = connection.prepare('SELECT name FROM pragma_table_xinfo(?) WHERE pk = 0').all([table]) as {
    name: string;
  }[];
  return indexes.map(({ name, is_unique: isUnique, sql }) => {
    const parts = connection.prepare('SELECT cid, name FROM pragma_index_xinfo(?) WHERE key = 1').all([name]) as {
      cid: number;
      name: string | null;
    }[];
    const { terms: written, condition } = sql === null ? { terms: [], condition: null } : parseIndex(sql);
    const terms = parts.map((part, place) => (part.name === null ? (written[place] ?? '') : `"${part.name}"`));
    const columns = ofTable.flatMap((column) =>
      terms.some((term) => hasWord(term, column.name)) ? [column.name] : [],
    );
    return { name, terms, columns, condition, isUnique: isUnique === 1 };
  });
}

function hasWord(term: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`).test(term);
}

/** What stands between the outer parentheses of `CREATE INDEX`, and behind its WHERE. */
function parseIndex(statement: string) {
  const terms = [''];
  let depth = 0;
  for (let at = statement.indexOf('('); at < statement.length; at++) {
    const character = statement[at] ?? '';
    if (character === ')' && --depth === 0) {
      const [, condition = null] = /^\s*WHERE\s+([\s\S]*)$/i.exec(statement.slice(at + 1)) ?? [];
      return { terms: terms.map((term) => term.trim()), condition };
    }
    if (character === ',' && depth === 1) terms.push('');
    else if (depth > 0) terms[terms.length - 1] += character;
    if (character === '(') depth++;
  }
  throw new Error(`not an index: ${statement}`);
}
