select "id" from "log_records" limit ?;
--   SCAN log_records USING COVERING INDEX log_records_in_block

select "id" from "log_records" where "conversation_id" is not null limit ?;
--   SEARCH log_records USING COVERING INDEX log_records_of_conversation (conversation_id>?)

select "id" from "log_records" where "request_id" is not null limit ?;
--   SCAN log_records USING COVERING INDEX log_records_naming_request

select distinct "source" from "log_records" where "source" is not null limit ?;
--   SEARCH log_records USING COVERING INDEX log_records_of_source (source>?)

select "log_records"."id", "log_records"."digest", EXISTS (SELECT 1 FROM projects WHERE projects.id = coalesce(
  (SELECT traces.project_id FROM spans JOIN traces ON traces.id = spans.trace_row_id
    WHERE spans.id = log_records.span_row_id),
  (SELECT traces.project_id FROM traces WHERE traces.trace_id = log_records.trace_id),
  log_records.project_id)) as "is_kept" from (SELECT json_extract(value, '$[0]') AS "time_us", json_extract(value, '$[1]') AS "digest" FROM json_each(?)) as "wanted" cross join "log_records" where "log_records"."time_us" = "wanted"."time_us" and "log_records"."digest" = "wanted"."digest";
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH log_records USING INDEX log_records_by_identity (time_us=? AND digest=?)
--   CORRELATED SCALAR SUBQUERY 3
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH traces USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 2
--   SEARCH traces USING INDEX sqlite_autoindex_traces_1 (trace_id=?)

insert into "log_record_blocks" ("id", "trace_id", "record_count", "live_count", "raw_bytes", "data") values (?, ?, ?, ?, ?, ?);


insert into "log_records" ("id", "project_id", "trace_id", "span_id", "span_row_id", "event_name", "content_bytes", "time_us", "source", "conversation_id", "request_id", "request_span_row_id", "expires_us", "otel_resource_id", "instrumentation_scope_id", "digest", "block_id", "ordinal") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);


select "record"."id", "wanted"."span_row_id" as "spanRowId", "record"."block_id" as "blockId", "record"."time_us" as "timeUs", coalesce("record"."content_bytes", 0) as "bytes" from (SELECT json_extract(value, '$[0]') AS "span_row_id" FROM json_each(?)) as "wanted" cross join "log_records" as "record" where "record"."id" in (select "content"."id" from "log_records" as "content" where "content"."span_row_id" = "wanted"."span_row_id" and "content"."content_bytes" is not null order by "content"."time_us", "content"."id" limit 1000) order by "record"."time_us", "record"."id";
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH record USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED LIST SUBQUERY 2
--   SEARCH content USING INDEX log_records_with_content (span_row_id=?)
--   USE TEMP B-TREE FOR ORDER BY

select "record"."id", "wanted"."span_row_id" as "spanRowId", "record"."block_id" as "blockId", "record"."time_us" as "timeUs", coalesce("record"."content_bytes", 0) as "bytes" from (SELECT json_extract(value, '$[0]') AS "span_row_id" FROM json_each(?)) as "wanted" cross join "log_records" as "record" where "record"."id" in (select "content"."id" from "log_records" as "content" where "content"."request_span_row_id" = "wanted"."span_row_id" and "content"."content_bytes" is not null order by "content"."time_us", "content"."id" limit 1000) order by "record"."time_us", "record"."id";
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH record USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED LIST SUBQUERY 2
--   SEARCH content USING INDEX log_records_of_request (request_span_row_id=?)
--   USE TEMP B-TREE FOR ORDER BY

select "id", "raw_bytes" as "rawBytes" from "log_record_blocks" where "id" in (SELECT value FROM json_each(?));
--   SEARCH log_record_blocks USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "block"."id", "block"."data", "block"."raw_bytes", json_group_array(json_array("record"."id", "record"."ordinal", "record"."time_us", "record"."trace_id", "record"."span_id")) as "places" from "log_records" as "record" inner join "log_record_blocks" as "block" on "block"."id" = "record"."block_id" where "record"."id" in (SELECT value FROM json_each(?)) group by "block"."id";
--   SEARCH record USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH block USING INTEGER PRIMARY KEY (rowid=?)
--   USE TEMP B-TREE FOR GROUP BY

