-- members of everything, newest first
select "member".* from (select "row_id" as "id" from "pins" where "subject" = $1 and "label" = $2 and "row_id" >= $3) as "member" order by "member"."id" desc limit $4;

-- members of a range, newest first
select "member".* from (select "row_id" as "id" from "pins" where "subject" = $1 and "label" = $2 and ("row_id" >= $3 AND "row_id" < $4)) as "member" order by "member"."id" desc limit $5;

-- members of a range, oldest first
select "member".* from (select "row_id" as "id" from "pins" where "subject" = $1 and "label" = $2 and "row_id" >= $3) as "member" order by "member"."id" asc limit $4;

-- members of row ids far apart
select "member".* from (select "row_id" as "id" from "pins" where "subject" = $1 and "label" = $2 and "row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($3::jsonb)))) as "member";

-- annotated spans, as far as SQL tells
select "member".* from (select "target_row_id" as "id" from "annotations" where "target" = $1 and "target_row_id" >= $2 and "name" = $3 and ("annotations"."score" < $4 AND "annotations"."label" IN (SELECT value FROM jsonb_array_elements_text($5::jsonb)))) as "member" order by "member"."id" desc limit $6;
select "member".* from (select "target_row_id" as "id", "name", "score", "label", "explanation", "identifier", "annotator_kind", "document_position" from "annotations" where "target" = $1 and "target_row_id" >= $2 and "name" = $3 and ("annotations"."score" < $4)) as "member" order by "member"."id" desc limit $5;
select "member".* from (select "target_row_id" as "id" from "annotations" where "target" = $1 and "target_row_id" >= $2 and "name" = $3 and "annotations"."annotator_kind" = $4 and ("annotations"."score" > $5) IS NOT TRUE) as "member" order by "member"."id" desc limit $6;
select "member".* from (select "target_row_id" as "id" from "annotations" where "target" = $1 and "target_row_id" >= $2 and "annotations"."score" > $3) as "member" order by "member"."id" desc limit $4;

-- spans that are in sets
select "trace_row_id" from "unlisted_traces";
select "next_id" from "row_ids" where "table_name" = $1;
select "change"."span_row_id", "spans"."project_id", "spans"."start_us" from "span_segment_changes" as "change" left join "spans" on "spans"."id" = "change"."span_row_id" where "change"."span_row_id" >= $1 and "change"."span_row_id" < $2 order by "change"."span_row_id" limit $3;
select "segment", "build", "row_count", "min_start_us", "max_start_us", "project_ids" from "span_segments" where "segment" >= $1 and "segment" <= $2 and "build" > $3 and "format" = $4;
select "spans"."id", "spans"."trace_row_id" as "trace_row_id", "spans"."start_us" as "start_us" from "spans" where "spans"."project_id" = $1 and "spans"."start_us" >= $2 and "spans"."start_us" < $3 and "spans"."id" >= $4 and "spans"."id" <= $5 order by "spans"."id";
select "id", "session_row_id" from "traces" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", "traces"."project_id", "spans"."latency_us", "spans"."session_id", "spans"."user_id", "spans"."model_name", "spans"."provider", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."cache_read_tokens", "spans"."cache_write_tokens", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."reasoning_tokens", "spans"."prompt_audio_tokens", "spans"."completion_audio_tokens", "spans"."cost_usd", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."input_cost_nanousd", "spans"."cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd", "spans"."output_cost_nanousd", "spans"."reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd", "spans"."input_preview", "spans"."output_preview", "spans"."attributes" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") and "spans"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

-- spans that are not


-- traces that are in sets, as are their spans
select distinct "trace_row_id" from "spans" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));
select "id" from "traces" where "session_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) limit $2;
select "id", "trace_id", "start_us", "end_us", "latency_us", "span_count", "error_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "root_span_row_id", "traces"."start_us" as "value" from "traces" where "project_id" = $1 and "start_us" >= $2 and "start_us" < $3 and "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($4::jsonb))) order by "traces"."start_us" desc, "id" desc limit $5;
select "spans"."id", "spans"."trace_row_id" as "trace_row_id", "spans"."span_id" as "span_id", "spans"."parent_span_id" as "parent_span_id", "spans"."name" as "name", "spans"."session_id" as "session_id", "spans"."user_id" as "user_id", "spans"."kind" as "kind", "spans"."status" as "status", "spans"."start_us" as "start_us", "spans"."end_us" as "end_us", "spans"."latency_us" as "latency_us", "spans"."prompt_tokens" as "prompt_tokens", "spans"."completion_tokens" as "completion_tokens", "spans"."total_tokens" as "total_tokens", "spans"."counted_prompt_tokens" as "counted_prompt_tokens", "spans"."counted_completion_tokens" as "counted_completion_tokens", "spans"."model_name" as "model_name" from "spans" where "spans"."trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "spans"."id" limit $2;
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");

-- sessions that are in a set
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (cost_nanousd) as "value" from "sessions" where "project_id" = $1 and "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb))) and "end_us" >= $3 and "start_us" < $4 order by (cost_nanousd) desc, "id" desc limit $5;
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd" from "sessions" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "sessions"."project_id");
