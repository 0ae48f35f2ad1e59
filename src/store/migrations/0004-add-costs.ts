import type { SqlDialect } from '../dialect/dialect.ts';

/** Adds what calls cost and what models cost. */
export const name = '0004-add-costs';

export function statements({ name: engine, define }: SqlDialect): readonly string[] {
  return [...TABLES.map(define), ...(engine === 'sqlite' ? STORED_BEFORE : [])];
}

const SPAN_COLUMNS = [
  'prompt_audio_tokens INTEGER',
  'completion_audio_tokens INTEGER',
  'claimed_cost_nanousd INTEGER',
  'claimed_prompt_cost_nanousd INTEGER',
  'claimed_completion_cost_nanousd INTEGER',
  'counted_prompt_cost_nanousd INTEGER NOT NULL DEFAULT 0',
  'counted_completion_cost_nanousd INTEGER NOT NULL DEFAULT 0',
  'input_cost_nanousd INTEGER',
  'cache_read_cost_nanousd INTEGER',
  'cache_write_cost_nanousd INTEGER',
  'prompt_audio_cost_nanousd INTEGER',
  'output_cost_nanousd INTEGER',
  'reasoning_cost_nanousd INTEGER',
  'completion_audio_cost_nanousd INTEGER',
];

const SUM_COLUMNS = [
  'prompt_cost_nanousd INTEGER NOT NULL DEFAULT 0',
  'completion_cost_nanousd INTEGER NOT NULL DEFAULT 0',
];

const TABLES = [
  ...SPAN_COLUMNS.map((column) => `ALTER TABLE spans ADD COLUMN ${column}`),
  ...SUM_COLUMNS.map((column) => `ALTER TABLE traces ADD COLUMN ${column}`),
  ...SUM_COLUMNS.map((column) => `ALTER TABLE sessions ADD COLUMN ${column}`),
  `CREATE TABLE model_prices (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    provider TEXT,
    name_pattern TEXT NOT NULL,
    start_us INTEGER,
    prices TEXT NOT NULL,
    created_at_us INTEGER NOT NULL,
    updated_at_us INTEGER NOT NULL,
    deleted_at_us INTEGER
  )`,
  `CREATE UNIQUE INDEX model_prices_by_name ON model_prices (name, coalesce(start_us, -1)) WHERE deleted_at_us IS NULL`,
  `CREATE UNIQUE INDEX model_prices_by_pattern ON model_prices
    (name_pattern, coalesce(provider, ''), coalesce(start_us, -1)) WHERE deleted_at_us IS NULL`,
  `CREATE TABLE pricing_job (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name_pattern TEXT,
    start_us INTEGER,
    end_us INTEGER,
    first_span_row_id INTEGER NOT NULL,
    end_span_row_id INTEGER NOT NULL,
    next_span_row_id INTEGER NOT NULL,
    read_count INTEGER NOT NULL,
    changed_count INTEGER NOT NULL,
    failed_count INTEGER NOT NULL,
    started_at_us INTEGER NOT NULL,
    finished_at_us INTEGER
  )`,
];

function wholeNumber(key: string): string {
  return `CASE WHEN json_type(attributes, '$."${key}"') = 'integer' THEN json_extract(attributes, '$."${key}"') END`;
}

/** Nothing was stored elsewhere. */
const STORED_BEFORE = [
  // What producers reported counted before, too.
  `UPDATE spans SET
      claimed_cost_nanousd =
        CASE WHEN cost_usd >= 5e-10 AND cost_usd <= 1e5 THEN CAST(round(cost_usd * 1e9) AS INTEGER) END,
      prompt_audio_tokens = ${wholeNumber('llm.token_count.prompt_details.audio')},
      completion_audio_tokens = ${wholeNumber('llm.token_count.completion_details.audio')}
    WHERE cost_usd > 0 OR instr(attributes, '_details.audio') > 0`,
  // Spans that are stored already are priced in the background, from the first start on.
  `INSERT INTO pricing_job
    SELECT 1, NULL, NULL, NULL, first, last + 1, first, 0, 0, 0, CAST(strftime('%s', 'now') AS INTEGER) * 1000000, NULL
    FROM (SELECT min(id) AS first, max(id) AS last FROM spans) WHERE first IS NOT NULL`,
];
