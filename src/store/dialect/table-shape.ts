/** A table as the catalogue of a database has it. */
export interface TableShape {
  readonly name: string;
  /** Columns of its primary key, in their order. */
  readonly key: readonly string[];
  /** Columns that the database computes. */
  readonly computed: readonly string[];
  /** Tables that its foreign keys refer to. */
  readonly parents: readonly string[];
  /** Whether the database numbers its rows. */
  readonly isSelfNumbered: boolean;
}

/** What a catalogue says of a table; lists are JSON. */
export interface TableRow {
  readonly name: string;
  readonly key: string;
  readonly computed: string;
  readonly parents: string;
  readonly isSelfNumbered: boolean;
}

/** The table of the row. */
export function toTableShape({ name, key, computed, parents, isSelfNumbered }: TableRow): TableShape {
  return { name, key: toList(key), computed: toList(computed), parents: toList(parents), isSelfNumbered };
}

function toList(json: string): readonly string[] {
  return JSON.parse(json) as string[];
}
