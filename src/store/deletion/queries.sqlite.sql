
    SELECT record.id AS "rowId", projects.id AS "projectRowId" FROM log_records AS record
    LEFT JOIN traces ON traces.trace_id = record.trace_id
    LEFT JOIN projects ON projects.id = traces.project_id
    WHERE record.project_id = ? AND record.span_row_id IS NULL LIMIT ?;
--   SEARCH record USING INDEX log_records_unattached (project_id=?)
--   SEARCH traces USING INDEX sqlite_autoindex_traces_1 (trace_id=?) LEFT-JOIN
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

SELECT id FROM projects WHERE name = ?;
--   SEARCH projects USING COVERING INDEX sqlite_autoindex_projects_1 (name=?)

SELECT id FROM spans WHERE span_id = ?;
--   SCAN spans USING COVERING INDEX spans_by_otel_id

SELECT id FROM traces WHERE trace_id = ?;
--   SEARCH traces USING COVERING INDEX sqlite_autoindex_traces_1 (trace_id=?)

SELECT page_count AS pages, freelist_count AS free FROM pragma_page_count(), pragma_freelist_count();
--   SCAN pragma_page_count VIRTUAL TABLE INDEX 0:
--   SCAN pragma_freelist_count VIRTUAL TABLE INDEX 0:

UPDATE "blocks" SET "live_count" = "live_count" + ? WHERE "id" = ?;
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)

UPDATE "row_ids" SET "next_id" = ? WHERE "table_name" = ?;
--   SEARCH row_ids USING PRIMARY KEY (table_name=?)

UPDATE "sessions" SET "start_us" = ?, "end_us" = ? WHERE "id" = ?;
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)

UPDATE "sessions" SET "start_us" = min("start_us", ?), "end_us" = max("end_us", ?), "trace_count" = "trace_count" + ?, "error_count" = "error_count" + ?, "prompt_tokens" = "prompt_tokens" + ?, "completion_tokens" = "completion_tokens" + ?, "cost_nanousd" = "cost_nanousd" + ?, "prompt_cost_nanousd" = "prompt_cost_nanousd" + ?, "completion_cost_nanousd" = "completion_cost_nanousd" + ? WHERE "id" = ?;
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)

UPDATE "traces" SET "revision" = "revision" + ?, "session_row_id" = ?, "session_span_row_id" = ?, "session_start_us" = ?, "root_span_row_id" = ?, "start_us" = ?, "end_us" = ?, "span_count" = ?, "error_count" = ?, "prompt_tokens" = ?, "completion_tokens" = ?, "cost_nanousd" = ?, "prompt_cost_nanousd" = ?, "completion_cost_nanousd" = ? WHERE "id" = ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

UPDATE "traces" SET "session_row_id" = ? WHERE "id" = ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

delete from "block_dictionaries" where not (exists (select "id" from "blocks" where "dictionary_id" = "block_dictionaries"."id") or (exists (select "block_id" from "compaction_queue" where "block_id" <= "block_dictionaries"."made_at_block_id") and exists (select "id" from "traces" where "project_id" = "block_dictionaries"."project_id")));
--   SCAN block_dictionaries
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH blocks USING COVERING INDEX blocks_of_dictionary (dictionary_id=?)
--   CORRELATED SCALAR SUBQUERY 2
--   SEARCH compaction_queue USING INTEGER PRIMARY KEY (rowid<?)
--   CORRELATED SCALAR SUBQUERY 3
--   SEARCH traces USING COVERING INDEX traces_by_latency_step (project_id=?)

