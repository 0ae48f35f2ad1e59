-- listSpans by arrival
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."project_id" = ? order by "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_arrival (project_id=?)
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

-- listSpans by start, from a cursor
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."project_id" = ? and (spans.start_us, spans.id) <= (?, ?) order by "spans"."start_us" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_start (project_id=? AND start_us<?)
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

-- listSpans of traces
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where +"spans"."project_id" = ? and +"spans"."start_us" >= ? and spans.trace_row_id IN (SELECT id FROM traces WHERE trace_id IN (SELECT value FROM json_each(?))) order by "spans"."id" desc limit ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 2
--   SEARCH traces USING COVERING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   REUSE LIST SUBQUERY 2
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   USE TEMP B-TREE FOR ORDER BY

-- listSpans by their ids
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where +"spans"."project_id" = ? and "spans"."id" in (
    WITH RECURSIVE part(number) AS (
      SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
      UNION ALL SELECT number - 1 FROM part WHERE number > 0
    )
    SELECT named.id FROM part CROSS JOIN (SELECT value FROM json_each(?)) AS wanted CROSS JOIN spans AS named
    WHERE ("named"."id" >> 15) = part.number AND named.span_id = wanted.value
  ) order by "spans"."id" desc limit ?;
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 5
--   MATERIALIZE part
--   SETUP
--   CO-ROUTINE newest
--   SEARCH spans
--   SCAN newest
--   RECURSIVE STEP
--   SCAN part
--   SCAN part
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH named USING COVERING INDEX spans_by_otel_id (<expr>=? AND span_id=?)
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

-- findStoredSpanIds

      WITH RECURSIVE part(number) AS (
      SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
      UNION ALL SELECT number - 1 FROM part WHERE number > 0
    )
      SELECT DISTINCT wanted.value AS "spanId" FROM part CROSS JOIN (SELECT value FROM json_each(?)) AS wanted
      WHERE (SELECT max(spans.id + 0) FROM spans WHERE ("spans"."id" >> 15) = part.number
        AND spans.span_id = wanted.value AND EXISTS (SELECT 1 FROM traces JOIN projects ON projects.id = traces.project_id
  WHERE traces.id = spans.trace_row_id)) IS NOT NULL;
--   CO-ROUTINE part
--   SETUP
--   CO-ROUTINE newest
--   SEARCH spans
--   SCAN newest
--   RECURSIVE STEP
--   SCAN part
--   SCAN part
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CORRELATED SCALAR SUBQUERY 6
--   SEARCH spans USING INDEX spans_by_otel_id (<expr>=? AND span_id=?)
--   CORRELATED SCALAR SUBQUERY 5
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
--   USE TEMP B-TREE FOR DISTINCT

-- listSpans by their ids, with every filter
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where +"spans"."project_id" = ? and +"spans"."start_us" >= ? and +"spans"."start_us" < ? and spans.trace_row_id IN (SELECT id FROM traces WHERE trace_id IN (SELECT value FROM json_each(?))) and "spans"."id" in (
    WITH RECURSIVE part(number) AS (
      SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
      UNION ALL SELECT number - 1 FROM part WHERE number > 0
    )
    SELECT named.id FROM part CROSS JOIN (SELECT value FROM json_each(?)) AS wanted CROSS JOIN spans AS named
    WHERE ("named"."id" >> 15) = part.number AND named.span_id = wanted.value
  ) order by "spans"."id" desc limit ?;
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 7
--   MATERIALIZE part
--   SETUP
--   CO-ROUTINE newest
--   SEARCH spans
--   SCAN newest
--   RECURSIVE STEP
--   SCAN part
--   SCAN part
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH named USING COVERING INDEX spans_by_otel_id (<expr>=? AND span_id=?)
--   LIST SUBQUERY 2
--   SEARCH traces USING COVERING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

-- listSpans with every other filter
select "trace_row_id" from "unlisted_traces";
--   SCAN unlisted_traces
select "next_id" from "row_ids" where "table_name" = ?;
--   SEARCH row_ids USING PRIMARY KEY (table_name=?)

-- listTraces by start
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."latency_us" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = ? order by "traces"."start_us" desc, "traces"."id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_start (project_id=?)
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."trace_row_id" in (SELECT value FROM json_each(?)) order by "spans"."start_us", "spans"."id";
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   REUSE LIST SUBQUERY 1
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   USE TEMP B-TREE FOR ORDER BY

-- listTraces by latency, of sessions, from a cursor
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."latency_us" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where +"traces"."project_id" = ? and "traces"."start_us" >= ? and "traces"."start_us" < ? and traces.session_row_id IN (SELECT id FROM sessions WHERE id IN (SELECT value FROM json_each(?))
    OR (session_id IN (SELECT value FROM json_each(?)) AND project_id = ?)) and ("traces"."latency_us", traces.id) < (?, ?) order by "traces"."latency_us" desc, "traces"."id" desc limit ?;
--   SEARCH traces USING INDEX traces_of_session (session_row_id=? AND start_us>? AND start_us<?)
--   LIST SUBQUERY 3
--   MULTI-INDEX OR
--   INDEX 1
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)
--   INDEX 2
--   LIST SUBQUERY 2
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH sessions USING COVERING INDEX sessions_by_text (session_id=? AND project_id=?)
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   USE TEMP B-TREE FOR ORDER BY

