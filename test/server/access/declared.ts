/** Who may do what, as docs/access.md says it for people: one table, which the tests of this folder hold row by row. */
import { readFileSync } from 'node:fs';

/** What a caller shows, by the columns of the table. */
export const COLUMNS = [
  'none',
  'pending',
  'viewer',
  'member',
  'admin',
  'viewer key',
  'member key',
  'admin key',
  'system key',
  'read key',
  'ingest key',
  'own project',
  'other project',
  'admin secret',
  'off',
] as const;

/** A column of the table. */
export type Column = (typeof COLUMNS)[number];

/** A row: whether each of the columns may. */
export type Row = Readonly<Record<Column, boolean>>;

/** All rows by their operations, as `GET /v1/projects`, `mutation createProject` or `gRPC TraceService`. */
export function readDeclared(): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  let columns: readonly string[] = [];
  for (const cells of tableLines(readFileSync(DOCUMENT, 'utf8'))) {
    const [first = '', ...rest] = cells;
    if (first === 'Operation') columns = rest;
    const operation = /^`(.+)`$/.exec(first)?.[1];
    if (operation === undefined) continue;
    if (columns.join() !== COLUMNS.join()) throw new Error(`The table with ${operation} has other columns.`);
    if (rows.has(operation)) throw new Error(`${operation} has two rows.`);
    rows.set(operation, rowOf(operation, rest));
  }
  return rows;
}

function rowOf(operation: string, cells: readonly string[]): Row {
  if (cells.length !== COLUMNS.length) throw new Error(`The row of ${operation} has ${cells.length} cells.`);
  return Object.fromEntries(
    COLUMNS.map((column, place) => {
      const mark = cells[place] ?? '';
      if (mark !== '✓' && mark !== '–') throw new Error(`${operation}, ${column}: ${mark} is neither ✓ nor –.`);
      return [column, mark === '✓'];
    }),
  ) as Record<Column, boolean>;
}

/** The cells of each line of a table in Markdown, without the blanks around them. */
export function tableLines(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => /^\|.*\|$/.test(line) && !/^\|[-:| ]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

const DOCUMENT = new URL('../../../docs/access.md', import.meta.url);
