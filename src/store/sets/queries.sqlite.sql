-- members of everything, newest first
select "member".* from (select "row_id" as "id" from "pins" where "subject" = ? and "label" = ? and "row_id" >= ?) as "member" order by "member"."id" desc limit ?;
--   SEARCH pins USING COVERING INDEX pins_of_label (subject=? AND label=? AND row_id>?)

-- members of a range, newest first
select "member".* from (select "row_id" as "id" from "pins" where "subject" = ? and "label" = ? and ("row_id" >= ? AND "row_id" < ?)) as "member" order by "member"."id" desc limit ?;
--   SEARCH pins USING COVERING INDEX pins_of_label (subject=? AND label=? AND row_id>? AND row_id<?)

-- members of a range, oldest first
select "member".* from (select "row_id" as "id" from "pins" where "subject" = ? and "label" = ? and "row_id" >= ?) as "member" order by "member"."id" asc limit ?;
--   SEARCH pins USING COVERING INDEX pins_of_label (subject=? AND label=? AND row_id>?)

-- members of row ids far apart
select "member".* from (select "row_id" as "id" from "pins" where "subject" = ? and "label" = ? and "row_id" in (SELECT value FROM json_each(?))) as "member";
--   SEARCH pins USING COVERING INDEX pins_of_label (subject=? AND label=? AND row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

-- annotated spans, as far as SQL tells
select "member".* from (select "target_row_id" as "id" from "annotations" where "target" = ? and "target_row_id" >= ? and "name" = ? and ("annotations"."score" < ? AND "annotations"."label" IN (SELECT value FROM json_each(?)))) as "member" order by "member"."id" desc limit ?;
--   SEARCH annotations USING COVERING INDEX annotations_of_name (target=? AND name=? AND target_row_id>?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
select "member".* from (select "target_row_id" as "id", "name", "score", "label", "explanation", "identifier", "annotator_kind", "document_position" from "annotations" where "target" = ? and "target_row_id" >= ? and "name" = ? and ("annotations"."score" < ?)) as "member" order by "member"."id" desc limit ?;
--   SEARCH annotations USING INDEX annotations_of_name (target=? AND name=? AND target_row_id>?)
select "member".* from (select "target_row_id" as "id" from "annotations" where "target" = ? and "target_row_id" >= ? and "name" = ? and "annotations"."annotator_kind" = ? and ("annotations"."score" > ?) IS NOT TRUE) as "member" order by "member"."id" desc limit ?;
--   SEARCH annotations USING INDEX annotations_of_name (target=? AND name=? AND target_row_id>?)
select "member".* from (select "target_row_id" as "id" from "annotations" where "target" = ? and "target_row_id" >= ? and "annotations"."score" > ?) as "member" order by "member"."id" desc limit ?;
--   SEARCH annotations USING INDEX annotations_of_target (target=? AND target_row_id>?)

-- spans that are in sets
select "trace_row_id" from "unlisted_traces";
--   SCAN unlisted_traces
select "next_id" from "row_ids" where "table_name" = ?;
--   SEARCH row_ids USING PRIMARY KEY (table_name=?)
select "change"."span_row_id", "spans"."project_id", "spans"."start_us" from "span_segment_changes" as "change" left join "spans" on "spans"."id" = "change"."span_row_id" where "change"."span_row_id" >= ? and "change"."span_row_id" < ? order by "change"."span_row_id" limit ?;
--   SEARCH change USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
select "segment", "build", "row_count", "min_start_us", "max_start_us", "project_ids" from "span_segments" where "segment" >= ? and "segment" <= ? and "build" > ? and "format" = ?;
--   SEARCH span_segments USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)
select "spans"."id", "spans"."trace_row_id" as "trace_row_id", "spans"."start_us" as "start_us" from "spans" where +"spans"."project_id" = ? and +"spans"."start_us" >= ? and +"spans"."start_us" < ? and "spans"."id" >= ? and "spans"."id" <= ? order by "spans"."id";
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)
select "id", "session_row_id" from "traces" where "id" in (SELECT value FROM json_each(?));
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", "traces"."project_id", "spans"."latency_us", "spans"."session_id", "spans"."user_id", "spans"."model_name", "spans"."provider", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."cache_read_tokens", "spans"."cache_write_tokens", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."reasoning_tokens", "spans"."prompt_audio_tokens", "spans"."completion_audio_tokens", "spans"."cost_usd", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."input_cost_nanousd", "spans"."cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd", "spans"."output_cost_nanousd", "spans"."reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd", "spans"."input_preview", "spans"."output_preview", "spans"."attributes" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") and "spans"."id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 2
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- spans that are not


-- traces that are in sets, as are their spans
select distinct "trace_row_id" from "spans" where "id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR DISTINCT
select "id" from "traces" where "session_row_id" in (SELECT value FROM json_each(?)) limit ?;
--   SEARCH traces USING COVERING INDEX traces_of_session (session_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
select "id", "trace_id", "start_us", "end_us", "latency_us", "span_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "root_span_row_id", "traces"."start_us" as "value" from "traces" where +"project_id" = ? and +"start_us" >= ? and +"start_us" < ? and "id" in (SELECT value FROM json_each(?)) order by "traces"."start_us" desc, "id" desc limit ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR ORDER BY
select "spans"."id", "spans"."trace_row_id" as "trace_row_id", "spans"."span_id" as "span_id", "spans"."parent_span_id" as "parent_span_id", "spans"."name" as "name", "spans"."session_id" as "session_id", "spans"."user_id" as "user_id", "spans"."kind" as "kind", "spans"."status" as "status", "spans"."start_us" as "start_us", "spans"."end_us" as "end_us", "spans"."latency_us" as "latency_us", "spans"."prompt_tokens" as "prompt_tokens", "spans"."completion_tokens" as "completion_tokens", "spans"."total_tokens" as "total_tokens", "spans"."counted_prompt_tokens" as "counted_prompt_tokens", "spans"."counted_completion_tokens" as "counted_completion_tokens", "spans"."model_name" as "model_name" from "spans" where "spans"."trace_row_id" in (SELECT value FROM json_each(?)) order by "spans"."id" limit ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR ORDER BY
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."id" in (SELECT value FROM json_each(?)) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

-- sessions that are in a set
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (cost_nanousd) as "value" from "sessions" where +"project_id" = ? and "id" in (SELECT value FROM json_each(?)) and "end_us" >= ? and "start_us" < ? order by (cost_nanousd) desc, "id" desc limit ?;
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR ORDER BY
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd" from "sessions" where "id" in (SELECT value FROM json_each(?)) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "sessions"."project_id");
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)