-- listSessions
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd" from "sessions" where "project_id" = ? and "id" <= ? order by "id" desc limit ?;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=? AND id<?)

-- findSession
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd" from "sessions" where "session_id" = ? and "project_id" = ? order by "id" desc limit ?;
--   SEARCH sessions USING INDEX sessions_by_text (session_id=? AND project_id=?)

-- listSessionTraces
select "session_row_id", "id", "trace_id", "start_us", "end_us" from "traces" where "session_row_id" in (SELECT value FROM json_each(?)) order by "session_row_id", "start_us", "id" limit ?;
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- readTraceOriginal
select "traces"."id" from "traces" where "traces"."trace_id" = ? and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");
--   SEARCH traces USING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- readSpanOriginal
select "id", "otel_resource_id", "instrumentation_scope_id" from "spans" where "id" in (
    WITH RECURSIVE part(number) AS (
      SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
      UNION ALL SELECT number - 1 FROM part WHERE number > 0
    )
    SELECT named.id FROM part CROSS JOIN (SELECT value FROM json_each(?)) AS wanted CROSS JOIN spans AS named
    WHERE ("named"."id" >> 15) = part.number AND named.span_id = wanted.value
  ) and EXISTS (SELECT 1 FROM traces JOIN projects ON projects.id = traces.project_id
  WHERE traces.id = spans.trace_row_id) order by "id" desc limit ?;
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 5
--   MATERIALIZE part
--   SETUP
--   CO-ROUTINE newest
--   SEARCH spans
--   SCAN newest
--   RECURSIVE STEP
--   SCAN part
--   SCAN part
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH named USING COVERING INDEX spans_by_otel_id (<expr>=? AND span_id=?)
--   CORRELATED SCALAR SUBQUERY 6
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)

-- readOriginals
select "blocks"."id", "blocks"."data", "blocks"."raw_bytes", "blocks"."dictionary_id", (SELECT string_agg(hex("piece"."data"), '' ORDER BY piece.place)
    FROM block_pieces AS piece WHERE piece.block_id = blocks.id) as "pieces", "wanted"."places" from (select "block_id", json_group_array(json_array("span_row_id", "ordinal", "traces"."trace_id", "spans"."span_id")) as "places" from "span_locations" inner join "spans" on "spans"."id" = "span_locations"."span_row_id" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "span_row_id" in (SELECT value FROM json_each(?)) group by "block_id") as "wanted" inner join "blocks" on "blocks"."id" = "wanted"."block_id";
--   CO-ROUTINE wanted
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 2
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   REUSE LIST SUBQUERY 2
--   SEARCH span_locations USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   USE TEMP B-TREE FOR GROUP BY
--   SCAN wanted
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 1
--   USE TEMP B-TREE FOR string_agg(ORDER BY)
--   SEARCH piece USING PRIMARY KEY (block_id=?)
select "spans"."id" as "rowId", "traces"."trace_id" as "traceId", "spans"."span_id" as "spanId" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

-- listBlocks
select "span_row_id", "blocks"."id", "blocks"."raw_bytes" as "rawBytes" from "span_locations" inner join "blocks" on "blocks"."id" = "span_locations"."block_id" where "span_row_id" in (SELECT value FROM json_each(?));
--   SEARCH span_locations USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)

-- browseSpans by id
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? and "spans"."id" < ? order by "spans"."id" desc limit ?;
--   SEARCH spans USING COVERING INDEX spans_by_arrival (project_id=? AND id<?)

-- browseSpans by start_time
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."start_us" as "value" from "spans" where "spans"."project_id" = ? and ("spans"."start_us", spans.id) < (?, ?) and "spans"."start_us" >= ? order by "spans"."start_us" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING COVERING INDEX spans_by_start (project_id=? AND start_us>? AND start_us<?)

-- browseSpans by end_time
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."end_us" as "value" from "spans" where "spans"."project_id" = ? and "spans"."end_us" is not null and "spans"."end_us" >= ? and ("spans"."end_us", spans.id) < (?, ?) order by "spans"."end_us" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING COVERING INDEX spans_by_end (project_id=? AND end_us>? AND end_us<?)
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? order by "spans"."id" desc limit ? offset ?;
--   SEARCH spans USING COVERING INDEX spans_by_arrival (project_id=?)
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? and +"spans"."end_us" is null order by "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_arrival (project_id=?)

-- browseSpans by latency
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."latency_us" as "value" from "spans" where "spans"."project_id" = ? and "spans"."latency_step" is not null and "spans"."latency_step" >= ? and "spans"."latency_step" <= ? and ("spans"."latency_us", spans.id) < (?, ?) order by "spans"."latency_step" desc, "spans"."latency_us" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_latency (project_id=? AND latency_step>? AND latency_step<?)
--   USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? order by "spans"."id" desc limit ? offset ?;
--   SEARCH spans USING COVERING INDEX spans_by_arrival (project_id=?)
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? and +"spans"."latency_us" is null order by "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_arrival (project_id=?)

