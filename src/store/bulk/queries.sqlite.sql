select "row_id" from "job_items" where "job_id" = ? and "row_id" > ? order by "row_id" limit ?;
--   SEARCH job_items USING COVERING INDEX sqlite_autoindex_job_items_1 (job_id=? AND row_id>?)

delete from "job_items" where "job_id" = ? and "row_id" in (SELECT value FROM json_each(?));
--   SEARCH job_items USING COVERING INDEX sqlite_autoindex_job_items_1 (job_id=? AND row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "row_id" from "job_items" where "job_id" = ? order by "row_id" limit ? offset ?;
--   SEARCH job_items USING COVERING INDEX sqlite_autoindex_job_items_1 (job_id=?)

delete from "job_items" where "job_id" = ? and "row_id" <= ?;
--   SEARCH job_items USING COVERING INDEX sqlite_autoindex_job_items_1 (job_id=? AND row_id<?)

select min("job_id") as "jobId" from "job_items" where "job_id" > ?;
--   SEARCH job_items USING COVERING INDEX sqlite_autoindex_job_items_1 (job_id>?)

select "name" from "projects" where "id" = ?;
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)

select "id" from "traces" order by "id" desc limit ?;
--   SCAN traces

insert into "deletions" ("project_id", "project_name", "reason", "policy_id", "selection", "state", "trace_count", "span_count", "erased_span_count", "started_at_us", "hidden_at_us", "finished_at_us", "job_id") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning "id";


select "id" as "rowId", "project_id" as "projectRowId", "project_name" as "projectName", "reason", "policy_id" as "policyRowId", "selection", "state", "trace_count" as "traceCount", "span_count" as "spanCount", "erased_span_count" as "erasedSpanCount", "started_at_us" as "startedAtUs", "hidden_at_us" as "hiddenAtUs", "finished_at_us" as "finishedAtUs" from "deletions" where "id" = ?;
--   SEARCH deletions USING INTEGER PRIMARY KEY (rowid=?)

select "id" from "traces" where "id" in (SELECT value FROM json_each(?)) and +"project_id" = ? and EXISTS (SELECT 1 FROM spans WHERE spans.trace_row_id = traces.id
    AND +"spans"."id" < ?) order by "id";
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH spans EXISTS USING COVERING INDEX spans_of_trace (trace_row_id=?)

select distinct "trace_row_id" as "traceRowId" from "spans" where "trace_row_id" in (SELECT value FROM json_each(?)) and +"id" >= ?;
--   SEARCH spans USING COVERING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id", "trace_row_id" as "traceRowId" from "spans" where "trace_row_id" in (SELECT value FROM json_each(?)) and +"id" < ? order by "trace_row_id", +"id" limit ?;
--   SEARCH spans USING COVERING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR LAST TERM OF ORDER BY

select "id", "request_span_row_id" from "log_records" where "span_row_id" in (SELECT value FROM json_each(?)) limit ?;
--   SEARCH log_records USING INDEX log_records_of_span (span_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "traces".*, "root"."start_us" as "root_start_us", "root"."parent_span_id" as "root_parent_span_id", "sessions"."session_id" from "traces" left join "spans" as "root" on "root"."id" = "traces"."root_span_row_id" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."id" in (SELECT value FROM json_each(?)) order by "traces"."id";
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH root USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN

select "block_id" as "id", -count(*) as "live_count" from "span_locations" where "span_row_id" in (SELECT value FROM json_each(?)) group by "block_id";
--   SEARCH span_locations USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR GROUP BY

UPDATE "blocks" SET "live_count" = "live_count" + ? WHERE "id" = ?;
--   SEARCH blocks USING INTEGER PRIMARY KEY (rowid=?)

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

select "trace_row_id" as "traceRowId", min("start_us") as "startUs", max(coalesce("end_us", "start_us")) as "endUs" from "spans" where "trace_row_id" in (SELECT value FROM json_each(?)) group by "trace_row_id";
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

UPDATE "traces" SET "revision" = "revision" + ?, "session_row_id" = ?, "session_span_row_id" = ?, "session_start_us" = ?, "root_span_row_id" = ?, "start_us" = ?, "end_us" = ?, "span_count" = ?, "error_count" = ?, "prompt_tokens" = ?, "completion_tokens" = ?, "cost_nanousd" = ?, "prompt_cost_nanousd" = ?, "completion_cost_nanousd" = ? WHERE "id" = ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

UPDATE "sessions" SET "start_us" = min("start_us", ?), "end_us" = max("end_us", ?), "trace_count" = "trace_count" + ?, "error_count" = "error_count" + ?, "prompt_tokens" = "prompt_tokens" + ?, "completion_tokens" = "completion_tokens" + ?, "cost_nanousd" = "cost_nanousd" + ?, "prompt_cost_nanousd" = "prompt_cost_nanousd" + ?, "completion_cost_nanousd" = "completion_cost_nanousd" + ? WHERE "id" = ?;
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)

update "spans" set "attributes_cut" = attributes_cut where "trace_row_id" = ? and "parent_span_id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER

select "id" from "sessions" where "id" in (SELECT value FROM json_each(?)) and +"project_id" = ?;
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id", "session_row_id" from "traces" where "session_row_id" in (SELECT value FROM json_each(?)) and +"id" < ? and EXISTS (SELECT 1 FROM spans WHERE spans.trace_row_id = traces.id
    AND +"spans"."id" < ?) order by "session_row_id", +"id" limit ?;
--   SEARCH traces USING COVERING INDEX traces_of_session (session_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH spans EXISTS USING COVERING INDEX spans_of_trace (trace_row_id=?)
--   USE TEMP B-TREE FOR LAST TERM OF ORDER BY

select "spans"."id" as "rowId", "traces"."id" as "traceRowId", "traces"."project_id" as "projectRowId" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."id" in (SELECT value FROM json_each(?)) order by "spans"."id";
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

select "id" from "projects" where "id" = ?;
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)

