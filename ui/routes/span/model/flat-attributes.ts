/** Attributes as a table of dotted names and values. */
import { type JsonObject, type JsonValue, stringifyJson } from '#base/json';
import { flattenAttributes } from '#domain/attributes';

/** One row. */
export interface AttributeRow {
  readonly name: string;
  readonly value: JsonValue;
  /** The value in one text: what is searched, and copied. */
  readonly text: string;
  /** Whether no attribute says so: the server derived it from the rest of the span. */
  readonly isDerived: boolean;
}

/** All attributes in the order of their names, then what was derived beside them. */
export function listAttributes(attributes: JsonObject, derived: JsonObject): AttributeRow[] {
  return [
    ...toRows(flattenAttributes(attributes), false),
    ...toRows(
      Object.entries(derived).filter(([, value]) => value !== null),
      true,
    ),
  ];
}

function toRows(entries: readonly (readonly [string, JsonValue])[], isDerived: boolean): AttributeRow[] {
  return entries
    .map(([name, value]) => ({
      name,
      value,
      text: typeof value === 'string' ? value : stringifyJson(value),
      isDerived,
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The rows whose name or value holds every word of the query, whatever the case. */
export function searchAttributes(rows: readonly AttributeRow[], query: string): readonly AttributeRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ name, text }) => {
    const searched = `${name}\n${text}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
