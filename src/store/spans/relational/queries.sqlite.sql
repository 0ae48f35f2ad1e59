-- listSpans by arrival
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", 0 as "is_uncertain" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."project_id" = ? order by "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_arrival (project_id=?)
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

-- listSpans by start, from a cursor
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", 0 as "is_uncertain" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."project_id" = ? and (spans.start_us, spans.id) <= (?, ?) order by "spans"."start_us" desc, "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_start (project_id=? AND start_us<?)
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

-- listSpans of traces
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", 0 as "is_uncertain" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where +"spans"."project_id" = ? and +"spans"."start_us" >= ? and spans.trace_row_id IN (SELECT id FROM traces WHERE trace_id IN (SELECT value FROM json_each(?))) order by "spans"."id" desc limit ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 2
--   SEARCH traces USING COVERING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   REUSE LIST SUBQUERY 2
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   USE TEMP B-TREE FOR ORDER BY

-- listSpans by their ids
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", 0 as "is_uncertain" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where +"spans"."project_id" = ? and "spans"."span_id" in (SELECT value FROM json_each(?)) order by "spans"."id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_identity (span_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   USE TEMP B-TREE FOR ORDER BY

-- listSpans with every filter
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", (spans.attributes_cut = 1 OR (spans.attributes_cut = 1 OR EXISTS (SELECT 1 FROM json_each("spans"."omitted_attributes") WHERE value IN (SELECT value FROM json_each(?))))) as "is_uncertain" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where +"spans"."project_id" = ? and +"spans"."start_us" >= ? and +"spans"."start_us" < ? and spans.trace_row_id IN (SELECT id FROM traces WHERE trace_id IN (SELECT value FROM json_each(?))) and "spans"."span_id" in (SELECT value FROM json_each(?)) and "spans"."parent_span_id" is null and "spans"."name" in (SELECT value FROM json_each(?)) and "spans"."kind" in (?) and "spans"."status" in (?) and ((json_extract("spans"."attributes", ?) = ? AND json_type("spans"."attributes", ?) IN ('text')) OR spans.attributes_cut = 1) and ((json_extract("spans"."attributes", ?) = ? AND json_type("spans"."attributes", ?) IN ('integer', 'real')) OR (spans.attributes_cut = 1 OR EXISTS (SELECT 1 FROM json_each("spans"."omitted_attributes") WHERE value IN (SELECT value FROM json_each(?))))) order by "spans"."id" desc limit ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 4
--   SEARCH traces USING COVERING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   LIST SUBQUERY 3
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   REUSE LIST SUBQUERY 4
--   SEARCH spans USING INDEX spans_by_identity (span_id=? AND trace_row_id=?)
--   LIST SUBQUERY 5
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   LIST SUBQUERY 6
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
--   CORRELATED SCALAR SUBQUERY 8
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   LIST SUBQUERY 7
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
--   CORRELATED SCALAR SUBQUERY 2
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
--   USE TEMP B-TREE FOR ORDER BY

-- listTraces by start
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."root_span_row_id", "traces"."latency_us" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = ? order by "traces"."start_us" desc, "traces"."id" desc limit ?;
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
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."root_span_row_id", "traces"."latency_us" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where +"traces"."project_id" = ? and "traces"."start_us" >= ? and "traces"."start_us" < ? and traces.session_row_id IN (SELECT id FROM sessions WHERE id IN (SELECT value FROM json_each(?))
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
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens" from "sessions" where "project_id" = ? and "id" <= ? order by "id" desc limit ?;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=? AND id<?)

-- findSession
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens" from "sessions" where "session_id" = ? and "project_id" = ? order by "id" desc limit ?;
--   SEARCH sessions USING INDEX sessions_by_text (session_id=? AND project_id=?)

-- listSessionTraces
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."root_span_row_id" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."session_row_id" in (SELECT value FROM json_each(?)) order by "traces"."start_us", "traces"."id";
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   USE TEMP B-TREE FOR ORDER BY

-- readTraceOriginal
select "traces"."id", sum("blocks"."raw_bytes") as "raw_bytes" from "traces" left join "blocks" on "blocks"."trace_row_id" = "traces"."id" where "traces"."trace_id" = ? group by "traces"."id";
--   SEARCH traces USING COVERING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   SEARCH blocks USING INDEX blocks_of_trace (trace_row_id=?) LEFT-JOIN

-- readSpanOriginal
select "id", "otel_resource_id", "instrumentation_scope_id" from "spans" where "span_id" = ? order by "id" desc limit ?;
--   SEARCH spans USING INDEX spans_by_identity (span_id=?)
--   USE TEMP B-TREE FOR ORDER BY

-- readOriginals
select "blocks"."id", "blocks"."data", "blocks"."raw_bytes", json_group_array(json_array("span_row_id", "ordinal")) as "places" from "span_locations" inner join "blocks" on "blocks"."id" = "span_locations"."block_id" where "span_row_id" in (SELECT value FROM json_each(?)) group by "blocks"."id";
--   SEARCH span_locations USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)
--   USE TEMP B-TREE FOR GROUP BY

-- listBlocks
select "span_row_id", "blocks"."id", "blocks"."raw_bytes" as "rawBytes" from "span_locations" inner join "blocks" on "blocks"."id" = "span_locations"."block_id" where "span_row_id" in (SELECT value FROM json_each(?));
--   SEARCH span_locations USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)

