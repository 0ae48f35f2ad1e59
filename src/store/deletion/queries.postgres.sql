
    SELECT record.id AS "rowId", projects.id AS "projectRowId" FROM log_records AS record
    LEFT JOIN traces ON traces.trace_id = record.trace_id
    LEFT JOIN projects ON projects.id = traces.project_id
    WHERE record.project_id = $1 AND record.span_row_id IS NULL LIMIT $2;

COPY "sessions" ("id", "project_id", "session_id", "start_us", "end_us", "trace_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd") FROM STDIN (FORMAT binary);

SELECT id FROM projects WHERE name = $1;

SELECT id FROM spans WHERE span_id = $1;

SELECT id FROM traces WHERE trace_id = $1;

SELECT pg_notify('cairn_' || oid, $1) FROM pg_namespace WHERE nspname = current_schema();

UPDATE "blocks" AS changed SET "live_count" = changed."live_count" + given."live_count"
         FROM unnest($1::bigint[], $2::bigint[]) AS given("id", "live_count") WHERE changed."id" = given."id";

UPDATE "row_ids" AS changed SET "next_id" = given."next_id"
         FROM unnest($1::text[], $2::bigint[]) AS given("table_name", "next_id") WHERE changed."table_name" = given."table_name";

UPDATE "sessions" AS changed SET "start_us" = given."start_us", "end_us" = given."end_us"
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given("id", "start_us", "end_us") WHERE changed."id" = given."id";

UPDATE "sessions" AS changed SET "start_us" = least(changed."start_us", given."start_us"), "end_us" = greatest(changed."end_us", given."end_us"), "trace_count" = changed."trace_count" + given."trace_count", "error_count" = changed."error_count" + given."error_count", "prompt_tokens" = changed."prompt_tokens" + given."prompt_tokens", "completion_tokens" = changed."completion_tokens" + given."completion_tokens", "cost_nanousd" = changed."cost_nanousd" + given."cost_nanousd", "prompt_cost_nanousd" = changed."prompt_cost_nanousd" + given."prompt_cost_nanousd", "completion_cost_nanousd" = changed."completion_cost_nanousd" + given."completion_cost_nanousd"
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::double precision[], $7::double precision[], $8::double precision[], $9::double precision[], $10::double precision[]) AS given("id", "start_us", "end_us", "trace_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd") WHERE changed."id" = given."id";

UPDATE "traces" AS changed SET "revision" = changed."revision" + given."revision", "session_row_id" = given."session_row_id", "session_span_row_id" = given."session_span_row_id", "session_start_us" = given."session_start_us", "root_span_row_id" = given."root_span_row_id", "start_us" = given."start_us", "end_us" = given."end_us", "span_count" = given."span_count", "error_count" = given."error_count", "prompt_tokens" = given."prompt_tokens", "completion_tokens" = given."completion_tokens", "cost_nanousd" = given."cost_nanousd", "prompt_cost_nanousd" = given."prompt_cost_nanousd", "completion_cost_nanousd" = given."completion_cost_nanousd"
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::double precision[], $12::double precision[], $13::double precision[], $14::double precision[], $15::double precision[]) AS given("id", "revision", "session_row_id", "session_span_row_id", "session_start_us", "root_span_row_id", "start_us", "end_us", "span_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd") WHERE changed."id" = given."id";

UPDATE "traces" AS changed SET "session_row_id" = given."session_row_id"
         FROM unnest($1::bigint[], $2::bigint[]) AS given("id", "session_row_id") WHERE changed."id" = given."id";

UPDATE write_turn SET previous = server_id, server_id = $1, turn = turn + 1 RETURNING previous, turn, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS "nowUs";

delete from "block_dictionaries" where not (exists (select "id" from "blocks" where "dictionary_id" = "block_dictionaries"."id") or (exists (select "block_id" from "compaction_queue" where "block_id" <= "block_dictionaries"."made_at_block_id") and exists (select "id" from "traces" where "project_id" = "block_dictionaries"."project_id")));

delete from "block_pieces" where "block_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "block_pieces" where "block_id" in (select "id" from "blocks" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))));

delete from "blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "blocks" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "compaction_queue" where "block_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "compaction_queue" where "block_id" in (select "id" from "blocks" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))));

delete from "deletions" where "id" = $1;

delete from "deletions" where "state" = $1 and "id" <= $2;

delete from "projects" where "id" = $1;

delete from "sessions" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "span_links" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "span_links" where "trace_row_id" in (select "trace_row_id" from "spans" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)))) and "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));

delete from "span_locations" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "spans" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "traces" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "unlisted_traces" where "trace_row_id" = $1 and "deletion_id" is null;

