select "row_id" from "job_items" where "job_id" = $1 and "row_id" > $2 order by "row_id" limit $3;

delete from "job_items" where "job_id" = $1 and "row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));

select "row_id" from "job_items" where "job_id" = $1 order by "row_id" limit $2 offset $3;

delete from "job_items" where "job_id" = $1 and "row_id" <= $2;

select min("job_id") as "jobId" from "job_items" where "job_id" > $1;

select "name" from "projects" where "id" = $1;

select "id" from "traces" order by "id" desc limit $1;

insert into "deletions" ("project_id", "project_name", "reason", "policy_id", "selection", "state", "trace_count", "span_count", "erased_span_count", "started_at_us", "hidden_at_us", "finished_at_us", "job_id") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning "id";

select "id" as "rowId", "project_id" as "projectRowId", "project_name" as "projectName", "reason", "policy_id" as "policyRowId", "selection", "state", "trace_count" as "traceCount", "span_count" as "spanCount", "erased_span_count" as "erasedSpanCount", "started_at_us" as "startedAtUs", "hidden_at_us" as "hiddenAtUs", "finished_at_us" as "finishedAtUs" from "deletions" where "id" = $1;

select "id" from "traces" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "project_id" = $2 and EXISTS (SELECT 1 FROM spans WHERE spans.trace_row_id = traces.id
    AND "spans"."id" < $3) order by "id";

select distinct "trace_row_id" as "traceRowId" from "spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "id" >= $2;

select "id", "trace_row_id" as "traceRowId" from "spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "id" < $2 order by "trace_row_id", "id" limit $3;

select "id", "request_span_row_id" from "log_records" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) limit $2;

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

select "traces".*, "root"."start_us" as "root_start_us", "root"."parent_span_id" as "root_parent_span_id", "sessions"."session_id" from "traces" left join "spans" as "root" on "root"."id" = "traces"."root_span_row_id" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "traces"."id";

select "block_id" as "id", -count(*) as "live_count" from "span_locations" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "block_id";

UPDATE "blocks" AS changed SET "live_count" = changed."live_count" + given."live_count"
         FROM unnest($1::bigint[], $2::bigint[]) AS given("id", "live_count") WHERE changed."id" = given."id";

select "id" from "blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "live_count" <= $2;

delete from "block_pieces" where "block_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "compaction_queue" where "block_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

insert into "compaction_queue" ("block_id", "trace_row_id") select "id", "trace_row_id" from "blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "span_links" where "trace_row_id" in (select "trace_row_id" from "spans" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)))) and "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));

delete from "span_locations" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

delete from "spans" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

select "trace_row_id" as "traceRowId", min("start_us") as "startUs", max(coalesce("end_us", "start_us")) as "endUs" from "spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "trace_row_id";

select "spans"."trace_row_id" as "traceRowId", "spans"."id" as "rowId", "spans"."start_us" as "startUs", "spans"."parent_span_id" as "parentSpanId" from (SELECT (SELECT first.id FROM spans AS first
    WHERE first.trace_row_id = trace.value AND NOT EXISTS (SELECT 1 FROM spans AS parent WHERE parent.span_id = first.parent_span_id
      AND parent.trace_row_id = first.trace_row_id AND parent.id <> first.id) ORDER BY first.start_us, first.id LIMIT 1) AS id
    FROM (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)) AS trace) as "decided" cross join "spans" where "spans"."id" = "decided"."id";

select "spans"."trace_row_id" as "traceRowId", "spans"."id" as "rowId", "spans"."start_us" as "startUs", "spans"."session_id" as "sessionId" from (SELECT (SELECT first.id FROM spans AS first
    WHERE first.trace_row_id = trace.value AND first.session_id IS NOT NULL ORDER BY first.start_us, first.id LIMIT 1) AS id
    FROM (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)) AS trace) as "decided" cross join "spans" where "spans"."id" = "decided"."id";

UPDATE "traces" AS changed SET "revision" = changed."revision" + given."revision", "session_row_id" = given."session_row_id", "session_span_row_id" = given."session_span_row_id", "session_start_us" = given."session_start_us", "root_span_row_id" = given."root_span_row_id", "start_us" = given."start_us", "end_us" = given."end_us", "span_count" = given."span_count", "error_count" = given."error_count", "prompt_tokens" = given."prompt_tokens", "completion_tokens" = given."completion_tokens", "cost_nanousd" = given."cost_nanousd", "prompt_cost_nanousd" = given."prompt_cost_nanousd", "completion_cost_nanousd" = given."completion_cost_nanousd"
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::double precision[], $12::double precision[], $13::double precision[], $14::double precision[], $15::double precision[]) AS given("id", "revision", "session_row_id", "session_span_row_id", "session_start_us", "root_span_row_id", "start_us", "end_us", "span_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd") WHERE changed."id" = given."id";

UPDATE "sessions" AS changed SET "start_us" = least(changed."start_us", given."start_us"), "end_us" = greatest(changed."end_us", given."end_us"), "trace_count" = changed."trace_count" + given."trace_count", "error_count" = changed."error_count" + given."error_count", "prompt_tokens" = changed."prompt_tokens" + given."prompt_tokens", "completion_tokens" = changed."completion_tokens" + given."completion_tokens", "cost_nanousd" = changed."cost_nanousd" + given."cost_nanousd", "prompt_cost_nanousd" = changed."prompt_cost_nanousd" + given."prompt_cost_nanousd", "completion_cost_nanousd" = changed."completion_cost_nanousd" + given."completion_cost_nanousd"
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::double precision[], $7::double precision[], $8::double precision[], $9::double precision[], $10::double precision[]) AS given("id", "start_us", "end_us", "trace_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd") WHERE changed."id" = given."id";