-- browseSpans by total_tokens
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."total_tokens" as "value" from "spans" where "spans"."project_id" = ? and "spans"."total_tokens_step" is not null and "spans"."total_tokens_step" >= ? and "spans"."total_tokens_step" <= ? and ("spans"."total_tokens", spans.id) < (?, ?) order by "spans"."total_tokens_step" desc, "spans"."total_tokens" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_total_tokens (project_id=? AND total_tokens_step>? AND total_tokens_step<?)
--   USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? order by "spans"."id" desc limit ? offset ?;
--   SEARCH spans USING COVERING INDEX spans_by_arrival (project_id=?)
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? and +"spans"."total_tokens" is null order by "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_arrival (project_id=?)

-- browseSpans by prompt_tokens
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."prompt_tokens" as "value" from "spans" where "spans"."project_id" = ? and "spans"."prompt_tokens_step" is not null and "spans"."prompt_tokens_step" >= ? and "spans"."prompt_tokens_step" <= ? and ("spans"."prompt_tokens", spans.id) < (?, ?) order by "spans"."prompt_tokens_step" desc, "spans"."prompt_tokens" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_prompt_tokens (project_id=? AND prompt_tokens_step>? AND prompt_tokens_step<?)
--   USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? order by "spans"."id" desc limit ? offset ?;
--   SEARCH spans USING COVERING INDEX spans_by_arrival (project_id=?)
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? and +"spans"."prompt_tokens" is null order by "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_arrival (project_id=?)

-- browseSpans by completion_tokens
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."completion_tokens" as "value" from "spans" where "spans"."project_id" = ? and "spans"."completion_tokens_step" is not null and "spans"."completion_tokens_step" >= ? and "spans"."completion_tokens_step" <= ? and ("spans"."completion_tokens", spans.id) < (?, ?) order by "spans"."completion_tokens_step" desc, "spans"."completion_tokens" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_completion_tokens (project_id=? AND completion_tokens_step>? AND completion_tokens_step<?)
--   USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? order by "spans"."id" desc limit ? offset ?;
--   SEARCH spans USING COVERING INDEX spans_by_arrival (project_id=?)
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? and +"spans"."completion_tokens" is null order by "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_arrival (project_id=?)

-- browseSpans without a value
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? and "spans"."id" < ? order by "spans"."id" desc limit ? offset ?;
--   SEARCH spans USING COVERING INDEX spans_by_arrival (project_id=? AND id<?)
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = ? and "spans"."id" < ? and +"spans"."latency_us" is null order by "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_arrival (project_id=? AND id<?)

-- browseSpans, roots by start
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "spans"."id", "spans"."start_us" as "value" from "spans" where "spans"."project_id" = ? and ("spans"."start_us", spans.id) < (?, ?) and "spans"."start_us" >= ? and "spans"."parent_span_id" is null order by "spans"."start_us" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX root_spans_by_start (project_id=? AND start_us>? AND start_us<?)

-- browseSpans, roots by latency
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "start_us" from "spans" where "project_id" = ? and "start_us" >= ? and "parent_span_id" is null order by "start_us" limit ? offset ?;
--   SEARCH spans USING INDEX root_spans_by_start (project_id=? AND start_us>?)
select "spans"."id", +"spans"."latency_us" as "value" from "spans" where "spans"."project_id" = ? and +"spans"."latency_us" is not null and "spans"."start_us" >= ? and "spans"."parent_span_id" is null order by +"spans"."latency_us" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX root_spans_by_start (project_id=? AND start_us>?)
--   USE TEMP B-TREE FOR ORDER BY
select "spans"."id", +"spans"."id" as "value" from "spans" where "spans"."project_id" = ? and "spans"."start_us" >= ? and "spans"."parent_span_id" is null and +"spans"."latency_us" is null order by +"spans"."id" desc limit ?;
--   SEARCH spans USING INDEX root_spans_by_start (project_id=? AND start_us>?)
--   USE TEMP B-TREE FOR ORDER BY

-- browseSpans in bounds by latency
select "trace_row_id" from "unlisted_traces" limit ?;
--   SCAN unlisted_traces
select "start_us" from "spans" where "project_id" = ? and "start_us" >= ? and "start_us" < ? order by "start_us" limit ? offset ?;
--   SEARCH spans USING COVERING INDEX spans_by_start (project_id=? AND start_us>? AND start_us<?)
select "spans"."id", +"spans"."latency_us" as "value" from "spans" where "spans"."project_id" = ? and +"spans"."latency_us" is not null and (+"spans"."latency_us", spans.id) < (?, ?) and "spans"."start_us" >= ? and "spans"."start_us" < ? order by +"spans"."latency_us" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_start (project_id=? AND start_us>? AND start_us<?)
--   USE TEMP B-TREE FOR ORDER BY
select "spans"."id", +"spans"."id" as "value" from "spans" where "spans"."project_id" = ? and "spans"."start_us" >= ? and "spans"."start_us" < ? and +"spans"."latency_us" is null order by +"spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_start (project_id=? AND start_us>? AND start_us<?)
--   USE TEMP B-TREE FOR ORDER BY