select "id", "project_id", (select "traces"."id" from "traces" where "traces"."trace_id" = "log_records"."trace_id") as "trace_row_id" from "log_records" where "expires_us" <= ? order by "expires_us" limit 300;
--   SEARCH log_records USING INDEX log_records_expiring (expires_us<?)
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH traces USING COVERING INDEX sqlite_autoindex_traces_1 (trace_id=?)

select distinct "trace_id" from "log_records" where "trace_id" in (SELECT value FROM json_each(?)) and "span_row_id" is null;
--   SEARCH log_records USING INDEX log_records_waiting (trace_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "log_records"."id", "log_records"."trace_id", "log_records"."span_id", "log_records"."content_bytes", "log_records"."request_id" from (SELECT json_extract(value, '$[0]') AS "trace_id", json_extract(value, '$[1]') AS "span_id" FROM json_each(?)) as "wanted" cross join "log_records" where "log_records"."trace_id" = "wanted"."trace_id" and "log_records"."span_id" = "wanted"."span_id" and "log_records"."span_row_id" is null;
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH log_records USING INDEX log_records_waiting (trace_id=? AND span_id=?)

insert into "compaction_queue" ("block_id", "trace_row_id") select "block"."id", "traces"."id" as "trace_row_id" from "traces" inner join "log_record_blocks" as "block" on "block"."trace_id" = "traces"."trace_id" where "traces"."trace_id" in (SELECT value FROM json_each(?)) on conflict ("block_id") do nothing;
--   SEARCH traces USING COVERING INDEX sqlite_autoindex_traces_1 (trace_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH block USING COVERING INDEX log_record_blocks_of_trace (trace_id=?)

UPDATE "log_records" SET "span_row_id" = ?, "expires_us" = ? WHERE "id" = ?;
--   SEARCH log_records USING INTEGER PRIMARY KEY (rowid=?)

select distinct "span_row_id" from "log_records" where "span_row_id" in (SELECT value FROM json_each(?)) and "content_bytes" is not null;
--   SEARCH log_records USING INDEX log_records_with_content (span_row_id=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id", "project_id", "trace_id", "span_row_id", "content_bytes", "time_us", "conversation_id", "otel_resource_id", "instrumentation_scope_id" from "log_records" where "id" in (SELECT value FROM json_each(?));
--   SEARCH log_records USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "id", "project_id", "trace_id", "span_row_id", "content_bytes", "time_us", "conversation_id", "otel_resource_id", "instrumentation_scope_id" from "log_records" where "source" = ? and "time_us" >= ? and "time_us" <= ? order by "time_us" limit ?;
--   SEARCH log_records USING INDEX log_records_of_source (source=? AND time_us>? AND time_us<?)

select "id", "project_id", "trace_id", "span_row_id", "content_bytes", "time_us", "conversation_id", "otel_resource_id", "instrumentation_scope_id" from "log_records" where "conversation_id" = ? and "time_us" >= ? and "time_us" <= ? order by "time_us" limit ?;
--   SEARCH log_records USING INDEX log_records_of_conversation (conversation_id=? AND time_us>? AND time_us<?)

select "block_id" as "id", -count(*) as "live_count" from "log_records" where "id" in (SELECT value FROM json_each(?)) group by "block_id";
--   SEARCH log_records USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR GROUP BY

UPDATE "log_record_blocks" SET "live_count" = "live_count" + ? WHERE "id" = ?;
--   SEARCH log_record_blocks USING INTEGER PRIMARY KEY (rowid=?)

delete from "log_record_blocks" where "id" in (SELECT value FROM json_each(?)) and "live_count" <= ?;
--   SEARCH log_record_blocks USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "compaction_queue" where "block_id" in (SELECT value FROM json_each(?)) and "block_id" not in (select "id" from "log_record_blocks" where "id" in (SELECT value FROM json_each(?)));
--   SEARCH compaction_queue USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   LIST SUBQUERY 3
--   SEARCH log_record_blocks USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 2
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER

delete from "log_records" where "id" in (SELECT value FROM json_each(?));
--   SEARCH log_records USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