-- loadTraces
select "traces".*, "root"."start_us" as "root_start_us", "root"."parent_span_id" as "root_parent_span_id", "sessions"."session_id" from "traces" left join "spans" as "root" on "root"."id" = "traces"."root_span_row_id" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."trace_id" in (SELECT value FROM json_each(?));
--   SEARCH traces USING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH root USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

-- loadSpansById
select "id", "span_id", "parent_span_id", "start_us", "end_us", "status", "kind", "session_id", "prompt_tokens", "completion_tokens", "cost_usd", "counted_prompt_tokens", "counted_completion_tokens", "counted_cost_nanousd", "otel_resource_id", "instrumentation_scope_id" from "spans" where "trace_row_id" = ? and "span_id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INDEX spans_by_identity (span_id=? AND trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- loadClaimingChildren
select "id", "span_id", "parent_span_id", "start_us", "end_us", "status", "kind", "session_id", "prompt_tokens", "completion_tokens", "cost_usd", "counted_prompt_tokens", "counted_completion_tokens", "counted_cost_nanousd", "otel_resource_id", "instrumentation_scope_id" from "spans" where "id" in (SELECT (SELECT child.id FROM spans AS child
    WHERE child.trace_row_id = ? AND child.parent_span_id = parent.value
      AND child.kind = 0
      AND (child.prompt_tokens > 0 OR child.completion_tokens > 0 OR child.cost_usd > 0)
      AND (child.prompt_tokens BETWEEN 1 AND ?
        OR child.completion_tokens BETWEEN 1 AND ?
        OR child.cost_usd BETWEEN ? AND ?)
      AND child.span_id <> child.parent_span_id AND child.id NOT IN (SELECT value FROM json_each(?))
    LIMIT 1) FROM (SELECT value FROM json_each(?)) AS parent);
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 4
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CORRELATED SCALAR SUBQUERY 2
--   SEARCH child USING INDEX spans_claiming_usage (trace_row_id=? AND parent_span_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER

-- readTraceTimes
select min("start_us") as "startUs", max("end_us") as "endUs" from "spans" where "trace_row_id" = ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)

-- readTraceRoot
select "id" as "rowId", "start_us" as "startUs", "parent_span_id" as "parentSpanId" from "spans" where "trace_row_id" = ? and not exists (select 1 as "one" from "spans" as "parent" where "parent"."span_id" = "spans"."parent_span_id" and "parent"."trace_row_id" = "spans"."trace_row_id" and "parent"."id" != "spans"."id") order by "start_us", "id" limit ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH parent USING COVERING INDEX spans_by_identity (span_id=? AND trace_row_id=?)

-- readTraceSession
select "id" as "rowId", "start_us" as "startUs", "session_id" as "sessionId" from "spans" where "trace_row_id" = ? and "session_id" is not null order by "start_us", "id" limit ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)

-- forgetSpans
select "block_id", count(*) as "gone" from "span_locations" where "span_row_id" in (SELECT value FROM json_each(?)) group by "block_id";
--   SEARCH span_locations USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR GROUP BY
delete from "span_locations" where "span_row_id" in (SELECT value FROM json_each(?));
--   SEARCH span_locations USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
delete from "spans" where "id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
