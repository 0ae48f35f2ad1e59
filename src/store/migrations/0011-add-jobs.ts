import type { SqlDialect } from '../dialect/dialect.ts';

/** Creates the table of jobs, which takes in what two tables said of passes. */
export const name = '0011-add-jobs';

export function statements({ name: engine, define }: SqlDialect): readonly string[] {
  return [
    ...TABLE.map(define),
    insert(`VALUES ${STANDING.map((kind) => `('${kind}', '{}', '{}', NULL, 'running', 0, NULL)`).join()}`),
    insert(passOf('reindex_job', 'reindex', `'{"version":' || CAST(version AS TEXT) || '}'`)),
    insert(passOf('pricing_job', 'repricing', SCOPE[engine])),
    'DROP TABLE reindex_job',
    'DROP TABLE pricing_job',
  ];
}

const TABLE = [
  `CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    input TEXT NOT NULL,
    state TEXT NOT NULL,
    progress TEXT NOT NULL,
    budget TEXT,
    spent TEXT,
    result TEXT,
    error TEXT,
    owner TEXT,
    leased_until_us INTEGER NOT NULL DEFAULT 0,
    started_at_us INTEGER NOT NULL,
    finished_at_us INTEGER
  )`,
  'CREATE UNIQUE INDEX jobs_unfinished ON jobs (kind) WHERE finished_at_us IS NULL',
  'CREATE INDEX jobs_of_kind ON jobs (kind, id)',
];

const STANDING = ['compaction', 'columns', 'search', 'removal', 'retention'];

function insert(rows: string): string {
  return `INSERT INTO jobs (kind, input, progress, result, state, started_at_us, finished_at_us) ${rows}`;
}

function passOf(table: string, kind: string, input: string): string {
  return `SELECT '${kind}', ${input}, ${jsonOf(PROGRESS)},
    CASE WHEN finished_at_us IS NULL THEN NULL ELSE ${jsonOf(RESULT)} END,
    CASE WHEN finished_at_us IS NULL THEN 'running' ELSE 'done' END, started_at_us, finished_at_us FROM ${table}`;
}

/** In the order in which the program writes them: a step is compared with the text. */
const PROGRESS = {
  firstRowId: 'first_span_row_id',
  endRowId: 'end_span_row_id',
  nextRowId: 'next_span_row_id',
  readCount: 'read_count',
  changedCount: 'changed_count',
  failedCount: 'failed_count',
};

const RESULT = { done: 'changed_count', skipped: 'read_count - changed_count - failed_count', failed: 'failed_count' };

function jsonOf(numbers: Readonly<Record<string, string>>): string {
  const members = Object.entries(numbers).map(([key, value]) => `'"${key}":' || CAST(${value} AS TEXT)`);
  return `'{' || ${members.join(` || ',' || `)} || '}'`;
}

const TIMES = `',"startUs":' || coalesce(CAST(start_us AS TEXT), 'null') || ',"endUs":' || coalesce(CAST(end_us AS TEXT), 'null') || '}'`;

const SCOPE = {
  sqlite: `'{"namePattern":' || json_quote(name_pattern) || ${TIMES}`,
  postgres: `'{"namePattern":' || coalesce(to_json(name_pattern)::text, 'null') || ${TIMES}`,
};