delete from "unlisted_traces" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "deletion_id" is null;

delete from "unlisted_traces" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

insert into "audit_events" ("caller_kind", "caller_row_id", "caller_name", "key_row_id", "key_name", "address", "occurred_at_us", "outcome", "operation", "object_type", "object_id", "object_name", "project_row_id", "changes") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

insert into "compaction_queue" ("block_id", "trace_row_id") select "id", "trace_row_id" from "blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

insert into "deletions" ("project_id", "project_name", "reason", "policy_id", "selection", "state", "trace_count", "span_count", "erased_span_count", "started_at_us", "hidden_at_us", "finished_at_us") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning "id";

insert into "deletions" ("project_id", "project_name", "reason", "policy_id", "selection", "state", "trace_count", "span_count", "erased_span_count", "started_at_us", "hidden_at_us", "finished_at_us", "job_id") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning "id";

insert into "unlisted_traces" ("trace_row_id", "deletion_id") select "id", $1 as "deletion_id" from "traces" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb))) on conflict ("trace_row_id") do update set "deletion_id" = $3;

insert into "unlisted_traces" ("trace_row_id", "deletion_id") select "id", null as "deletion_id" from "traces" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) on conflict ("trace_row_id") do nothing;

select "block_id" as "id", -count(*) as "live_count" from "span_locations" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "block_id";

select "id" as "rowId" from "sessions" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "trace_count" <= $2 order by "id";

select "id" as "rowId", "project_id" as "projectId", "session_id" as "sessionId" from "sessions" where "session_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($1::jsonb)));

select "id" as "rowId", "project_id" as "projectRowId", "project_name" as "projectName", "reason", "policy_id" as "policyRowId", "selection", "state", "trace_count" as "traceCount", "span_count" as "spanCount", "erased_span_count" as "erasedSpanCount", "started_at_us" as "startedAtUs", "hidden_at_us" as "hiddenAtUs", "finished_at_us" as "finishedAtUs" from "deletions" where "id" = $1;

select "id" as "rowId", "project_id" as "projectRowId", "project_name" as "projectName", "reason", "policy_id" as "policyRowId", "selection", "state", "trace_count" as "traceCount", "span_count" as "spanCount", "erased_span_count" as "erasedSpanCount", "started_at_us" as "startedAtUs", "hidden_at_us" as "hiddenAtUs", "finished_at_us" as "finishedAtUs" from "deletions" where "policy_id" = $1 order by "id" desc limit $2;

select "id" as "rowId", "project_id" as "projectRowId", "project_name" as "projectName", "reason", "policy_id" as "policyRowId", "selection", "state", "trace_count" as "traceCount", "span_count" as "spanCount", "erased_span_count" as "erasedSpanCount", "started_at_us" as "startedAtUs", "hidden_at_us" as "hiddenAtUs", "finished_at_us" as "finishedAtUs" from "deletions" where "project_id" = $1 order by "id" desc limit $2;

select "id" as "rowId", "project_id" as "projectRowId", "project_name" as "projectName", "reason", "policy_id" as "policyRowId", "selection", "state", "trace_count" as "traceCount", "span_count" as "spanCount", "erased_span_count" as "erasedSpanCount", "started_at_us" as "startedAtUs", "hidden_at_us" as "hiddenAtUs", "finished_at_us" as "finishedAtUs" from "deletions" where "state" <> 'finished' and "id" not in (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)) and not ("state" = $2 and exists (select "jobs"."id" from "jobs" where "jobs"."id" = "deletions"."job_id" and "jobs"."finished_at_us" is null)) order by "state" = $3, "selection" is null, "span_count" - "erased_span_count", "id" limit $4;

select "id" from "blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "live_count" <= $2;

select "id" from "log_records" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "project_id" <> $2 limit $3;

select "id" from "log_records" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) limit $2;

select "id" from "log_records" where "trace_id" = $1 and "span_row_id" is null and "project_id" <> $2 limit $3;

select "id" from "log_records" where "trace_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($1::jsonb))) and "span_row_id" is null and "project_id" <> $2 limit $3;

select "id" from "log_records" where "trace_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($1::jsonb))) and "span_row_id" is null limit $2;

select "id" from "projects" where "id" = $1;

select "id" from "sessions" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "id";

select "id" from "sessions" where "project_id" = $1 limit $2;

select "id" from "spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

select "id" from "traces" order by "id" desc limit $1;

select "id" from "traces" where "id" < $1 and "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb))) and "project_id" = $3 limit $4;

select "id" from "traces" where "id" < $1 and "project_id" = $2 and "start_us" >= $3 and (start_us, id) < ($4, $5) order by "start_us", "id" limit $6;