update "spans" set "attributes_cut" = attributes_cut where "trace_row_id" = $1 and "parent_span_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($2::jsonb)));

select "id" from "sessions" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "project_id" = $2;

select "id", "session_row_id" from "traces" where "session_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "id" < $2 and EXISTS (SELECT 1 FROM spans WHERE spans.trace_row_id = traces.id
    AND "spans"."id" < $3) order by "session_row_id", "id" limit $4;

select "spans"."id" as "rowId", "traces"."id" as "traceRowId", "traces"."project_id" as "projectRowId" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "spans"."id";

select "id" from "projects" where "id" = $1;

select "id" from "traces" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");

update "traces" set "project_id" = $1, "session_row_id" = $2, "revision" = "revision" + $3 where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($4::jsonb)));

insert into "unlisted_traces" ("trace_row_id", "deletion_id") select "id", null as "deletion_id" from "traces" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) on conflict ("trace_row_id") do nothing;

select "id" as "rowId", "project_id" as "projectId", "session_id" as "sessionId" from "sessions" where "session_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($1::jsonb)));

UPDATE "traces" AS changed SET "session_row_id" = given."session_row_id"
         FROM unnest($1::bigint[], $2::bigint[]) AS given("id", "session_row_id") WHERE changed."id" = given."id";

select "session_row_id" as "id", min("start_us") as "start_us", max("end_us") as "end_us" from "traces" where "session_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "session_row_id";

UPDATE "sessions" AS changed SET "start_us" = given."start_us", "end_us" = given."end_us"
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given("id", "start_us", "end_us") WHERE changed."id" = given."id";

select "id" as "rowId" from "sessions" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "trace_count" <= $2 order by "id";

select "id" from "spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

select "id" from "log_records" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "project_id" <> $2 limit $3;

select "id" from "log_records" where "trace_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($1::jsonb))) and "span_row_id" is null and "project_id" <> $2 limit $3;

select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "spans"."response_key" is not null and "spans"."call_distance" = $2;

update "spans" set "project_id" = $1 where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb))) and "project_id" <> $3;

delete from "unlisted_traces" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "deletion_id" is null;

select "annotation_configs"."id", "annotation_configs"."name", "annotation_configs"."kind", "annotation_configs"."description", "annotation_configs"."optimization_direction", "annotation_configs"."content", "annotation_configs"."is_strict" from "annotation_configs" where "name" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($1::jsonb)));

select distinct "trace_row_id" from "spans" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

select "id" from "traces" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "id" for key share;

select "spans"."id", "spans"."trace_row_id", "traces"."project_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and EXISTS (SELECT 1 FROM traces JOIN projects ON projects.id = traces.project_id
  WHERE traces.id = spans.trace_row_id);

insert into "annotations" ("target", "target_row_id", "document_position", "project_id", "name", "identifier", "annotator_kind", "label", "score", "explanation", "metadata", "source", "user_id", "is_carried", "created_at_us", "updated_at_us") select 'span' as "target", "target_row_id", "document_position", "project_id", "name", "identifier", "annotator_kind", "label", "score", "explanation", "metadata", "source", "user_id", "is_carried", "created_at_us", "created_at_us" as "updated_at_us" from (SELECT (value ->> 0)::bigint AS "target_row_id", (value ->> 1)::bigint AS "document_position", (value ->> 2)::bigint AS "project_id", (value ->> 3)::text AS "name", (value ->> 4)::text AS "identifier", (value ->> 5)::text AS "annotator_kind", (value ->> 6)::text AS "label", (value ->> 7)::float8 AS "score", (value ->> 8)::text AS "explanation", (value ->> 9)::text AS "metadata", (value ->> 10)::text AS "source", (value ->> 11)::bigint AS "user_id", (value ->> 12)::bigint AS "is_carried", (value ->> 13)::bigint AS "created_at_us" FROM jsonb_array_elements($1::jsonb)) as "said" where TRUE on conflict ("target", "target_row_id", "name", "identifier", "document_position") do update set "project_id" = "excluded"."project_id", "annotator_kind" = "excluded"."annotator_kind", "label" = "excluded"."label", "score" = "excluded"."score", "explanation" = "excluded"."explanation", "metadata" = "excluded"."metadata", "source" = "excluded"."source", "user_id" = "excluded"."user_id", "is_carried" = "excluded"."is_carried", "updated_at_us" = "excluded"."updated_at_us" where "annotations"."updated_at_us" <= "excluded"."updated_at_us" returning "id", "target_row_id", "document_position", "name", "identifier";

select "id" from "annotation_queues" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "id" for key share;

select "target" from "annotation_queues" where "id" = $1;

INSERT INTO annotation_queue_items (queue_id, target, added_by_id, added_at_us, target_row_id)
        SELECT 1, 'span', null, 1, item.value FROM (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)) AS item WHERE true
        ON CONFLICT (queue_id, target_row_id) DO NOTHING;
