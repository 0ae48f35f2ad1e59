-- openSegments
select "segment" from "span_segments" order by "segment" desc limit ?;
--   SCAN span_segments
select "next_id" from "row_ids" where "table_name" = ?;
--   SEARCH row_ids USING PRIMARY KEY (table_name=?)
insert into "span_segments" ("segment", "build", "format", "is_due", "row_count", "min_start_us", "max_start_us", "project_ids") values (?, ?, ?, ?, ?, ?, ?, ?);


-- findDueSegments
select "segment", "build", "format" from "span_segments" where ("is_due" = ? or "format" <> ?) order by "segment" desc;
--   SCAN span_segments
select "segment" from "span_segments" order by "segment" desc limit ?;
--   SCAN span_segments
select "next_id" from "row_ids" where "table_name" = ?;
--   SEARCH row_ids USING PRIMARY KEY (table_name=?)

    SELECT span_row_id >> 12 AS segment, count(*) AS rows, sum(version) AS versions
    FROM (SELECT span_row_id, version FROM span_segment_changes ORDER BY span_row_id LIMIT ?) AS looked
    GROUP BY 1 ORDER BY 1;
--   CO-ROUTINE looked
--   SCAN span_segment_changes
--   SCAN looked
--   USE TEMP B-TREE FOR GROUP BY

-- buildSegment
select "build" from "span_segments" where "segment" = ?;
--   SEARCH span_segments USING INTEGER PRIMARY KEY (rowid=?)
select * from "span_segment_changes" where "span_row_id" >= ? and "span_row_id" < ?;
--   SEARCH span_segment_changes USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)
select sum(octet_length(attributes)) as "bytes" from "spans" where "id" >= ? and "id" < ?;
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)
select "spans"."id", "spans"."trace_row_id" as "trace_row_id", "spans"."project_id" as "project_id", "spans"."kind" as "kind", "spans"."status" as "status", CASE
  WHEN spans.parent_span_id IS NULL THEN 0
  WHEN EXISTS (SELECT 1 FROM spans AS parent WHERE parent.trace_row_id = spans.trace_row_id
    AND parent.span_id = spans.parent_span_id AND parent.id <> spans.id) THEN 1
  ELSE 2 END as "parent_state", "spans"."start_us" as "start_us", "spans"."latency_us" as "latency_us", "spans"."prompt_tokens" as "prompt_tokens", "spans"."completion_tokens" as "completion_tokens", "spans"."cache_read_tokens" as "cache_read_tokens", "spans"."cache_write_tokens" as "cache_write_tokens", "spans"."reasoning_tokens" as "reasoning_tokens", "spans"."counted_prompt_tokens" as "counted_prompt_tokens", "spans"."counted_completion_tokens" as "counted_completion_tokens", "spans"."prompt_audio_tokens" as "prompt_audio_tokens", "spans"."completion_audio_tokens" as "completion_audio_tokens", "spans"."cost_usd" as "cost_usd", "spans"."claimed_cost_nanousd" as "claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd" as "claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd" as "claimed_completion_cost_nanousd", "spans"."counted_cost_nanousd" as "counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd" as "counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd" as "counted_completion_cost_nanousd", "spans"."input_cost_nanousd" as "input_cost_nanousd", "spans"."cache_read_cost_nanousd" as "cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd" as "cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd" as "prompt_audio_cost_nanousd", "spans"."output_cost_nanousd" as "output_cost_nanousd", "spans"."reasoning_cost_nanousd" as "reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd" as "completion_audio_cost_nanousd", "spans"."span_id" as "span_id", "spans"."parent_span_id" as "parent_span_id", "spans"."name" as "name", "spans"."session_id" as "session_id", "spans"."user_id" as "user_id", "spans"."model_name" as "model_name", "spans"."provider" as "provider" from "spans" where "spans"."id" >= ? and "spans"."id" < ? order by "spans"."id";
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH parent USING COVERING INDEX spans_by_identity (trace_row_id=? AND span_id=?)
select "spans"."id", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where "spans"."id" >= ? and "spans"."id" < ? order by "spans"."id";
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)

-- storeSegment
select "build" from "span_segments" where "segment" = ?;
--   SEARCH span_segments USING INTEGER PRIMARY KEY (rowid=?)
delete from "span_segment_columns" where "segment" = ?;
--   SEARCH span_segment_columns USING INDEX sqlite_autoindex_span_segment_columns_1 (segment=?)
insert into "span_segment_columns" ("segment", "build", "name", "data") values (?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?);
--   SCAN 8-ROW VALUES CLAUSE
insert into "span_segment_columns" ("segment", "build", "name", "data") values (?, ?, ?, ?);

