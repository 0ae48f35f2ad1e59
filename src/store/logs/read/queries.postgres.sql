select "id" from "log_records" limit $1;

select "id" from "log_records" where "conversation_id" is not null limit $1;

select "id" from "log_records" where "request_id" is not null limit $1;

select distinct "source" from "log_records" where "source" is not null limit $1;

select "log_records"."id", "log_records"."digest", EXISTS (SELECT 1 FROM projects WHERE projects.id = coalesce(
  (SELECT traces.project_id FROM spans JOIN traces ON traces.id = spans.trace_row_id
    WHERE spans.id = log_records.span_row_id),
  (SELECT traces.project_id FROM traces WHERE traces.trace_id = log_records.trace_id),
  log_records.project_id)) as "is_kept" from (SELECT (value ->> 0)::bigint AS "time_us", (value ->> 1)::text AS "digest" FROM jsonb_array_elements($1::jsonb)) as "wanted" cross join "log_records" where "log_records"."time_us" = "wanted"."time_us" and "log_records"."digest" = "wanted"."digest";

COPY "log_record_blocks" ("id", "trace_id", "record_count", "live_count", "raw_bytes", "data") FROM STDIN (FORMAT binary);

COPY "log_records" ("id", "project_id", "trace_id", "span_id", "span_row_id", "event_name", "content_bytes", "time_us", "source", "conversation_id", "request_id", "request_span_row_id", "expires_us", "otel_resource_id", "instrumentation_scope_id", "digest", "block_id", "ordinal") FROM STDIN (FORMAT binary);

select "record"."id", "wanted"."span_row_id" as "spanRowId", "record"."block_id" as "blockId", "record"."time_us" as "timeUs", coalesce("record"."content_bytes", 0) as "bytes" from (SELECT (value ->> 0)::bigint AS "span_row_id" FROM jsonb_array_elements($1::jsonb)) as "wanted" cross join "log_records" as "record" where "record"."id" in (select "content"."id" from "log_records" as "content" where "content"."span_row_id" = "wanted"."span_row_id" and "content"."content_bytes" is not null order by "content"."time_us", "content"."id" limit 1000) order by "record"."time_us", "record"."id";

select "record"."id", "wanted"."span_row_id" as "spanRowId", "record"."block_id" as "blockId", "record"."time_us" as "timeUs", coalesce("record"."content_bytes", 0) as "bytes" from (SELECT (value ->> 0)::bigint AS "span_row_id" FROM jsonb_array_elements($1::jsonb)) as "wanted" cross join "log_records" as "record" where "record"."id" in (select "content"."id" from "log_records" as "content" where "content"."request_span_row_id" = "wanted"."span_row_id" and "content"."content_bytes" is not null order by "content"."time_us", "content"."id" limit 1000) order by "record"."time_us", "record"."id";

select "id", "raw_bytes" as "rawBytes" from "log_record_blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

select "block"."id", "block"."data", "block"."raw_bytes", coalesce(json_agg(json_build_array("record"."id", "record"."ordinal", "record"."time_us", "record"."trace_id", "record"."span_id"))::text, '[]') as "places" from "log_records" as "record" inner join "log_record_blocks" as "block" on "block"."id" = "record"."block_id" where "record"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "block"."id";

select "id", "project_id", (select "traces"."id" from "traces" where "traces"."trace_id" = "log_records"."trace_id") as "trace_row_id" from "log_records" where "expires_us" <= $1 order by "expires_us" limit 300;

select distinct "trace_id" from "log_records" where "trace_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($1::jsonb))) and "span_row_id" is null;

select "log_records"."id", "log_records"."trace_id", "log_records"."span_id", "log_records"."content_bytes", "log_records"."request_id" from (SELECT (value ->> 0)::text AS "trace_id", (value ->> 1)::text AS "span_id" FROM jsonb_array_elements($1::jsonb)) as "wanted" cross join "log_records" where "log_records"."trace_id" = "wanted"."trace_id" and "log_records"."span_id" = "wanted"."span_id" and "log_records"."span_row_id" is null;

insert into "compaction_queue" ("block_id", "trace_row_id") select "block"."id", "traces"."id" as "trace_row_id" from "traces" inner join "log_record_blocks" as "block" on "block"."trace_id" = "traces"."trace_id" where "traces"."trace_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($1::jsonb))) on conflict ("block_id") do nothing;

UPDATE "log_records" AS changed SET "span_row_id" = given."span_row_id", "expires_us" = given."expires_us"
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given("id", "span_row_id", "expires_us") WHERE changed."id" = given."id";

select distinct "span_row_id" from "log_records" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "content_bytes" is not null;

select "id", "project_id", "trace_id", "span_row_id", "content_bytes", "time_us", "conversation_id", "otel_resource_id", "instrumentation_scope_id" from "log_records" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

select "id", "project_id", "trace_id", "span_row_id", "content_bytes", "time_us", "conversation_id", "otel_resource_id", "instrumentation_scope_id" from "log_records" where "source" = $1 and "time_us" >= $2 and "time_us" <= $3 order by "time_us" limit $4;

select "id", "project_id", "trace_id", "span_row_id", "content_bytes", "time_us", "conversation_id", "otel_resource_id", "instrumentation_scope_id" from "log_records" where "conversation_id" = $1 and "time_us" >= $2 and "time_us" <= $3 order by "time_us" limit $4;

select "block_id" as "id", -count(*) as "live_count" from "log_records" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "block_id";

UPDATE "log_record_blocks" AS changed SET "live_count" = changed."live_count" + given."live_count"
         FROM unnest($1::bigint[], $2::bigint[]) AS given("id", "live_count") WHERE changed."id" = given."id";

delete from "log_record_blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "live_count" <= $2;

delete from "compaction_queue" where "block_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "block_id" not in (select "id" from "log_record_blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb))));

delete from "log_records" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));