select "id" from "traces" where "id" < $1 and "session_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb))) and "project_id" = $3 limit $4;

select "id" from "traces" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");

select "id" from "traces" where "project_id" = $1 and (start_us, id) < ($2, $3) limit $4;

select "id", "request_span_row_id" from "log_records" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) limit $2;

select "id", "trace_id" as "name" from "traces" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "id";

select "name" from "projects" where "id" = $1;

select "projects"."id" from "projects" left join "project_retention" as "own" on "own"."project_id" = "projects"."id" where coalesce(own.policy_id, $1) = $2 order by "projects"."id" limit $3 offset $4;

select "search_queue"."id" from "search_queue" where not exists (select "spans"."id" from "spans" where "spans"."id" = "search_queue"."span_row_id") limit $1;

select "session_row_id" as "id", min("start_us") as "start_us", max("end_us") as "end_us" from "traces" where "session_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "session_row_id";

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."id" = $1 and EXISTS (SELECT 1 FROM traces JOIN projects ON projects.id = traces.project_id
  WHERE traces.id = spans.trace_row_id);

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "spans"."response_key" is not null and "spans"."call_distance" = $2;

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."trace_row_id" = $1 and ("spans"."start_us", "spans"."id") > ($2, $3) order by "spans"."start_us", "spans"."id" limit $4;

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "spans"."response_key" is not null and "spans"."call_distance" = $2;

select "spans"."trace_row_id" as "traceRowId", "spans"."id" as "rowId", "spans"."start_us" as "startUs", "spans"."parent_span_id" as "parentSpanId" from (SELECT (SELECT first.id FROM spans AS first
    WHERE first.trace_row_id = trace.value AND NOT EXISTS (SELECT 1 FROM spans AS parent WHERE parent.span_id = first.parent_span_id
      AND parent.trace_row_id = first.trace_row_id AND parent.id <> first.id) ORDER BY first.start_us, first.id LIMIT 1) AS id
    FROM (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)) AS trace) as "decided" cross join "spans" where "spans"."id" = "decided"."id";

select "spans"."trace_row_id" as "traceRowId", "spans"."id" as "rowId", "spans"."start_us" as "startUs", "spans"."session_id" as "sessionId" from (SELECT (SELECT first.id FROM spans AS first
    WHERE first.trace_row_id = trace.value AND first.session_id IS NOT NULL ORDER BY first.start_us, first.id LIMIT 1) AS id
    FROM (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)) AS trace) as "decided" cross join "spans" where "spans"."id" = "decided"."id";

select "start_us", "id" from "traces" where "project_id" = $1 order by "start_us" desc, "id" desc limit $2 offset $3;

select "state", "erased_span_count" from "deletions" where "id" = $1;

select "trace_row_id" as "traceRowId", min("start_us") as "startUs", max(coalesce("end_us", "start_us")) as "endUs" from "spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "trace_row_id";

select "trace_row_id" from "unlisted_traces" where "deletion_id" is null and "trace_row_id" not in (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)) order by "trace_row_id" limit $2;

select "traces"."id" as "traceRowId", "traces"."trace_id" as "traceId", "spans"."id" as "spanRowId" from "traces" left join "spans" on "spans"."trace_row_id" = "traces"."id" where "traces"."project_id" = $1 and "traces"."id" not in (SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)) order by "traces"."start_us", "traces"."id" limit $3;

select "traces".*, "root"."start_us" as "root_start_us", "root"."parent_span_id" as "root_parent_span_id", "sessions"."session_id" from "traces" left join "spans" as "root" on "root"."id" = "traces"."root_span_row_id" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "traces"."id";

select min("job_id") as "jobId" from "job_items" where "job_id" > $1;

update "deletions" set "erased_span_count" = "erased_span_count" + $1, "span_count" = "span_count" + $2, "trace_count" = "trace_count" + $3 where "id" = $4;

update "deletions" set "state" = $1 where "id" = $2 and "state" = $3;

update "deletions" set "state" = $1, "finished_at_us" = $2 where "id" = $3 and "state" = $4;

update "deletions" set "trace_count" = "trace_count" + $1, "span_count" = "span_count" + $2, "state" = $3, "hidden_at_us" = $4 where "id" = $5;

update "log_records" set "project_id" = $1 where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));

update "log_records" set "project_id" = $1 where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));

update "spans" set "attributes_cut" = attributes_cut where "trace_row_id" = $1 and "parent_span_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($2::jsonb)));

update "spans" set "project_id" = $1 where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));

update "spans" set "project_id" = $1 where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb))) and "project_id" <> $3;

update "traces" set "project_id" = $1, "session_row_id" = $2, "revision" = "revision" + $3 where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($4::jsonb)));