delete from "block_pieces" where "block_id" in (SELECT value FROM json_each(?));
--   SEARCH block_pieces USING PRIMARY KEY (block_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "block_pieces" where "block_id" in (select "id" from "blocks" where "trace_row_id" in (SELECT value FROM json_each(?)));
--   SEARCH block_pieces USING PRIMARY KEY (block_id=?)
--   LIST SUBQUERY 2
--   SEARCH blocks USING COVERING INDEX blocks_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "blocks" where "id" in (SELECT value FROM json_each(?));
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "blocks" where "trace_row_id" in (SELECT value FROM json_each(?));
--   SEARCH blocks USING COVERING INDEX blocks_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "compaction_queue" where "block_id" in (SELECT value FROM json_each(?));
--   SEARCH compaction_queue USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "compaction_queue" where "block_id" in (select "id" from "blocks" where "trace_row_id" in (SELECT value FROM json_each(?)));
--   SEARCH compaction_queue USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 2
--   SEARCH blocks USING COVERING INDEX blocks_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "deletions" where "id" = ?;
--   SEARCH deletions USING INTEGER PRIMARY KEY (rowid=?)

delete from "deletions" where "state" = ? and "id" <= ?;
--   SEARCH deletions USING INTEGER PRIMARY KEY (rowid<?)

delete from "projects" where "id" = ?;
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH annotation_queue_rules USING COVERING INDEX annotation_queue_rules_of_project (project_id=?)
--   SEARCH own_default_views USING COVERING INDEX own_default_views_of_project (project_id=?)
--   SEARCH saved_views USING COVERING INDEX saved_views_by_name (project_id=?)
--   SEARCH project_annotation_configs USING COVERING INDEX sqlite_autoindex_project_annotation_configs_1 (project_id=?)
--   SEARCH api_key_projects USING COVERING INDEX api_keys_of_project (project_id=?)
--   SEARCH project_retention USING INTEGER PRIMARY KEY (rowid=?)

delete from "sessions" where "id" in (SELECT value FROM json_each(?));
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "span_links" where "trace_row_id" in (SELECT value FROM json_each(?));
--   SEARCH span_links USING COVERING INDEX links_of_trace (trace_row_id=?)
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

delete from "traces" where "id" in (SELECT value FROM json_each(?));
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "unlisted_traces" where "trace_row_id" = ? and "deletion_id" is null;
--   SEARCH unlisted_traces USING INTEGER PRIMARY KEY (rowid=?)

delete from "unlisted_traces" where "trace_row_id" in (SELECT value FROM json_each(?)) and "deletion_id" is null;
--   SEARCH unlisted_traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "unlisted_traces" where "trace_row_id" in (SELECT value FROM json_each(?));
--   SEARCH unlisted_traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

insert into "audit_events" ("caller_kind", "caller_row_id", "caller_name", "key_row_id", "key_name", "address", "occurred_at_us", "outcome", "operation", "object_type", "object_id", "object_name", "project_row_id", "changes") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);


insert into "compaction_queue" ("block_id", "trace_row_id") select "id", "trace_row_id" from "blocks" where "id" in (SELECT value FROM json_each(?));
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

insert into "deletions" ("project_id", "project_name", "reason", "policy_id", "selection", "state", "trace_count", "span_count", "erased_span_count", "started_at_us", "hidden_at_us", "finished_at_us") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning "id";


insert into "deletions" ("project_id", "project_name", "reason", "policy_id", "selection", "state", "trace_count", "span_count", "erased_span_count", "started_at_us", "hidden_at_us", "finished_at_us", "job_id") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning "id";


