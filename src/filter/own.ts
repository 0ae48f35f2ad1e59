/** The entry of a table; names of filters that every object has, as `constructor`, are no entries. */
export function own<Entry>(table: Readonly<Record<string, Entry>>, key: string): Entry | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