-- browseSpans of a trace
select "spans"."id", +"spans"."id" as "value" from "spans" where "spans"."trace_row_id" = ? order by +"spans"."id" desc limit ?;
--   SEARCH spans USING COVERING INDEX spans_of_trace (trace_row_id=?)
--   USE TEMP B-TREE FOR ORDER BY

-- browseSpans of a trace by start
select "spans"."id", "spans"."start_us" as "value" from "spans" where "spans"."trace_row_id" = ? and ("spans"."start_us", spans.id) > (?, ?) order by "spans"."start_us" asc, "spans"."id" asc limit ?;
--   SEARCH spans USING COVERING INDEX spans_of_trace (trace_row_id=? AND start_us>?)

-- browseSpans of a trace by latency
select "spans"."id", +"spans"."latency_us" as "value" from "spans" where "spans"."trace_row_id" = ? and +"spans"."latency_us" is not null and (+"spans"."latency_us", spans.id) < (?, ?) order by +"spans"."latency_us" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   USE TEMP B-TREE FOR ORDER BY
select "spans"."id", +"spans"."id" as "value" from "spans" where "spans"."trace_row_id" = ? and +"spans"."latency_us" is null order by +"spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   USE TEMP B-TREE FOR ORDER BY

-- browseTraces by start
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."start_us" as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = ? and "traces"."start_us" >= ? and "traces"."start_us" < ? and ("traces"."start_us", traces.id) < (?, ?) order by "traces"."start_us" desc, "traces"."id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_start (project_id=? AND start_us>? AND start_us<?)
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

-- browseTraces by latency
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."latency_us" as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = ? and ("traces"."latency_us", traces.id) < (?, ?) order by "traces"."latency_us" desc, "traces"."id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_latency (project_id=? AND latency_us<?)
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

-- browseTraces in bounds by latency
select "start_us" from "traces" where "project_id" = ? and "start_us" >= ? and "start_us" < ? order by "start_us" limit ? offset ?;
--   SEARCH traces USING COVERING INDEX traces_by_start (project_id=? AND start_us>? AND start_us<?)
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", +"traces"."latency_us" as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = ? and "traces"."start_us" >= ? and "traces"."start_us" < ? and (+"traces"."latency_us", traces.id) < (?, ?) order by +"traces"."latency_us" desc, "traces"."id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_start (project_id=? AND start_us>? AND start_us<?)
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   USE TEMP B-TREE FOR ORDER BY

-- browseTraces in bounds by tokens
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", ("traces"."prompt_tokens" + "traces"."completion_tokens") as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = ? and "traces"."start_us" >= ? and "traces"."start_us" < ? and (("traces"."prompt_tokens" + "traces"."completion_tokens"), traces.id) < (?, ?) order by ("traces"."prompt_tokens" + "traces"."completion_tokens") desc, "traces"."id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_start (project_id=? AND start_us>? AND start_us<?)
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   USE TEMP B-TREE FOR ORDER BY

-- browseTraces by cost
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."cost_nanousd" as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = ? and "traces"."start_us" >= ? and ("traces"."cost_nanousd", traces.id) < (?, ?) order by "traces"."cost_nanousd" desc, "traces"."id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_start (project_id=? AND start_us>?)
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   USE TEMP B-TREE FOR ORDER BY

-- browseTraces of a session
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."start_us" as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."session_row_id" = ? and ("traces"."start_us", traces.id) > (?, ?) order by "traces"."start_us" asc, "traces"."id" asc limit ?;
--   SEARCH traces USING INDEX traces_of_session (session_row_id=? AND start_us>?)
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

-- browseSessions
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (id) as "value" from "sessions" where "project_id" = ? and "end_us" >= ? and "start_us" < ? and id < ? order by "id" desc limit ?;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=? AND id<?)

-- browseSessions by tokens
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (prompt_tokens + completion_tokens) as "value" from "sessions" where "project_id" = ? and "end_us" >= ? and "start_us" < ? and ((prompt_tokens + completion_tokens), id) < (?, ?) order by (prompt_tokens + completion_tokens) desc, "id" desc limit ?;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=?)
--   USE TEMP B-TREE FOR ORDER BY

-- browseDescendants
select "trace_row_id" from "spans" where "id" = ?;
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)