insert into "sessions" ("id", "project_id", "session_id", "start_us", "end_us", "trace_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);


insert into "unlisted_traces" ("trace_row_id", "deletion_id") select "id", ? as "deletion_id" from "traces" where "id" in (SELECT value FROM json_each(?)) on conflict ("trace_row_id") do update set "deletion_id" = ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

insert into "unlisted_traces" ("trace_row_id", "deletion_id") select "id", null as "deletion_id" from "traces" where "id" in (SELECT value FROM json_each(?)) on conflict ("trace_row_id") do nothing;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "block_id" as "id", -count(*) as "live_count" from "span_locations" where "span_row_id" in (SELECT value FROM json_each(?)) group by "block_id";
--   SEARCH span_locations USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR GROUP BY

select "id" as "rowId" from "sessions" where "id" in (SELECT value FROM json_each(?)) and "trace_count" <= ? order by "id";
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" as "rowId", "project_id" as "projectId", "session_id" as "sessionId" from "sessions" where "session_id" in (SELECT value FROM json_each(?));
--   SEARCH sessions USING COVERING INDEX sessions_by_text (session_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" as "rowId", "project_id" as "projectRowId", "project_name" as "projectName", "reason", "policy_id" as "policyRowId", "selection", "state", "trace_count" as "traceCount", "span_count" as "spanCount", "erased_span_count" as "erasedSpanCount", "started_at_us" as "startedAtUs", "hidden_at_us" as "hiddenAtUs", "finished_at_us" as "finishedAtUs" from "deletions" where "id" = ?;
--   SEARCH deletions USING INTEGER PRIMARY KEY (rowid=?)

select "id" as "rowId", "project_id" as "projectRowId", "project_name" as "projectName", "reason", "policy_id" as "policyRowId", "selection", "state", "trace_count" as "traceCount", "span_count" as "spanCount", "erased_span_count" as "erasedSpanCount", "started_at_us" as "startedAtUs", "hidden_at_us" as "hiddenAtUs", "finished_at_us" as "finishedAtUs" from "deletions" where "policy_id" = ? order by "id" desc limit ?;
--   SEARCH deletions USING INDEX deletions_of_policy (policy_id=?)

select "id" as "rowId", "project_id" as "projectRowId", "project_name" as "projectName", "reason", "policy_id" as "policyRowId", "selection", "state", "trace_count" as "traceCount", "span_count" as "spanCount", "erased_span_count" as "erasedSpanCount", "started_at_us" as "startedAtUs", "hidden_at_us" as "hiddenAtUs", "finished_at_us" as "finishedAtUs" from "deletions" where "project_id" = ? order by "id" desc limit ?;
--   SEARCH deletions USING INDEX deletions_of_project (project_id=?)

select "id" as "rowId", "project_id" as "projectRowId", "project_name" as "projectName", "reason", "policy_id" as "policyRowId", "selection", "state", "trace_count" as "traceCount", "span_count" as "spanCount", "erased_span_count" as "erasedSpanCount", "started_at_us" as "startedAtUs", "hidden_at_us" as "hiddenAtUs", "finished_at_us" as "finishedAtUs" from "deletions" where "state" <> 'finished' and "id" not in (SELECT value FROM json_each(?)) and not ("state" = ? and exists (select "jobs"."id" from "jobs" where "jobs"."id" = "deletions"."job_id" and "jobs"."finished_at_us" is null)) order by "state" = ?, "selection" is null, "span_count" - "erased_span_count", "id" limit ?;
--   SCAN deletions USING INDEX deletions_unfinished
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
--   CORRELATED SCALAR SUBQUERY 2
--   SEARCH jobs USING INTEGER PRIMARY KEY (rowid=?)
--   USE TEMP B-TREE FOR ORDER BY

select "id" from "blocks" where "id" in (SELECT value FROM json_each(?)) and "live_count" <= ?;
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "log_records" where "span_row_id" in (SELECT value FROM json_each(?)) and +"project_id" <> ? limit ?;
--   SEARCH log_records USING INDEX log_records_of_span (span_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "log_records" where "span_row_id" in (SELECT value FROM json_each(?)) limit ?;
--   SEARCH log_records USING COVERING INDEX log_records_of_span (span_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "log_records" where "trace_id" = ? and "span_row_id" is null and "project_id" <> ? limit ?;
--   SEARCH log_records USING INDEX log_records_waiting (trace_id=?)

select "id" from "log_records" where "trace_id" in (SELECT value FROM json_each(?)) and "span_row_id" is null and +"project_id" <> ? limit ?;
--   SEARCH log_records USING INDEX log_records_waiting (trace_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "log_records" where "trace_id" in (SELECT value FROM json_each(?)) and "span_row_id" is null limit ?;
--   SEARCH log_records USING INDEX log_records_waiting (trace_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "projects" where "id" = ?;
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)

select "id" from "sessions" where "id" in (SELECT value FROM json_each(?)) order by "id";
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "sessions" where "project_id" = ? limit ?;
--   SEARCH sessions USING COVERING INDEX sessions_by_arrival (project_id=?)

select "id" from "spans" where "trace_row_id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING COVERING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "traces" order by "id" desc limit ?;
--   SCAN traces

select "id" from "traces" where "id" < ? and "id" in (SELECT value FROM json_each(?)) and +"project_id" = ? limit ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "traces" where "id" < ? and "project_id" = ? and "start_us" >= ? and (start_us, id) < (?, ?) order by "start_us", "id" limit ?;
--   SEARCH traces USING COVERING INDEX traces_by_start (project_id=? AND start_us>? AND start_us<?)

select "id" from "traces" where "id" < ? and "session_row_id" in (SELECT value FROM json_each(?)) and +"project_id" = ? limit ?;
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "traces" where "id" in (SELECT value FROM json_each(?)) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

select "id" from "traces" where "project_id" = ? and (start_us, id) < (?, ?) limit ?;
--   SEARCH traces USING COVERING INDEX traces_by_start (project_id=? AND start_us<?)

select "id", "request_span_row_id" from "log_records" where "span_row_id" in (SELECT value FROM json_each(?)) limit ?;
--   SEARCH log_records USING INDEX log_records_of_span (span_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id", "trace_id" as "name" from "traces" where "id" in (SELECT value FROM json_each(?)) order by "id";
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "name" from "projects" where "id" = ?;
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)

select "projects"."id" from "projects" left join "project_retention" as "own" on "own"."project_id" = "projects"."id" where coalesce(own.policy_id, ?) = ? order by "projects"."id" limit ? offset ?;
--   SCAN projects
--   SEARCH own USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

select "search_queue"."id" from "search_queue" where not exists (select "spans"."id" from "spans" where "spans"."id" = "search_queue"."span_row_id") limit ?;
--   SCAN search_queue
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)

select "session_row_id" as "id", min("start_us") as "start_us", max("end_us") as "end_us" from "traces" where "session_row_id" in (SELECT value FROM json_each(?)) group by "session_row_id";
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."id" = ? and EXISTS (SELECT 1 FROM traces JOIN projects ON projects.id = traces.project_id
  WHERE traces.id = spans.trace_row_id);
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."id" in (SELECT value FROM json_each(?)) and "spans"."response_key" is not null and "spans"."call_distance" = ?;
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."trace_row_id" = ? and ("spans"."start_us", "spans"."id") > (?, ?) order by "spans"."start_us", "spans"."id" limit ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=? AND start_us>?)

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."trace_row_id" in (SELECT value FROM json_each(?)) and +"spans"."response_key" is not null and +"spans"."call_distance" = ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

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

select "spans"."trace_row_id" as "traceRowId", "spans"."id" as "rowId", "spans"."start_us" as "startUs", "spans"."session_id" as "sessionId" from (SELECT (SELECT first.id FROM spans AS first
    WHERE first.trace_row_id = trace.value AND first.session_id IS NOT NULL ORDER BY first.start_us, first.id LIMIT 1) AS id
    FROM (SELECT value FROM json_each(?)) AS trace) as "decided" cross join "spans" where "spans"."id" = "decided"."id";
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH first USING INDEX spans_of_trace (trace_row_id=?)

select "start_us", "id" from "traces" where "project_id" = ? order by "start_us" desc, "id" desc limit ? offset ?;
--   SEARCH traces USING COVERING INDEX traces_by_start (project_id=?)

select "state", "erased_span_count" from "deletions" where "id" = ?;
--   SEARCH deletions USING INTEGER PRIMARY KEY (rowid=?)

select "trace_row_id" as "traceRowId", min("start_us") as "startUs", max(coalesce("end_us", "start_us")) as "endUs" from "spans" where "trace_row_id" in (SELECT value FROM json_each(?)) group by "trace_row_id";
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "trace_row_id" from "unlisted_traces" where "deletion_id" is null and "trace_row_id" not in (SELECT value FROM json_each(?)) order by "trace_row_id" limit ?;
--   SCAN unlisted_traces USING INDEX traces_being_moved
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER

select "traces"."id" as "traceRowId", "traces"."trace_id" as "traceId", "spans"."id" as "spanRowId" from "traces" left join "spans" on "spans"."trace_row_id" = "traces"."id" where "traces"."project_id" = ? and "traces"."id" not in (SELECT value FROM json_each(?)) order by "traces"."start_us", "traces"."id" limit ?;
--   SEARCH traces USING INDEX traces_by_start (project_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
--   SEARCH spans USING COVERING INDEX spans_of_trace (trace_row_id=?) LEFT-JOIN

select "traces".*, "root"."start_us" as "root_start_us", "root"."parent_span_id" as "root_parent_span_id", "sessions"."session_id" from "traces" left join "spans" as "root" on "root"."id" = "traces"."root_span_row_id" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."id" in (SELECT value FROM json_each(?)) order by "traces"."id";
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH root USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

select min("job_id") as "jobId" from "job_items" where "job_id" > ?;
--   SEARCH job_items USING COVERING INDEX sqlite_autoindex_job_items_1 (job_id>?)

update "deletions" set "erased_span_count" = "erased_span_count" + ?, "span_count" = "span_count" + ?, "trace_count" = "trace_count" + ? where "id" = ?;
--   SEARCH deletions USING INTEGER PRIMARY KEY (rowid=?)

update "deletions" set "state" = ? where "id" = ? and "state" = ?;
--   SEARCH deletions USING INTEGER PRIMARY KEY (rowid=?)

update "deletions" set "state" = ?, "finished_at_us" = ? where "id" = ? and "state" = ?;
--   SEARCH deletions USING INTEGER PRIMARY KEY (rowid=?)

update "deletions" set "trace_count" = "trace_count" + ?, "span_count" = "span_count" + ?, "state" = ?, "hidden_at_us" = ? where "id" = ?;
--   SEARCH deletions USING INTEGER PRIMARY KEY (rowid=?)

update "log_records" set "project_id" = ? where "id" in (SELECT value FROM json_each(?));
--   SEARCH log_records USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

update "log_records" set "project_id" = ? where "span_row_id" in (SELECT value FROM json_each(?));
--   SEARCH log_records USING COVERING INDEX log_records_of_span (span_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

update "spans" set "attributes_cut" = attributes_cut where "trace_row_id" = ? and "parent_span_id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER

update "spans" set "project_id" = ? where "id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

update "spans" set "project_id" = ? where "trace_row_id" in (SELECT value FROM json_each(?)) and +"project_id" <> ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

update "traces" set "project_id" = ?, "session_row_id" = ?, "revision" = "revision" + ? where "id" in (SELECT value FROM json_each(?));
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