select "id" from "traces" where "id" in (SELECT value FROM json_each(?)) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH projects EXISTS USING INTEGER PRIMARY KEY (rowid=?)

update "traces" set "project_id" = ?, "session_row_id" = ?, "revision" = "revision" + ? where "id" in (SELECT value FROM json_each(?));
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

insert into "unlisted_traces" ("trace_row_id", "deletion_id") select "id", null as "deletion_id" from "traces" where "id" in (SELECT value FROM json_each(?)) on conflict ("trace_row_id") do nothing;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" as "rowId", "project_id" as "projectId", "session_id" as "sessionId" from "sessions" where "session_id" in (SELECT value FROM json_each(?));
--   SEARCH sessions USING COVERING INDEX sessions_by_text (session_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

UPDATE "traces" SET "session_row_id" = ? WHERE "id" = ?;
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

select "session_row_id" as "id", min("start_us") as "start_us", max("end_us") as "end_us" from "traces" where "session_row_id" in (SELECT value FROM json_each(?)) group by "session_row_id";
--   SEARCH traces USING INDEX traces_of_session (session_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

UPDATE "sessions" SET "start_us" = ?, "end_us" = ? WHERE "id" = ?;
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)

select "id" as "rowId" from "sessions" where "id" in (SELECT value FROM json_each(?)) and "trace_count" <= ? order by "id";
--   SEARCH sessions USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "spans" where "trace_row_id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING COVERING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "log_records" where "span_row_id" in (SELECT value FROM json_each(?)) and +"project_id" <> ? limit ?;
--   SEARCH log_records USING INDEX log_records_of_span (span_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id" from "log_records" where "trace_id" in (SELECT value FROM json_each(?)) and "span_row_id" is null and +"project_id" <> ? limit ?;
--   SEARCH log_records USING INDEX log_records_waiting (trace_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."trace_row_id" in (SELECT value FROM json_each(?)) and +"spans"."response_key" is not null and +"spans"."call_distance" = ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

update "spans" set "project_id" = ? where "trace_row_id" in (SELECT value FROM json_each(?)) and +"project_id" <> ?;
--   SEARCH spans USING INDEX spans_of_trace (trace_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "unlisted_traces" where "trace_row_id" in (SELECT value FROM json_each(?)) and "deletion_id" is null;
--   SEARCH unlisted_traces USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "annotation_configs"."id", "annotation_configs"."name", "annotation_configs"."kind", "annotation_configs"."description", "annotation_configs"."optimization_direction", "annotation_configs"."content", "annotation_configs"."is_strict" from "annotation_configs" where "name" in (SELECT value FROM json_each(?));
--   SEARCH annotation_configs USING INDEX annotation_configs_by_name (name=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select distinct "trace_row_id" from "spans" where "id" in (SELECT value FROM json_each(?));
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR DISTINCT

select "spans"."id", "spans"."trace_row_id", "traces"."project_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."id" in (SELECT value FROM json_each(?)) and EXISTS (SELECT 1 FROM traces JOIN projects ON projects.id = traces.project_id
  WHERE traces.id = spans.trace_row_id);
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CORRELATED SCALAR SUBQUERY 2
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)

insert into "annotations" ("target", "target_row_id", "document_position", "project_id", "name", "identifier", "annotator_kind", "label", "score", "explanation", "metadata", "source", "user_id", "is_carried", "created_at_us", "updated_at_us") select 'span' as "target", "target_row_id", "document_position", "project_id", "name", "identifier", "annotator_kind", "label", "score", "explanation", "metadata", "source", "user_id", "is_carried", "created_at_us", "created_at_us" as "updated_at_us" from (SELECT json_extract(value, '$[0]') AS "target_row_id", json_extract(value, '$[1]') AS "document_position", json_extract(value, '$[2]') AS "project_id", json_extract(value, '$[3]') AS "name", json_extract(value, '$[4]') AS "identifier", json_extract(value, '$[5]') AS "annotator_kind", json_extract(value, '$[6]') AS "label", json_extract(value, '$[7]') AS "score", json_extract(value, '$[8]') AS "explanation", json_extract(value, '$[9]') AS "metadata", json_extract(value, '$[10]') AS "source", json_extract(value, '$[11]') AS "user_id", json_extract(value, '$[12]') AS "is_carried", json_extract(value, '$[13]') AS "created_at_us" FROM json_each(?)) as "said" where TRUE on conflict ("target", "target_row_id", "name", "identifier", "document_position") do update set "project_id" = "excluded"."project_id", "annotator_kind" = "excluded"."annotator_kind", "label" = "excluded"."label", "score" = "excluded"."score", "explanation" = "excluded"."explanation", "metadata" = "excluded"."metadata", "source" = "excluded"."source", "user_id" = "excluded"."user_id", "is_carried" = "excluded"."is_carried", "updated_at_us" = "excluded"."updated_at_us" where "annotations"."updated_at_us" <= "excluded"."updated_at_us" returning "id", "target_row_id", "document_position", "name", "identifier";
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "target" from "annotation_queues" where "id" = ?;
--   SEARCH annotation_queues USING INTEGER PRIMARY KEY (rowid=?)

INSERT INTO annotation_queue_items (queue_id, target, added_by_id, added_at_us, target_row_id)
        SELECT 1, 'span', null, 1, item.value FROM (SELECT value FROM json_each(?)) AS item WHERE true
        ON CONFLICT (queue_id, target_row_id) DO NOTHING;
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH annotation_queue_reviews USING COVERING INDEX sqlite_autoindex_annotation_queue_reviews_1 (item_id=?)
