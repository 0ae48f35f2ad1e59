/** Attributes that have columns of tables: what columns are called, and what the browser keeps of them. */

/** As many columns as a table may have for attributes: the server reads no more at once. */
export const MAX_ATTRIBUTE_COLUMNS = 12;

const ID_PREFIX = 'attributes.';

/** What a column for an attribute is called in layouts and files. */
export function attributeColumnId(path: string): string {
  return ID_PREFIX + path;
}

/** The attribute of a column; undefined of the other columns. */
export function pathOfColumn(id: string): string | undefined {
  return id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : undefined;
}

/** Texts, each once, as the browser has kept them. */
export function readPaths(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const paths = value.filter((path): path is string => typeof path === 'string' && path !== '' && path.length <= 200);
  return [...new Set(paths)].slice(0, MAX_ATTRIBUTE_COLUMNS);
}