-- findSpans
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", "traces"."project_id", "spans"."latency_us", "spans"."session_id", "spans"."user_id", "spans"."model_name", "spans"."provider", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."cache_read_tokens", "spans"."cache_write_tokens", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."reasoning_tokens", "spans"."prompt_audio_tokens", "spans"."completion_audio_tokens", "spans"."cost_usd", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."input_cost_nanousd", "spans"."cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd", "spans"."output_cost_nanousd", "spans"."reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd", "spans"."input_preview", "spans"."output_preview", "spans"."attributes" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") and "spans"."id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 2
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- findTraces
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."id" in (SELECT value FROM json_each(?)) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- findSessions
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd" from "sessions" where "id" in (SELECT value FROM json_each(?)) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "sessions"."project_id");
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- findSpansByIdentity
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", "traces"."project_id", "spans"."latency_us", "spans"."session_id", "spans"."user_id", "spans"."model_name", "spans"."provider", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."cache_read_tokens", "spans"."cache_write_tokens", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."reasoning_tokens", "spans"."prompt_audio_tokens", "spans"."completion_audio_tokens", "spans"."cost_usd", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."input_cost_nanousd", "spans"."cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd", "spans"."output_cost_nanousd", "spans"."reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd", "spans"."input_preview", "spans"."output_preview", "spans"."attributes" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") and "traces"."trace_id" in (SELECT value FROM json_each(?)) and "spans"."span_id" in (SELECT value FROM json_each(?));
--   SEARCH traces USING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   LIST SUBQUERY 2
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH spans USING INDEX spans_by_identity (trace_row_id=? AND span_id=?)
--   LIST SUBQUERY 3
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- findSpanByOtelId
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", "traces"."project_id", "spans"."latency_us", "spans"."session_id", "spans"."user_id", "spans"."model_name", "spans"."provider", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."cache_read_tokens", "spans"."cache_write_tokens", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."reasoning_tokens", "spans"."prompt_audio_tokens", "spans"."completion_audio_tokens", "spans"."cost_usd", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."input_cost_nanousd", "spans"."cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd", "spans"."output_cost_nanousd", "spans"."reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd", "spans"."input_preview", "spans"."output_preview", "spans"."attributes" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") and "spans"."id" in (
    WITH RECURSIVE part(number) AS (
      SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
      UNION ALL SELECT number - 1 FROM part WHERE number > 0
    )
    SELECT named.id FROM part CROSS JOIN (SELECT value FROM json_each(?)) AS wanted CROSS JOIN spans AS named
    WHERE ("named"."id" >> 15) = part.number AND named.span_id = wanted.value
  ) order by "spans"."id" desc limit ?;
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 6
--   MATERIALIZE part
--   SETUP
--   CO-ROUTINE newest
--   SEARCH spans
--   SCAN newest
--   RECURSIVE STEP
--   SCAN part
--   SCAN part
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH named USING COVERING INDEX spans_by_otel_id (<expr>=? AND span_id=?)
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- findTraceByOtelId
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."trace_id" = ? and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");
--   SEARCH traces USING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- findTracesByIdPrefix
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."trace_id" >= ? and "traces"."trace_id" < ? and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") order by "traces"."trace_id" limit ?;
--   SEARCH traces USING INDEX sqlite_autoindex_traces_1 (trace_id>? AND trace_id<?)
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- findSpansByIdPrefix
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", "traces"."project_id", "spans"."latency_us", "spans"."session_id", "spans"."user_id", "spans"."model_name", "spans"."provider", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."cache_read_tokens", "spans"."cache_write_tokens", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."reasoning_tokens", "spans"."prompt_audio_tokens", "spans"."completion_audio_tokens", "spans"."cost_usd", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."input_cost_nanousd", "spans"."cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd", "spans"."output_cost_nanousd", "spans"."reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd", "spans"."input_preview", "spans"."output_preview", "spans"."attributes" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") and "spans"."id" in (
        WITH RECURSIVE part(number) AS (
          SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
          UNION ALL SELECT number - 1 FROM part WHERE number > 0
        )
        SELECT named.id FROM part CROSS JOIN spans AS named
        WHERE ("named"."id" >> 15) = part.number
        AND named.span_id >= ? AND named.span_id < ?
        LIMIT ?
      ) order by "spans"."id" desc limit ?;
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 5
--   MATERIALIZE part
--   SETUP
--   CO-ROUTINE newest
--   SEARCH spans
--   SCAN newest
--   RECURSIVE STEP
--   SCAN part
--   SCAN part
--   SEARCH named USING COVERING INDEX spans_by_otel_id (<expr>=? AND span_id>? AND span_id<?)
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- findSessionsByIdPrefix
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd" from "sessions" where "session_id" >= ? and "session_id" < ? and EXISTS (SELECT 1 FROM projects WHERE projects.id = "sessions"."project_id") order by "session_id" limit ?;
--   SEARCH sessions USING INDEX sessions_by_text (session_id>? AND session_id<?)
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- readSpanParts
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

-- readSpanSources
select "id", "otel_resource_id", "instrumentation_scope_id" from "spans" where "id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- readAttributeTexts
select "spans"."id", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where "spans"."id" in (SELECT value FROM json_each(?)) order by "spans"."id";
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- readTraceDigests
select "start_us" as "startTimeUs", "id" as "rowId" from "spans" where "trace_row_id" = ? order by "start_us", "id" limit ?;
--   SEARCH spans USING COVERING INDEX spans_of_trace (trace_row_id=?)

-- readSubtrees
select "id", "trace_row_id" from "spans" where "id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- findLinkingSpans

    SELECT wanted.value AS linked, link.span_row_id AS linking
    FROM (SELECT value FROM json_each(?)) AS wanted
    JOIN spans ON spans.id = wanted.value JOIN traces ON traces.id = spans.trace_row_id
    JOIN span_links AS link ON link.linked_trace_id = traces.trace_id AND link.linked_span_id = spans.span_id
    WHERE link.span_row_id IN (SELECT span_row_id FROM span_links
      WHERE linked_trace_id = traces.trace_id AND linked_span_id = spans.span_id
      ORDER BY span_row_id LIMIT ?)
    ORDER BY linking;
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH link USING PRIMARY KEY (linked_trace_id=? AND linked_span_id=? AND span_row_id=?)
--   CORRELATED LIST SUBQUERY 2
--   SEARCH span_links USING PRIMARY KEY (linked_trace_id=? AND linked_span_id=?)
--   USE TEMP B-TREE FOR ORDER BY

