-- searchTraces by start_time
select "id", "trace_id", "start_us", "end_us", "latency_us", "span_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "root_span_row_id", "traces"."start_us" as "value" from "traces" where "project_id" = ? and "start_us" >= ? and "start_us" < ? and ("traces"."start_us", id) < (?, ?) order by "traces"."start_us" desc, "id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_start (project_id=? AND start_us>? AND start_us<?)
select "spans"."id", "spans"."trace_row_id" as "trace_row_id", "spans"."span_id" as "span_id", "spans"."parent_span_id" as "parent_span_id", "spans"."name" as "name", "spans"."session_id" as "session_id", "spans"."user_id" as "user_id", "spans"."kind" as "kind", "spans"."status" as "status", "spans"."start_us" as "start_us", "spans"."end_us" as "end_us", "spans"."latency_us" as "latency_us", "spans"."prompt_tokens" as "prompt_tokens", "spans"."completion_tokens" as "completion_tokens", "spans"."total_tokens" as "total_tokens", "spans"."counted_prompt_tokens" as "counted_prompt_tokens", "spans"."counted_completion_tokens" as "counted_completion_tokens", "spans"."model_name" as "model_name" from "spans" where "spans"."trace_row_id" in (SELECT value FROM json_each(?)) order by "spans"."id" limit ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR ORDER BY
select "spans"."id", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where "spans"."id" in (SELECT value FROM json_each(?)) order by "spans"."id";
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."id" in (SELECT value FROM json_each(?)) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- searchTraces by latency
select "id", "trace_id", "start_us", "end_us", "latency_us", "span_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "root_span_row_id", "traces"."latency_us" as "value" from "traces" where "project_id" = ? and "start_us" >= ? and "start_us" < ? and ("traces"."latency_us", id) < (?, ?) order by "traces"."latency_us" desc, "id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_latency (project_id=? AND latency_us<?)

-- searchTraces by total_tokens
select "id", "trace_id", "start_us", "end_us", "latency_us", "span_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "root_span_row_id", ("traces"."prompt_tokens" + "traces"."completion_tokens") as "value" from "traces" where "project_id" = ? and "start_us" >= ? and "start_us" < ? and (("traces"."prompt_tokens" + "traces"."completion_tokens"), id) < (?, ?) order by ("traces"."prompt_tokens" + "traces"."completion_tokens") desc, "id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_start (project_id=? AND start_us>? AND start_us<?)
--   USE TEMP B-TREE FOR ORDER BY

-- countTracesAfter
select count(*) as "count" from "traces" where "project_id" = ? and ("traces"."start_us", id) < (?, ?) and "start_us" >= ? and "start_us" < ?;
--   SEARCH traces USING COVERING INDEX traces_by_start (project_id=? AND start_us>? AND start_us<?)

-- searchSessions by id
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (id) as "value" from "sessions" where "project_id" = ? and "end_us" >= ? and "start_us" < ? and id < ? order by "id" desc limit ?;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=? AND id<?)
select "id", "session_row_id", "start_us", "end_us", "error_count" from "traces" where "session_row_id" in (SELECT value FROM json_each(?)) order by "start_us", "id";
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR ORDER BY
select "spans"."id", "spans"."trace_row_id" as "trace_row_id", "spans"."start_us" as "start_us", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where "spans"."trace_row_id" in (SELECT value FROM json_each(?)) and "spans"."parent_span_id" is null order by "spans"."id";
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR ORDER BY
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd" from "sessions" where "id" in (SELECT value FROM json_each(?)) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "sessions"."project_id");
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- searchSessions by cost
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (cost_nanousd) as "value" from "sessions" where "project_id" = ? and "end_us" >= ? and "start_us" < ? and ((cost_nanousd), id) < (?, ?) order by (cost_nanousd) desc, "id" desc limit ?;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=?)
--   USE TEMP B-TREE FOR ORDER BY

-- searchSessions of all projects
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (id) as "value" from "sessions" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "sessions"."project_id") order by "id" asc limit ?;
--   SCAN sessions
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- countAllSessions
select count(*) as "count" from "sessions" where "project_id" = ? and "end_us" >= ? and "start_us" < ?;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=?)

-- openOwnerVerdicts
select "id", "trace_id", "start_us", "end_us", "latency_us", "span_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "root_span_row_id" from "traces" where "id" in (SELECT value FROM json_each(?)) and +"project_id" = ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
select "id", "session_row_id" from "traces" where "id" in (SELECT value FROM json_each(?));
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count" from "sessions" where "id" in (SELECT value FROM json_each(?)) and +"project_id" = ? order by "id";
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- browseSpans by what is below them
select "trace_row_id" from "unlisted_traces";
--   SCAN unlisted_traces
select "id", "trace_id", "start_us", "end_us", "latency_us", "span_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "root_span_row_id", "traces"."start_us" as "value" from "traces" where "project_id" = ? and "start_us" < ? and end_us >= ? order by "traces"."start_us" desc, "id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_start (project_id=? AND start_us<?)
select "spans"."id", "spans"."trace_row_id" as "trace_row_id", "spans"."span_id" as "span_id", "spans"."parent_span_id" as "parent_span_id", "spans"."start_us" as "start_us", "spans"."counted_prompt_tokens" as "counted_prompt_tokens", "spans"."counted_completion_tokens" as "counted_completion_tokens", "spans"."counted_cost_nanousd" as "counted_cost_nanousd" from "spans" where "spans"."trace_row_id" in (SELECT value FROM json_each(?)) order by "spans"."id";
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR ORDER BY
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", "traces"."project_id", "spans"."latency_us", "spans"."session_id", "spans"."user_id", "spans"."model_name", "spans"."provider", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."cache_read_tokens", "spans"."cache_write_tokens", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."reasoning_tokens", "spans"."prompt_audio_tokens", "spans"."completion_audio_tokens", "spans"."cost_usd", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."input_cost_nanousd", "spans"."cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd", "spans"."output_cost_nanousd", "spans"."reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd", "spans"."input_preview", "spans"."output_preview", "spans"."attributes" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") and "spans"."id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 2
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- countTraceFacets
select "id", "trace_id", "start_us", "end_us", "latency_us", "span_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "root_span_row_id", "traces"."start_us" as "value" from "traces" where "project_id" = ? and "start_us" >= ? and "start_us" < ? order by "traces"."start_us" desc, "id" desc limit ?;
--   SEARCH traces USING INDEX traces_by_start (project_id=? AND start_us>? AND start_us<?)

-- countSessionFacets
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (id) as "value" from "sessions" where "project_id" = ? and "end_us" >= ? and "start_us" < ? order by "id" desc limit ?;
--   SEARCH sessions USING INDEX sessions_by_arrival (project_id=?)
select "traces"."id" as "traceRowId", "traces"."session_row_id" as "sessionRowId", "root"."id", "root"."start_us" as "startUs", "root"."parent_span_id" as "parentId" from "traces" left join "spans" as "root" on "root"."id" = "traces"."root_span_row_id" where "traces"."session_row_id" in (SELECT value FROM json_each(?));
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH root USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
