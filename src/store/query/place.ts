/** Where a row stands in an order. Rows without a value come last either way, in the direction of their row ids. */

/** The value of the order, `null` where the row has none or the order is that of arrival, and the row id. */
export interface Place {
  readonly value: number | string | null;
  readonly rowId: number;
}

/** Which way an order runs. */
export type Direction = 'asc' | 'desc';

/** Less than 0 where the row of that value and id comes before the place, 0 where it is there, else more. */
export function comparePlaces(value: Place['value'], rowId: number, place: Place, direction: Direction): number {
  const sign = direction === 'asc' ? 1 : -1;
  if (value === place.value) return sign * (rowId - place.rowId);
  if (value === null) return 1;
  if (place.value === null) return -1;
  return value < place.value ? -sign : sign;
}

/** The place right after one: whatever comes after the one is there or after it. */
export function afterPlace({ value, rowId }: Place, direction: Direction): Place {
  return { value, rowId: direction === 'asc' ? rowId + 1 : rowId - 1 };
}

/** The place right before one: whatever is there or after it comes after that. */
export function beforePlace({ value, rowId }: Place, direction: Direction): Place {
  return { value, rowId: direction === 'asc' ? rowId - 1 : rowId + 1 };
}

/** The first place of a value. */
export function fromPlace(value: number, direction: Direction): Place {
  return { value, rowId: direction === 'asc' ? 0 : Number.MAX_SAFE_INTEGER };
}
