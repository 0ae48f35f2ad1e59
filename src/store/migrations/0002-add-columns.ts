import type { SqlDialect } from '../dialect/dialect.ts';

/** Creates what is kept of spans column by column. */
export const name = '0002-add-columns';

export function statements({ name: engine, define }: SqlDialect): readonly string[] {
  return [...TABLES.map(define), ...TRIGGERS[engine]];
}

const TABLES = [
  `CREATE TABLE span_segments (
    segment INTEGER PRIMARY KEY,
    build INTEGER NOT NULL,
    format TEXT NOT NULL,
    is_due INTEGER NOT NULL,
    row_count INTEGER NOT NULL,
    min_start_us INTEGER,
    max_start_us INTEGER,
    project_ids TEXT
  )`,
  `CREATE TABLE span_segment_columns (
    segment INTEGER NOT NULL,
    name TEXT NOT NULL,
    build INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (segment, name)
  )`,
  `CREATE TABLE span_segment_changes (
    span_row_id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL
  )`,
];

/** A row that is replaced is deleted first, and no id is given again, so that an insert needs no trigger. */
const TRIGGERS: Readonly<Record<SqlDialect['name'], readonly string[]>> = {
  sqlite: ['UPDATE', 'DELETE'].map(
    (event) => `CREATE TRIGGER spans_changed_by_${event.toLowerCase()} AFTER ${event} ON spans
    WHEN EXISTS (SELECT 1 FROM span_segments WHERE segment = OLD.id >> 12)
    BEGIN
      INSERT INTO span_segment_changes (span_row_id, version) VALUES (OLD.id, 1)
      ON CONFLICT (span_row_id) DO UPDATE SET version = version + 1;
    END`,
  ),
  // Once a statement, not once a row.
  postgres: [
    `CREATE FUNCTION note_changed_spans() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO span_segment_changes (span_row_id, version)
        SELECT id, 1 FROM old_spans WHERE EXISTS (SELECT 1 FROM span_segments WHERE segment = old_spans.id >> 12)
        ON CONFLICT (span_row_id) DO UPDATE SET version = span_segment_changes.version + 1;
      RETURN NULL;
    END $$`,
    ...['UPDATE', 'DELETE'].map(
      (event) => `CREATE TRIGGER spans_changed_by_${event.toLowerCase()} AFTER ${event} ON spans
    REFERENCING OLD TABLE AS old_spans FOR EACH STATEMENT EXECUTE FUNCTION note_changed_spans()`,
    ),
  ],
};
