/** What in a data file contradicts something else in it. */
import { openSqlite } from '#store/sqlite/connection';
import { LOG_CONTRADICTIONS } from './log-contradictions.ts';

/** Everything that is wrong with a data file, on its own account and as SQLite sees it; a server may have it open. */
export function findContradictions(path: string): readonly { readonly what: string; readonly row: unknown }[] {
  const database = openSqlite(path, { readOnly: true });
  try {
    return Object.entries(CONTRADICTIONS).flatMap(([what, query]) =>
      database
        .prepare(query)
        .all([])
        .map((row) => ({ what, row })),
    );
  } finally {
    database.close();
  }
}

/**
 * Tokens and cost that count: those of model calls without another below them that claims any (reached through spans that
 * only group), and that do not describe what another instrumentation describes beside them: `derive/usage.ts`.
 */
const COUNTED = `
  claiming AS (
    SELECT * FROM spans WHERE kind = 0 AND (prompt_tokens > 0 OR completion_tokens > 0 OR claimed_cost_nanousd > 0)
  ),
  near (trace_row_id, span_id, parent_span_id, distance) AS (
    SELECT trace_row_id, span_id, parent_span_id, 0 FROM claiming
    UNION
    SELECT above.trace_row_id, above.span_id, above.parent_span_id, near.distance + 1
    FROM near JOIN spans AS above ON above.trace_row_id = near.trace_row_id AND above.span_id = near.parent_span_id
    WHERE above.span_id <> near.span_id AND near.distance < 16 AND above.kind IN (0, 1, 5, 9, 10, 11)
      AND above.id NOT IN (SELECT id FROM claiming)
  ),
  innermost AS (
    SELECT * FROM claiming WHERE NOT EXISTS (
      SELECT 1 FROM near WHERE near.trace_row_id = claiming.trace_row_id
        AND near.parent_span_id = claiming.span_id AND near.span_id <> claiming.span_id)
  ),
  answered AS (
    SELECT *, lag(end_us) OVER one AS end_before, lag(start_us) OVER one AS start_before,
      lag(instrumentation_scope_id) OVER one AS scope_before
    FROM innermost WINDOW one AS (PARTITION BY project_id, response_key ORDER BY start_us, id)
  ),
  counting AS (
    SELECT * FROM answered WHERE response_key IS NULL OR scope_before IS NULL
      OR scope_before = instrumentation_scope_id OR start_us - start_before >= 4194304
      OR (coalesce(end_before, start_before) <= start_us AND start_before <> start_us)
  ),
  counted AS (
    SELECT trace_row_id, sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
      sum(claimed_cost_nanousd) AS cost_nanousd, sum(claimed_prompt_cost_nanousd) AS prompt_cost_nanousd,
      sum(claimed_completion_cost_nanousd) AS completion_cost_nanousd
    FROM counting GROUP BY trace_row_id
  )`;

const COMPUTED_TRACES = `WITH RECURSIVE ${COUNTED},
  roots AS (
    SELECT id, trace_row_id, row_number() OVER (PARTITION BY trace_row_id ORDER BY start_us, id) AS place
    FROM spans WHERE NOT EXISTS (
      SELECT 1 FROM spans AS parent WHERE parent.trace_row_id = spans.trace_row_id
        AND parent.span_id = spans.parent_span_id AND parent.id <> spans.id)
  ),
  deciders AS (
    SELECT id, trace_row_id, session_id, start_us,
      row_number() OVER (PARTITION BY trace_row_id ORDER BY start_us, id) AS place
    FROM spans WHERE session_id IS NOT NULL
  )
  SELECT traces.trace_id, min(spans.start_us) AS start_us, max(coalesce(spans.end_us, spans.start_us)) AS end_us, count(*) AS span_count,
    sum(spans.status = 2) AS error_count,
    coalesce(counted.prompt_tokens, 0) AS prompt_tokens, coalesce(counted.completion_tokens, 0) AS completion_tokens,
    coalesce(counted.cost_nanousd, 0) AS cost_nanousd,
    coalesce(counted.prompt_cost_nanousd, 0) AS prompt_cost_nanousd,
    coalesce(counted.completion_cost_nanousd, 0) AS completion_cost_nanousd,
    roots.id AS root_span_row_id, deciders.id AS session_span_row_id, deciders.start_us AS session_start_us,
    deciders.session_id
  FROM spans JOIN traces ON traces.id = spans.trace_row_id AND traces.project_id = spans.project_id
    LEFT JOIN counted ON counted.trace_row_id = traces.id
    LEFT JOIN roots ON roots.trace_row_id = traces.id AND roots.place = 1
    LEFT JOIN deciders ON deciders.trace_row_id = traces.id AND deciders.place = 1
  GROUP BY traces.id ORDER BY traces.id`;

