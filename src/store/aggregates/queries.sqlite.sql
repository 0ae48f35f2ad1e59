-- aggregate
SELECT
    (SELECT min(start_us) FROM "spans" WHERE project_id = ?) AS first,
    (SELECT max(start_us) FROM "spans" WHERE project_id = ?) AS last;
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 1
--   SEARCH spans USING COVERING INDEX spans_by_start (project_id=?)
--   SCALAR SUBQUERY 2
--   SEARCH spans USING COVERING INDEX spans_by_start (project_id=?)
select "trace_row_id" from "unlisted_traces";
--   SCAN unlisted_traces
select "next_id" from "row_ids" where "table_name" = ?;
--   SEARCH row_ids USING PRIMARY KEY (table_name=?)

-- aggregateTraces
select "id", "start_us", "end_us", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "root_span_row_id", "session_row_id" from "traces" where "project_id" = ? and "start_us" >= ? and (start_us, id) < (?, ?) order by "start_us" desc, "id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_start (project_id=? AND start_us>? AND start_us<?)

-- aggregateTraces without an end
SELECT
    (SELECT min(start_us) FROM "traces" WHERE project_id = ?) AS first,
    (SELECT max(start_us) FROM "traces" WHERE project_id = ?) AS last;
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 1
--   SEARCH traces USING COVERING INDEX traces_by_start (project_id=?)
--   SCALAR SUBQUERY 2
--   SEARCH traces USING COVERING INDEX traces_by_start (project_id=?)

-- aggregateSessions
SELECT
    (SELECT min(start_us) FROM "sessions" WHERE project_id = ?) AS first,
    (SELECT max(start_us) FROM "sessions" WHERE project_id = ?) AS last;
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 1
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=?)
--   SCALAR SUBQUERY 2
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=?)
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (id) as "value" from "sessions" where "project_id" = ? order by "id" desc limit ?;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=?)

-- aggregateSessions of a range
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (id) as "value" from "sessions" where "project_id" = ? and "end_us" >= ? and "start_us" < ? order by "id" desc limit ?;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=?)

-- groupTraces


-- listUsers


-- listAttributePaths
select "attributes", "omitted_attributes" from "spans" where "project_id" = ? and "start_us" >= ? and "start_us" < ? order by "start_us" desc limit ?;
--   SEARCH spans USING INDEX spans_by_start (project_id=? AND start_us>? AND start_us<?)

-- readSessionLengths

    SELECT project_id AS "rowId", avg(end_us - start_us) AS "averageUs", avg(trace_count) AS "averageTraceCount"
    FROM sessions WHERE project_id IN (SELECT value FROM json_each(?)) AND end_us >= ? AND start_us < ?
    GROUP BY project_id;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- readSessionQuantiles

    SELECT project_id AS "rowId", quantile(end_us - start_us, ?) AS "quantileUs"
    FROM sessions WHERE project_id IN (SELECT value FROM json_each(?)) AND end_us >= ? AND start_us < ?
    GROUP BY project_id;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- readTurnGaps

    SELECT "rowId", avg(gap) AS "averageUs", quantile(gap, ?) AS "medianUs", max(gap) AS "longestUs"
    FROM (SELECT session_row_id AS "rowId", max(start_us - max(end_us) OVER earlier, 0) AS gap FROM traces
      WHERE session_row_id IN (SELECT value FROM json_each(?))
      WINDOW earlier AS (PARTITION BY session_row_id ORDER BY start_us, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS turns
    WHERE gap IS NOT NULL GROUP BY "rowId";
--   CO-ROUTINE turns
--   CO-ROUTINE (subquery-4)
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SCAN (subquery-4)
--   SCAN turns
--   USE TEMP B-TREE FOR GROUP BY
