/** Rows of tables as lines of files. */

/** A row by the ids of the table's columns. */
export interface ExportedRow {
  readonly id: string;
  readonly cells: Readonly<Record<string, Cell>>;
}

/** A part of a file, and how many rows of the table it is. */
export interface FilePart {
  readonly text: string;
  readonly rows: number;
}

/** What stands in a column of a row; null: nothing. */
export type Cell = string | number | null;

/** How rows are written: comma-separated as in RFC 4180, or an object of JSON to a line. */
export type FileForm = 'csv' | 'jsonl';

/** The line of names before the rows; empty where rows name their values themselves. */
export function writeHead(form: FileForm, columns: readonly string[]): string {
  return form === 'csv' ? `${columns.map(quote).join(',')}\r\n` : '';
}

/** One row with its line break. */
export function writeRow(form: FileForm, columns: readonly string[], row: Readonly<Record<string, Cell>>): string {
  if (form === 'jsonl')
    return `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column] ?? null])))}\n`;
  return `${columns.map((column) => quote(row[column] ?? null)).join(',')}\r\n`;
}

/** Pages of rows as parts of a file. */
export async function* writeRows(
  form: FileForm,
  columns: readonly string[],
  pages: AsyncIterable<readonly ExportedRow[]>,
): AsyncGenerator<FilePart> {
  yield { text: writeHead(form, columns), rows: 0 };
  for await (const rows of pages) {
    yield { text: rows.map(({ cells }) => writeRow(form, columns, cells)).join(''), rows: rows.length };
  }
}

/** A text that begins like a formula and is not a number stands behind a quote, so that no spreadsheet calculates what somebody sent. */
function quote(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