-- findLinkedTraces

    SELECT wanted.value AS "ofTrace",
      (SELECT json_group_array("id") FROM (SELECT DISTINCT other.id FROM span_links AS link
        JOIN traces AS other ON other.trace_id = link.linked_trace_id
        WHERE link.trace_row_id = wanted.value AND other.id <> wanted.value LIMIT ?) AS linked) AS "to",
      (SELECT json_group_array("id") FROM (SELECT DISTINCT link.trace_row_id AS id FROM span_links AS link
        WHERE link.linked_trace_id = traces.trace_id AND link.trace_row_id <> wanted.value
        LIMIT ?) AS linking) AS "from"
    FROM (SELECT value FROM json_each(?)) AS wanted JOIN traces ON traces.id = wanted.value;
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 2
--   CO-ROUTINE linked
--   SEARCH link USING COVERING INDEX links_of_trace (trace_row_id=?)
--   SEARCH other USING COVERING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   USE TEMP B-TREE FOR DISTINCT
--   SCAN linked
--   CORRELATED SCALAR SUBQUERY 4
--   CO-ROUTINE linking
--   SEARCH link USING PRIMARY KEY (linked_trace_id=?)
--   USE TEMP B-TREE FOR DISTINCT
--   SCAN linking

-- readTokenCountings
select "id", "trace_row_id", "project_id", "kind", "start_us", "response_key", "prompt_tokens", "completion_tokens", "claimed_cost_nanousd", "claimed_prompt_cost_nanousd", "claimed_completion_cost_nanousd", "call_distance", "counted_prompt_tokens", "counted_completion_tokens", "counted_cost_nanousd" from "spans" where "id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- TraceTrees
select "revision" from "traces" where "id" = ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
select "id", "span_id", "parent_span_id", "call_distance", "counted_prompt_tokens", "counted_completion_tokens", "counted_cost_nanousd", "counted_prompt_cost_nanousd", "counted_completion_cost_nanousd", CASE WHEN status = 2 THEN 1 ELSE 0 END as "has_error" from "spans" where "trace_row_id" = ? order by "start_us", "id" limit ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)

-- countSpansByKind
select "trace_row_id", "kind", count(*) as "count" from "spans" where "trace_row_id" in (SELECT value FROM json_each(?)) group by "trace_row_id", "kind";
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR GROUP BY

-- findTraceUsers

    SELECT wanted.value AS "rowId", (SELECT user_id FROM (SELECT user_id, start_us, id FROM spans WHERE trace_row_id = wanted.value
    ORDER BY start_us, id LIMIT ?) AS first WHERE user_id IS NOT NULL ORDER BY start_us, id LIMIT 1) AS "userId"
    FROM (SELECT value FROM json_each(?)) AS wanted;
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CORRELATED SCALAR SUBQUERY 2
--   CO-ROUTINE first
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   SCAN first

-- summarizeSessions

    SELECT wanted.value AS "rowId",
      (SELECT count(*) FROM traces WHERE session_row_id = wanted.value AND error_count > 0) AS "errorTraceCount",
      (SELECT root."id" FROM (SELECT root_span_row_id, start_us, id FROM traces
    WHERE session_row_id = wanted.value ORDER BY start_us asc, id asc LIMIT ?) AS near
    JOIN spans AS root ON root.id = near.root_span_row_id
    WHERE ("root"."input_preview" IS NOT NULL OR coalesce(instr("root"."attributes", ?), 0) > 0 OR coalesce(instr("root"."attributes", ?), 0) > 0) ORDER BY near.start_us asc, near.id asc LIMIT 1) AS "firstInputSpanRowId",
      (SELECT root."id" FROM (SELECT root_span_row_id, start_us, id FROM traces
    WHERE session_row_id = wanted.value ORDER BY start_us desc, id desc LIMIT ?) AS near
    JOIN spans AS root ON root.id = near.root_span_row_id
    WHERE ("root"."output_preview" IS NOT NULL OR coalesce(instr("root"."attributes", ?), 0) > 0 OR coalesce(instr("root"."attributes", ?), 0) > 0) ORDER BY near.start_us desc, near.id desc LIMIT 1) AS "lastOutputSpanRowId",
      coalesce((SELECT root."user_id" FROM (SELECT root_span_row_id, start_us, id FROM traces
    WHERE session_row_id = wanted.value ORDER BY start_us asc, id asc LIMIT ?) AS near
    JOIN spans AS root ON root.id = near.root_span_row_id
    WHERE root.user_id IS NOT NULL ORDER BY near.start_us asc, near.id asc LIMIT 1), (SELECT user_id FROM (SELECT user_id, start_us, id FROM spans WHERE trace_row_id = (SELECT id FROM traces WHERE session_row_id = wanted.value ORDER BY start_us, id LIMIT 1)
    ORDER BY start_us, id LIMIT ?) AS first WHERE user_id IS NOT NULL ORDER BY start_us, id LIMIT 1)) AS "userId"
    FROM (SELECT value FROM json_each(?)) AS wanted;
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   CORRELATED SCALAR SUBQUERY 3
--   CO-ROUTINE near
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   SCAN near
--   SEARCH root USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 5
--   CO-ROUTINE near
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   SCAN near
--   SEARCH root USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 7
--   CO-ROUTINE near
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   SCAN near
--   SEARCH root USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 10
--   CO-ROUTINE first
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   CORRELATED SCALAR SUBQUERY 8
--   SEARCH traces USING COVERING INDEX traces_of_session (session_row_id=?)
--   SCAN first

