import type { SqlDialect } from '../dialect/dialect.ts';

/** Adds what calls cost and what models cost. */
export const name = '0004-add-costs';

export function statements(dialect: SqlDialect): readonly string[] {
  return [...TABLES.map(dialect.define), ...storedBefore(dialect)];
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

/** What producers reported before counted, too; and what is stored already is priced in the background, from the first start on. */
function storedBefore({ name: engine, nowUs }: SqlDialect): readonly string[] {
  const { rounded, wholeNumber } = OF_ENGINE[engine];
  return [
    `UPDATE spans SET
      claimed_cost_nanousd = CASE WHEN cost_usd >= 5e-10 AND cost_usd <= 1e5 THEN ${rounded('cost_usd * 1e9')} END,
      prompt_audio_tokens = ${wholeNumber('llm.token_count.prompt_details.audio')},
      completion_audio_tokens = ${wholeNumber('llm.token_count.completion_details.audio')}
    WHERE cost_usd > 0 OR attributes LIKE '%_details.audio%'`,
    `INSERT INTO pricing_job
    SELECT 1, NULL, NULL, NULL, first_id, last_id + 1, first_id, 0, 0, 0, ${nowUs}, NULL
    FROM (SELECT min(id) AS first_id, max(id) AS last_id FROM spans) AS stored WHERE first_id IS NOT NULL`,
  ];
}

const OF_ENGINE: Readonly<Record<SqlDialect['name'], InWordsOf>> = {
  sqlite: {
    rounded: (number) => `CAST(round(${number}) AS INTEGER)`,
    wholeNumber: (key) =>
      `CASE WHEN json_type(attributes, '$."${key}"') = 'integer' THEN json_extract(attributes, '$."${key}"') END`,
  },
  // Its JSON functions refuse texts with \u0000, which attributes may have.
  postgres: {
    rounded: (number) => `round(${number})::bigint`,
    wholeNumber: (key) =>
      `substring(attributes FROM '[{,]"${key.replaceAll('.', '[.]')}":(-?[0-9]{1,18})[,}]')::bigint`,
  },
};

interface InWordsOf {
  readonly rounded: (number: string) => string;
  /** The value of a key of the attributes, which are a flat object without white space. */
  readonly wholeNumber: (key: string) => string;
}