const STORED_TRACES = `SELECT traces.trace_id, traces.start_us, traces.end_us, span_count, traces.error_count,
    traces.prompt_tokens, traces.completion_tokens, traces.cost_nanousd, traces.prompt_cost_nanousd,
    traces.completion_cost_nanousd,
    root_span_row_id, session_span_row_id, session_start_us, sessions.session_id
  FROM traces LEFT JOIN sessions ON sessions.id = traces.session_row_id AND sessions.project_id = traces.project_id
  ORDER BY traces.id`;

const MISCOUNTED = `WITH RECURSIVE ${COUNTED},
  wanted AS (SELECT id AS counting_id, coalesce(prompt_tokens, 0) AS wanted_prompt_tokens FROM counting)
  SELECT id, call_distance, counted_prompt_tokens, counting_id FROM spans LEFT JOIN wanted ON counting_id = id
  WHERE (counting_id IS NULL AND counted_prompt_tokens + counted_completion_tokens + counted_cost_nanousd <> 0)
    OR (counting_id IS NOT NULL AND (call_distance IS NOT 0 OR counted_prompt_tokens <> wanted_prompt_tokens))`;

const COMPUTED_SESSIONS = `SELECT session_row_id AS id, project_id, min(start_us) AS start_us, max(end_us) AS end_us,
    count(*) AS trace_count, sum(error_count) AS error_count, sum(prompt_tokens) AS prompt_tokens,
    sum(completion_tokens) AS completion_tokens, sum(cost_nanousd) AS cost_nanousd,
    sum(prompt_cost_nanousd) AS prompt_cost_nanousd, sum(completion_cost_nanousd) AS completion_cost_nanousd
  FROM traces WHERE session_row_id IS NOT NULL GROUP BY session_row_id ORDER BY session_row_id`;

const STORED_SESSIONS = `SELECT id, project_id, start_us, end_us, trace_count, error_count, prompt_tokens,
    completion_tokens, cost_nanousd, prompt_cost_nanousd, completion_cost_nanousd
  FROM sessions ORDER BY id`;

const LOST_ORIGINALS = `SELECT spans.id FROM spans
    LEFT JOIN span_locations ON span_row_id = spans.id LEFT JOIN blocks ON blocks.id = block_id
  WHERE blocks.id IS NULL OR blocks.trace_row_id <> spans.trace_row_id OR ordinal >= blocks.span_count`;

const WRONG_BLOCKS = `SELECT blocks.id FROM blocks LEFT JOIN (
    SELECT block_id, count(*) AS present FROM span_locations JOIN spans ON spans.id = span_row_id GROUP BY block_id
  ) ON block_id = blocks.id
  WHERE live_count <> coalesce(present, 0) OR live_count = 0`;

const LEDGER_OFF = `
  SELECT stored, present FROM
    (SELECT coalesce(sum(item_count), 0) AS stored FROM ingest_ledger WHERE signal = 'traces' AND outcome = 'stored'),
    (SELECT count(*) AS present FROM spans)
  WHERE stored <> present`;

/** Rows that only one of them has, each computed once. */
function differ(stored: string, computed: string): string {
  return `WITH stored AS MATERIALIZED (${stored}), computed AS MATERIALIZED (${computed})
    SELECT 'stored' AS only, * FROM (SELECT * FROM stored EXCEPT SELECT * FROM computed)
    UNION ALL SELECT 'computed', * FROM (SELECT * FROM computed EXCEPT SELECT * FROM stored)`;
}

const CONTRADICTIONS: Readonly<Record<string, string>> = {
  'a row that refers to nothing': 'SELECT * FROM pragma_foreign_key_check',
  'not as SQLite wants it': "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
  'a trace that its spans do not say': differ(STORED_TRACES, COMPUTED_TRACES),
  'a span that counts otherwise': MISCOUNTED,
  'a session that its traces do not say': differ(STORED_SESSIONS, COMPUTED_SESSIONS),
  'a span without its original': LOST_ORIGINALS,
  'a block that miscounts its spans': WRONG_BLOCKS,
  'a ledger that counts other spans': LEDGER_OFF,
  ...LOG_CONTRADICTIONS,
};
