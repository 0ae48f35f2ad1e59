-- openSegments
select "segment" from "span_segments" order by "segment" desc limit $1;
select "next_id" from "row_ids" where "table_name" = $1;
SELECT attname AS name, atttypid AS type, format_type(atttypid, NULL) AS "typeName" FROM pg_attribute
  WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped;
COPY "span_segments" ("segment", "build", "format", "is_due", "row_count", "min_start_us", "max_start_us", "project_ids") FROM STDIN (FORMAT binary);

-- findDueSegments
select "segment", "build", "format" from "span_segments" where ("is_due" = $1 or "format" <> $2) order by "segment" desc;
select "segment" from "span_segments" order by "segment" desc limit $1;
select "next_id" from "row_ids" where "table_name" = $1;

    SELECT span_row_id >> 12 AS segment, count(*) AS rows, sum(version) AS versions
    FROM (SELECT span_row_id, version FROM span_segment_changes ORDER BY span_row_id LIMIT $1) AS looked
    GROUP BY 1 ORDER BY 1;

-- buildSegment
select "build" from "span_segments" where "segment" = $1;
select * from "span_segment_changes" where "span_row_id" >= $1 and "span_row_id" < $2;
select sum(octet_length(attributes)) as "bytes" from "spans" where "id" >= $1 and "id" < $2;
select "spans"."id", "spans"."trace_row_id" as "trace_row_id", "spans"."project_id" as "project_id", "spans"."kind" as "kind", "spans"."status" as "status", CASE
  WHEN spans.parent_span_id IS NULL THEN 0
  WHEN EXISTS (SELECT 1 FROM spans AS parent WHERE parent.trace_row_id = spans.trace_row_id
    AND parent.span_id = spans.parent_span_id AND parent.id <> spans.id) THEN 1
  ELSE 2 END as "parent_state", "spans"."start_us" as "start_us", "spans"."latency_us" as "latency_us", "spans"."prompt_tokens" as "prompt_tokens", "spans"."completion_tokens" as "completion_tokens", "spans"."cache_read_tokens" as "cache_read_tokens", "spans"."cache_write_tokens" as "cache_write_tokens", "spans"."reasoning_tokens" as "reasoning_tokens", "spans"."counted_prompt_tokens" as "counted_prompt_tokens", "spans"."counted_completion_tokens" as "counted_completion_tokens", "spans"."prompt_audio_tokens" as "prompt_audio_tokens", "spans"."completion_audio_tokens" as "completion_audio_tokens", "spans"."cost_usd" as "cost_usd", "spans"."claimed_cost_nanousd" as "claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd" as "claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd" as "claimed_completion_cost_nanousd", "spans"."counted_cost_nanousd" as "counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd" as "counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd" as "counted_completion_cost_nanousd", "spans"."input_cost_nanousd" as "input_cost_nanousd", "spans"."cache_read_cost_nanousd" as "cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd" as "cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd" as "prompt_audio_cost_nanousd", "spans"."output_cost_nanousd" as "output_cost_nanousd", "spans"."reasoning_cost_nanousd" as "reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd" as "completion_audio_cost_nanousd", "spans"."span_id" as "span_id", "spans"."parent_span_id" as "parent_span_id", "spans"."name" as "name", "spans"."session_id" as "session_id", "spans"."user_id" as "user_id", "spans"."model_name" as "model_name", "spans"."provider" as "provider" from "spans" where "spans"."id" >= $1 and "spans"."id" < $2 order by "spans"."id";
select "spans"."id", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where "spans"."id" >= $1 and "spans"."id" < $2 order by "spans"."id";

-- storeSegment
select "build" from "span_segments" where "segment" = $1;
delete from "span_segment_columns" where "segment" = $1;
SELECT attname AS name, atttypid AS type, format_type(atttypid, NULL) AS "typeName" FROM pg_attribute
  WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped;
COPY "span_segment_columns" ("segment", "build", "name", "data") FROM STDIN (FORMAT binary);
update "span_segments" set "build" = $1, "format" = $2, "is_due" = $3, "row_count" = $4, "min_start_us" = $5, "max_start_us" = $6, "project_ids" = $7 where "segment" = $8;
delete from "span_segment_changes" where "span_row_id" >= $1 and "span_row_id" < $2 and ("span_row_id", "version") in (select * from (SELECT (value ->> 0)::bigint AS "row_id", (value ->> 1)::bigint AS "version" FROM jsonb_array_elements($3::jsonb)) as "known");

-- readBatches, a segment with a change and rows in none
select "trace_row_id" from "unlisted_traces";
select "next_id" from "row_ids" where "table_name" = $1;
select "change"."span_row_id", "spans"."project_id", "spans"."start_us" from "span_segment_changes" as "change" left join "spans" on "spans"."id" = "change"."span_row_id" where "change"."span_row_id" >= $1 and "change"."span_row_id" < $2 order by "change"."span_row_id" limit $3;
select "segment", "build", "row_count", "min_start_us", "max_start_us", "project_ids" from "span_segments" where "segment" >= $1 and "segment" <= $2 and "build" > $3 and "format" = $4;
select "spans"."id", "spans"."name" as "name", CASE
  WHEN spans.parent_span_id IS NULL THEN 0
  WHEN EXISTS (SELECT 1 FROM spans AS parent WHERE parent.trace_row_id = spans.trace_row_id
    AND parent.span_id = spans.parent_span_id AND parent.id <> spans.id) THEN 1
  ELSE 2 END as "parent_state", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where "spans"."project_id" = $1 and "spans"."start_us" >= $2 and "spans"."start_us" < $3 and "spans"."id" >= $4 and "spans"."id" <= $5 order by "spans"."id";
select "segment", "name", "build", "data" from "span_segment_columns" where "segment" = $1 and "name" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($2::jsonb)));
select "head"."build", "change"."span_row_id" from "span_segments" as "head" left join "span_segment_changes" as "change" on "change"."span_row_id" >= $1 and "change"."span_row_id" < $2 where "head"."segment" = $3;
select "spans"."trace_row_id", "spans"."span_id" from (SELECT (value ->> 0)::bigint AS "trace_row_id", (value ->> 1)::text AS "span_id" FROM jsonb_array_elements($1::jsonb)) as "parent" inner join "spans" on "spans"."trace_row_id" = "parent"."trace_row_id" and "spans"."span_id" = "parent"."span_id";
select "spans"."id", "spans"."name" as "name", CASE
  WHEN spans.parent_span_id IS NULL THEN 0
  WHEN EXISTS (SELECT 1 FROM spans AS parent WHERE parent.trace_row_id = spans.trace_row_id
    AND parent.span_id = spans.parent_span_id AND parent.id <> spans.id) THEN 1
  ELSE 2 END as "parent_state", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where "spans"."project_id" = $1 and "spans"."start_us" >= $2 and "spans"."start_us" < $3 and "spans"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($4::jsonb))) order by "spans"."id";

-- readAttributePaths
select "segment" from "span_segments" where "build" > $1 order by "segment" desc limit $2;
select "next_id" from "row_ids" where "table_name" = $1;
select "spans"."id", "spans"."project_id" as "project_id", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where "spans"."id" >= $1 and "spans"."id" < $2 and "spans"."project_id" = $3 order by "spans"."id";
select "head"."segment", "chunk"."build", "chunk"."name", "chunk"."data" from "span_segments" as "head" inner join "span_segment_columns" as "chunk" on "chunk"."segment" = "head"."segment" where "chunk"."name" = $1 and "head"."segment" < $2 and "head"."format" = $3 order by "head"."segment" desc limit $4;
