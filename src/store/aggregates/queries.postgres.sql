-- aggregate
SELECT
    (SELECT min(start_us) FROM "spans" WHERE project_id = $1) AS first,
    (SELECT max(start_us) FROM "spans" WHERE project_id = $2) AS last;
select "trace_row_id" from "unlisted_traces";
select "next_id" from "row_ids" where "table_name" = $1;

-- aggregateTraces
select "id", "start_us", "end_us", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "root_span_row_id", "session_row_id" from "traces" where "project_id" = $1 and "start_us" >= $2 and (start_us, id) < ($3, $4) order by "start_us" desc, "id" desc limit $5;

-- aggregateTraces without an end
SELECT
    (SELECT min(start_us) FROM "traces" WHERE project_id = $1) AS first,
    (SELECT max(start_us) FROM "traces" WHERE project_id = $2) AS last;

-- aggregateSessions
SELECT
    (SELECT min(start_us) FROM "sessions" WHERE project_id = $1) AS first,
    (SELECT max(start_us) FROM "sessions" WHERE project_id = $2) AS last;
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (id) as "value" from "sessions" where "project_id" = $1 order by "id" desc limit $2;

-- aggregateSessions of a range
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (id) as "value" from "sessions" where "project_id" = $1 and "end_us" >= $2 and "start_us" < $3 order by "id" desc limit $4;

-- groupTraces


-- listUsers


-- listAttributePaths
select "attributes", "omitted_attributes" from "spans" where "project_id" = $1 and "start_us" >= $2 and "start_us" < $3 order by "start_us" desc limit $4;

-- readSessionLengths

    SELECT project_id AS "rowId", avg(end_us - start_us) AS "averageUs", avg(trace_count) AS "averageTraceCount"
    FROM sessions WHERE project_id IN (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)) AND end_us >= $2 AND start_us < $3
    GROUP BY project_id;

-- readSessionQuantiles

    SELECT project_id AS "rowId", percentile_cont($1::float8) WITHIN GROUP (ORDER BY (end_us - start_us)::float8) AS "quantileUs"
    FROM sessions WHERE project_id IN (SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)) AND end_us >= $3 AND start_us < $4
    GROUP BY project_id;

-- readTurnGaps

    SELECT "rowId", avg(gap) AS "averageUs", percentile_cont($1::float8) WITHIN GROUP (ORDER BY (gap)::float8) AS "medianUs", max(gap) AS "longestUs"
    FROM (SELECT session_row_id AS "rowId", CASE WHEN (start_us - max(end_us) OVER earlier)::bigint IS NOT NULL AND (0)::bigint IS NOT NULL THEN greatest((start_us - max(end_us) OVER earlier)::bigint, (0)::bigint) END AS gap FROM traces
      WHERE session_row_id IN (SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb))
      WINDOW earlier AS (PARTITION BY session_row_id ORDER BY start_us, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS turns
    WHERE gap IS NOT NULL GROUP BY "rowId";