-- readSessionLatencyQuantiles

    SELECT session_row_id AS "rowId", quantile(end_us - start_us, ?) AS "quantileUs" FROM traces
    WHERE session_row_id IN (SELECT value FROM json_each(?)) GROUP BY session_row_id;
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- loadTraces
select "traces".*, "root"."start_us" as "root_start_us", "root"."parent_span_id" as "root_parent_span_id", "sessions"."session_id", "projects"."id" as "known_project_id" from "traces" left join "spans" as "root" on "root"."id" = "traces"."root_span_row_id" left join "sessions" on "sessions"."id" = "traces"."session_row_id" left join "projects" on "projects"."id" = "traces"."project_id" where "traces"."trace_id" in (SELECT value FROM json_each(?));
--   SEARCH traces USING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH root USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

-- loadSpansById
select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from (SELECT CAST(holder.key AS INTEGER) AS number, item.value AS id
    FROM json_each(?) AS holder CROSS JOIN json_each(holder.value) AS item) as "wanted" cross join "spans" where "spans"."span_id" = "wanted"."id" and "spans"."trace_row_id" = "wanted"."number";
--   SCAN holder VIRTUAL TABLE INDEX 1:
--   SCAN item VIRTUAL TABLE INDEX 1:
--   SEARCH spans USING INDEX spans_by_identity (trace_row_id=? AND span_id=?)

-- loadTracesByRow
select "traces".*, "root"."start_us" as "root_start_us", "root"."parent_span_id" as "root_parent_span_id", "sessions"."session_id" from "traces" left join "spans" as "root" on "root"."id" = "traces"."root_span_row_id" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."id" in (SELECT value FROM json_each(?)) order by "traces"."id";
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH root USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

-- loadLeastDistances
select "parent"."number" as "traceRowId", "parent"."id" as "spanId", (SELECT child.call_distance FROM spans AS child
      WHERE child.trace_row_id = parent.number AND child.parent_span_id = parent.id
        AND child.call_distance IS NOT NULL AND child.id NOT IN (SELECT value FROM json_each(?))
      ORDER BY child.call_distance LIMIT 1) as "distance" from (SELECT CAST(holder.key AS INTEGER) AS number, item.value AS id
    FROM json_each(?) AS holder CROSS JOIN json_each(holder.value) AS item) as "parent";