update "span_segments" set "build" = ?, "format" = ?, "is_due" = ?, "row_count" = ?, "min_start_us" = ?, "max_start_us" = ?, "project_ids" = ? where "segment" = ?;
--   SEARCH span_segments USING INTEGER PRIMARY KEY (rowid=?)
delete from "span_segment_changes" where "span_row_id" >= ? and "span_row_id" < ? and ("span_row_id", "version") in (select * from (SELECT json_extract(value, '$[0]') AS "row_id", json_extract(value, '$[1]') AS "version" FROM json_each(?)) as "known");
--   SEARCH span_segment_changes USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 3
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   LIST SUBQUERY 2
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER

-- readBatches, a segment with a change and rows in none
select "trace_row_id" from "unlisted_traces";
--   SCAN unlisted_traces
select "next_id" from "row_ids" where "table_name" = ?;
--   SEARCH row_ids USING PRIMARY KEY (table_name=?)
select "change"."span_row_id", "spans"."project_id", "spans"."start_us" from "span_segment_changes" as "change" left join "spans" on "spans"."id" = "change"."span_row_id" where "change"."span_row_id" >= ? and "change"."span_row_id" < ? order by "change"."span_row_id" limit ?;
--   SEARCH change USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
select "segment", "build", "row_count", "min_start_us", "max_start_us", "project_ids" from "span_segments" where "segment" >= ? and "segment" <= ? and "build" > ? and "format" = ?;
--   SEARCH span_segments USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)
select "spans"."id", "spans"."name" as "name", CASE
  WHEN spans.parent_span_id IS NULL THEN 0
  WHEN EXISTS (SELECT 1 FROM spans AS parent WHERE parent.trace_row_id = spans.trace_row_id
    AND parent.span_id = spans.parent_span_id AND parent.id <> spans.id) THEN 1
  ELSE 2 END as "parent_state", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where +"spans"."project_id" = ? and +"spans"."start_us" >= ? and +"spans"."start_us" < ? and "spans"."id" >= ? and "spans"."id" <= ? order by "spans"."id";
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH parent USING COVERING INDEX spans_by_identity (trace_row_id=? AND span_id=?)
select "segment", "name", "build", "data" from "span_segment_columns" where "segment" = ? and "name" in (SELECT value FROM json_each(?));
--   SEARCH span_segment_columns USING INDEX sqlite_autoindex_span_segment_columns_1 (segment=? AND name=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
select "head"."build", "change"."span_row_id" from "span_segments" as "head" left join "span_segment_changes" as "change" on "change"."span_row_id" >= ? and "change"."span_row_id" < ? where "head"."segment" = ?;
--   SEARCH head USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH change USING INTEGER PRIMARY KEY (rowid>? AND rowid<?) LEFT-JOIN
select "spans"."trace_row_id", "spans"."span_id" from (SELECT json_extract(value, '$[0]') AS "trace_row_id", json_extract(value, '$[1]') AS "span_id" FROM json_each(?)) as "parent" inner join "spans" on "spans"."trace_row_id" = "parent"."trace_row_id" and "spans"."span_id" = "parent"."span_id";
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   SEARCH spans USING COVERING INDEX spans_by_identity (trace_row_id=? AND span_id=?)
select "spans"."id", "spans"."name" as "name", CASE
  WHEN spans.parent_span_id IS NULL THEN 0
  WHEN EXISTS (SELECT 1 FROM spans AS parent WHERE parent.trace_row_id = spans.trace_row_id
    AND parent.span_id = spans.parent_span_id AND parent.id <> spans.id) THEN 1
  ELSE 2 END as "parent_state", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where +"spans"."project_id" = ? and +"spans"."start_us" >= ? and +"spans"."start_us" < ? and "spans"."id" in (SELECT value FROM json_each(?)) order by "spans"."id";
--   SEARCH spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 2
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH parent USING COVERING INDEX spans_by_identity (trace_row_id=? AND span_id=?)

-- readAttributePaths
select "segment" from "span_segments" where "build" > ? order by "segment" desc limit ?;
--   SCAN span_segments
select "next_id" from "row_ids" where "table_name" = ?;
--   SEARCH row_ids USING PRIMARY KEY (table_name=?)
select "spans"."id", "spans"."project_id" as "project_id", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where "spans"."id" >= ? and "spans"."id" < ? and "spans"."project_id" = ? order by "spans"."id";
--   SEARCH spans USING INDEX spans_by_arrival (project_id=? AND id>? AND id<?)
select "head"."segment", "chunk"."build", "chunk"."name", "chunk"."data" from "span_segments" as "head" inner join "span_segment_columns" as "chunk" on "chunk"."segment" = "head"."segment" where "chunk"."name" = ? and "head"."segment" < ? and "head"."format" = ? order by "head"."segment" desc limit ?;
--   SEARCH head USING INTEGER PRIMARY KEY (rowid<?)
--   SEARCH chunk USING INDEX sqlite_autoindex_span_segment_columns_1 (segment=? AND name=?)
