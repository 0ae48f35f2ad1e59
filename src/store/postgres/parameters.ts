/** Values of statements as the driver is given them. */
import { storableText } from '#normalize/text';

/**
 * Text that PostgreSQL could not hold is made storable, so that a filter for such a text finds what was stored of it; what
 * is no number becomes null, as SQLite does.
 */
export function toParameters(values: readonly unknown[]): unknown[] {
  return values.map(toParameter);
}

function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(toParameter);
  return Number.isNaN(value) ? null : value;
}