--   SCAN holder VIRTUAL TABLE INDEX 1:
--   SCAN item VIRTUAL TABLE INDEX 1:
--   CORRELATED SCALAR SUBQUERY 2
--   SEARCH child USING COVERING INDEX spans_near_calls (trace_row_id=? AND parent_span_id=? AND call_distance>?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER

-- loadCallsAround
select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."id" in (SELECT coalesce((SELECT call.id FROM spans AS call
      WHERE (call.start_us >> 22) = (place.start_us >> 22) AND call.response_key = place.response_key
        AND call.project_id = place.project_id AND call.call_distance = 0
        AND (call.start_us, call.id) < (place.start_us, place.id)
        AND call.id NOT IN (SELECT value FROM json_each(?))
      ORDER BY call.start_us DESC, call.id DESC LIMIT 1), (SELECT call.id FROM spans AS call
      WHERE (call.start_us >> 22) = (place.start_us >> 22) - 1 AND call.response_key = place.response_key
        AND call.project_id = place.project_id AND call.call_distance = 0
        AND (call.start_us, call.id) < (place.start_us, place.id)
        AND call.id NOT IN (SELECT value FROM json_each(?))
      ORDER BY call.start_us DESC, call.id DESC LIMIT 1)) FROM (SELECT json_extract(value, '$[0]') AS "project_id", json_extract(value, '$[1]') AS "response_key", json_extract(value, '$[2]') AS "start_us", json_extract(value, '$[3]') AS "id" FROM json_each(?)) AS place
    UNION ALL SELECT coalesce((SELECT call.id FROM spans AS call
      WHERE (call.start_us >> 22) = (place.start_us >> 22) AND call.response_key = place.response_key
        AND call.project_id = place.project_id AND call.call_distance = 0
        AND (call.start_us, call.id) > (place.start_us, place.id)
        AND call.id NOT IN (SELECT value FROM json_each(?))
      ORDER BY call.start_us ASC, call.id ASC LIMIT 1), (SELECT call.id FROM spans AS call
      WHERE (call.start_us >> 22) = (place.start_us >> 22) + 1 AND call.response_key = place.response_key
        AND call.project_id = place.project_id AND call.call_distance = 0
        AND (call.start_us, call.id) > (place.start_us, place.id)
        AND call.id NOT IN (SELECT value FROM json_each(?))
      ORDER BY call.start_us ASC, call.id ASC LIMIT 1)) FROM (SELECT json_extract(value, '$[0]') AS "project_id", json_extract(value, '$[1]') AS "response_key", json_extract(value, '$[2]') AS "start_us", json_extract(value, '$[3]') AS "id" FROM json_each(?)) AS place);
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 12
--   COMPOUND QUERY
--   LEFT-MOST SUBQUERY
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CORRELATED SCALAR SUBQUERY 2
--   SEARCH call USING COVERING INDEX calls_by_response (<expr>=? AND response_key=? AND project_id=? AND (start_us,rowid)<(?,?))
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
--   CORRELATED SCALAR SUBQUERY 4
--   SEARCH call USING COVERING INDEX calls_by_response (<expr>=? AND response_key=? AND project_id=? AND (start_us,rowid)<(?,?))
--   LIST SUBQUERY 3
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
--   UNION ALL
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CORRELATED SCALAR SUBQUERY 8
--   SEARCH call USING COVERING INDEX calls_by_response (<expr>=? AND response_key=? AND project_id=? AND (start_us,rowid)>(?,?))
--   LIST SUBQUERY 7
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
--   CORRELATED SCALAR SUBQUERY 10
--   SEARCH call USING COVERING INDEX calls_by_response (<expr>=? AND response_key=? AND project_id=? AND (start_us,rowid)>(?,?))
--   LIST SUBQUERY 9
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER

-- ResponseKeys
select (start_us >> 22) as "part", response_key as "key" from "spans" where (start_us >> 22) in (SELECT value FROM json_each(?)) and "response_key" is not null and "call_distance" = 0 limit 20001;
--   SEARCH spans USING COVERING INDEX calls_by_response (<expr>=? AND response_key>?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- readTraceTimes
select "trace_row_id" as "traceRowId", min("start_us") as "startUs", max(coalesce("end_us", "start_us")) as "endUs" from "spans" where "trace_row_id" in (SELECT value FROM json_each(?)) group by "trace_row_id";
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- readTraceRoots
select "spans"."trace_row_id" as "traceRowId", "spans"."id" as "rowId", "spans"."start_us" as "startUs", "spans"."parent_span_id" as "parentSpanId" from (SELECT (SELECT first.id FROM spans AS first
    WHERE first.trace_row_id = trace.value AND NOT EXISTS (SELECT 1 FROM spans AS parent WHERE parent.span_id = first.parent_span_id
      AND parent.trace_row_id = first.trace_row_id AND parent.id <> first.id) ORDER BY first.start_us, first.id LIMIT 1) AS id
    FROM (SELECT value FROM json_each(?)) AS trace) as "decided" cross join "spans" where "spans"."id" = "decided"."id";
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 2
--   SEARCH first USING INDEX spans_of_trace (trace_row_id=?)
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH parent USING COVERING INDEX spans_by_identity (trace_row_id=? AND span_id=?)

-- readTraceSessions
select "spans"."trace_row_id" as "traceRowId", "spans"."id" as "rowId", "spans"."start_us" as "startUs", "spans"."session_id" as "sessionId" from (SELECT (SELECT first.id FROM spans AS first
    WHERE first.trace_row_id = trace.value AND first.session_id IS NOT NULL ORDER BY first.start_us, first.id LIMIT 1) AS id
    FROM (SELECT value FROM json_each(?)) AS trace) as "decided" cross join "spans" where "spans"."id" = "decided"."id";
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH first USING INDEX spans_of_trace (trace_row_id=?)

-- forgetSpans
select "block_id" as "id", -count(*) as "live_count" from "span_locations" where "span_row_id" in (SELECT value FROM json_each(?)) group by "block_id";
--   SEARCH span_locations USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR GROUP BY
select "id" from "blocks" where "id" in (SELECT value FROM json_each(?)) and "live_count" <= ?;
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
delete from "block_pieces" where "block_id" in (SELECT value FROM json_each(?));
--   SEARCH block_pieces USING PRIMARY KEY (block_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
delete from "blocks" where "id" in (SELECT value FROM json_each(?));
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
delete from "compaction_queue" where "block_id" in (SELECT value FROM json_each(?));
--   SEARCH compaction_queue USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
insert into "compaction_queue" ("block_id", "trace_row_id") select "id", "trace_row_id" from "blocks" where "id" in (SELECT value FROM json_each(?));
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
delete from "span_links" where "trace_row_id" in (select "trace_row_id" from "spans" where "id" in (SELECT value FROM json_each(?))) and "span_row_id" in (SELECT value FROM json_each(?));
--   SEARCH span_links USING COVERING INDEX links_of_trace (trace_row_id=? AND span_row_id=?)
--   LIST SUBQUERY 2
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   LIST SUBQUERY 3
--   SCAN json_each VIRTUAL TABLE INDEX 1:
delete from "span_locations" where "span_row_id" in (SELECT value FROM json_each(?));
--   SEARCH span_locations USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
delete from "spans" where "id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
