/** Attributes of root spans: from their rows, and from their originals where rows leave them out. */
import type { JsonValue } from '#base/json';
import type { AttributeColumn } from '../../columns/batch.ts';
import type { NarrowRow } from '../../columns/narrow-rows.ts';
import { RowBatch } from '../../columns/row-batch.ts';
import type { OriginalValues } from './original-values.ts';

/** Rows of root spans with their attributes. */
export class RootValues {
  readonly #batch: RowBatch;
  readonly #places: ReadonlyMap<number, number>;
  readonly #uncertain = new Map<AttributeColumn, ReadonlySet<number>>();

  /** @param rows ascending by id */
  constructor(rows: readonly NarrowRow[]) {
    this.#batch = new RowBatch(rows);
    this.#places = new Map(rows.map(({ id }, place) => [id, place]));
  }

  /** The attribute of a root, `undefined` where it has none, and where the originals are asked. */
  attribute(rowId: number, path: string, originals: OriginalValues): JsonValue | undefined {
    const place = this.#places.get(rowId);
    if (place === undefined) return undefined;
    const column = this.#batch.attribute(path);
    if (this.#uncertainOf(column).has(place)) return originals.attribute(rowId, path);
    return column.values[column.codes[place] ?? 0];
  }

  #uncertainOf(column: AttributeColumn): ReadonlySet<number> {
    let places = this.#uncertain.get(column);
    if (places === undefined) {
      places = new Set(column.uncertain);
      this.#uncertain.set(column, places);
    }
    return places;
  }
}
