/** Rows of data frames as JSON, and what their columns hold. */
import { JsonNumber } from '#base/json';
import { formatTimestamp } from '#domain/timestamp';
import type { Subtree } from '#store/spans/browse-port';
import { CELL_TYPES, type FrameColumn, type FramePage, type FrameQuery, type WholeFrame } from '#store/spans/frame';
import type { FrameWriter } from '#store/spans/frame-maker';
import type { StoredSpan } from '#store/spans/presenter';
import { finalLabel, frameRows, namedLabels } from './frame-rows.ts';
import { type Cell, FrameTime } from './source.ts';

/** A column while rows are written. */
interface OpenColumn extends FrameColumn {
  /** The name of its member in a row. */
  readonly name: string;
  types: number;
  valueCount: number;
}

/** Writes a page; see {@link FrameWriter}. */
export class JsonFrameWriter implements FrameWriter {
  readonly #query: FrameQuery;
  readonly #columns: OpenColumn[] = [];
  readonly #levels = new Map<string, OpenColumn>();
  /** By their final labels, and by those that cells have. */
  readonly #byLabel = new Map<string, OpenColumn>();
  readonly #byCellLabel = new Map<string, OpenColumn>();
  readonly #rows: string[] = [];
  #spanCount = 0;
  length = 0;

  constructor(query: FrameQuery, columns: readonly FrameColumn[] | null) {
    this.#query = query;
    for (const column of columns ?? initialColumns(query)) this.#open(column);
  }

  add(stored: StoredSpan, subtree: Subtree | undefined): void {
    this.#spanCount++;
    for (const { index, cells } of frameRows(this.#query, stored, subtree)) {
      const row: Record<string, unknown> = {};
      for (const [label, cell] of index) put(row, this.#levels.get(label), cell);
      for (const [label, cell] of cells) {
        // As an index it is there already; of whole spans it is both.
        if (this.#query.select !== null && label === this.#query.index.label) continue;
        put(row, this.#byCellLabel.get(label) ?? this.#columnOf(label), cell);
      }
      const text = JSON.stringify(row);
      this.#rows.push(text);
      this.length += text.length;
    }
  }

  finish(nextCursor: string | null): FramePage {
    return {
      rows: new Uint8Array(Buffer.from(this.#rows.join(','))),
      rowCount: this.#rows.length,
      spanCount: this.#spanCount,
      columns: this.#columns.map(({ label, isIndex, types, valueCount }) => ({ label, isIndex, types, valueCount })),
      nextCursor,
    };
  }

  #columnOf(cellLabel: string): OpenColumn {
    const label = finalLabel(this.#query, cellLabel);
    const column = this.#byLabel.get(label) ?? this.#open({ label, isIndex: false, types: 0, valueCount: 0 });
    this.#byCellLabel.set(cellLabel, column);
    return column;
  }

  #open(column: FrameColumn): OpenColumn {
    const open = { ...column, name: memberName(this.#columns.length, column.label) };
    this.#columns.push(open);
    (column.isIndex ? this.#levels : this.#byLabel).set(column.label, open);
    return open;
  }
}

/** Of cells with one label the first. */
function put(row: Record<string, unknown>, column: OpenColumn | undefined, cell: Cell): void {
  if (column === undefined || column.name in row) return;
  if (cell !== null) {
    column.types |= typeOf(cell);
    column.valueCount++;
  }
  row[column.name] = cell instanceof FrameTime ? formatNanoseconds(cell.timeUs) : cell;
}

/** The name of a column's member in a row. */
export function memberName(place: number, label: string): string {
  return `${place}_${label}`;
}

/** The columns that a frame has before it has any row. */
function initialColumns(query: FrameQuery): readonly FrameColumn[] {
  const levels = [query.index.label, ...(query.explode === null ? [] : [query.explode.position])];
  const labels = namedLabels(query)
    .filter((label) => query.select === null || label !== query.index.label)
    .map((label) => finalLabel(query, label));
  return [
    ...levels.map((label) => ({ label, isIndex: true, types: 0, valueCount: 0 })),
    ...[...new Set(labels)].map((label) => ({ label, isIndex: false, types: 0, valueCount: 0 })),
  ];
}

/** ISO 8601 with as many digits for every time, as pandas guesses the form of all from the first. */
function formatNanoseconds(timeUs: number): string {
  const iso = formatTimestamp(timeUs);
  const fraction = iso.length > WHOLE_SECOND.length ? iso.slice(SECOND_LENGTH + 1, SECOND_LENGTH + 7) : '000000';
  return `${iso.slice(0, SECOND_LENGTH)}.${fraction}000Z`;
}

const WHOLE_SECOND = 'yyyy-mm-ddThh:mm:ss+00:00';
const SECOND_LENGTH = 'yyyy-mm-ddThh:mm:ss'.length;

function typeOf(cell: Exclude<Cell, null>): number {
  if (cell instanceof FrameTime) return CELL_TYPES.time;
  if (typeof cell === 'string') return CELL_TYPES.text;
  if (typeof cell === 'boolean') return CELL_TYPES.boolean;
  if (typeof cell === 'number') return Number.isInteger(cell) ? CELL_TYPES.integer : CELL_TYPES.float;
  if (cell instanceof JsonNumber) return /^-?\d+$/.test(cell.text) ? CELL_TYPES.integer : CELL_TYPES.float;
  return CELL_TYPES.nested;
}

/** The frame of a query that no span matches. */
export function emptyFrame(query: FrameQuery): WholeFrame {
  const { columns, rows, rowCount } = new JsonFrameWriter(query, null).finish(null);
  return { columns, pages: [rows], rowCount, damaged: [] };
}
