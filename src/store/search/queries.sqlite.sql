select * from "search_progress";
--   SCAN search_progress

select "id" from "search_queue" order by "id" limit ?;
--   SCAN search_queue

select "id" from "search_queue" order by "id" desc limit ?;
--   SCAN search_queue

select "id", "span_row_id" from "search_queue" order by "id" limit ?;
--   SCAN search_queue

select * from "search_spans" where "trace_row_id" in (SELECT value FROM json_each(?)) and "span_row_id" >= ? and "span_row_id" <= ?;
--   SEARCH search_spans USING INDEX search_spans_of_trace (trace_row_id=? AND span_row_id>? AND span_row_id<?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "number", "size" from "search_vocabularies" where "part" = ?;
--   SEARCH search_vocabularies USING PRIMARY KEY (part=?)

INSERT INTO search_index (rowid, words, parts) VALUES (?, ?, ?);


INSERT INTO search_index (search_index, rank) VALUES ('merge', CAST(? AS INTEGER));


delete from "search_spans" where "span_row_id" in (SELECT value FROM json_each(?));
--   SEARCH search_spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

insert into "search_spans" ("span_row_id", "trace_row_id", "introduced", "held", "doubts") values (?, ?, ?, ?, ?);


delete from "search_vocabularies" where "part" = ? and "number" in (SELECT value FROM json_each(?));
--   SEARCH search_vocabularies USING PRIMARY KEY (part=? AND number=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

insert into "search_vocabularies" ("part", "number", "size", "words") values (?, ?, ?, ?);


insert into "search_parts" ("project_id", "part", "min_start_us", "max_start_us") values (?, ?, ?, ?) on conflict ("project_id", "part") do update set "min_start_us" = min("search_parts"."min_start_us", "excluded"."min_start_us"), "max_start_us" = max("search_parts"."max_start_us", "excluded"."max_start_us");


update "search_progress" set "next_span_row_id" = ?, "rebuild_next_span_row_id" = ?, "rebuild_end_span_row_id" = ?, "failed_count" = "failed_count" + ?, "change_count" = "change_count" + ?;
--   SCAN search_progress

select "tokenizer_version", "next_span_row_id" from "search_progress";
--   SCAN search_progress

update "search_progress" set "tokenizer_version" = ?;
--   SCAN search_progress

select "span_row_id" from "search_spans" order by "span_row_id" limit ?;
--   SCAN search_spans

update "search_progress" set "rebuild_next_span_row_id" = ?, "rebuild_end_span_row_id" = ?, "failed_count" = ?;
--   SCAN search_progress

DELETE FROM search_index WHERE rowid = ?;
--   SCAN search_index VIRTUAL TABLE INDEX 0:=

delete from "search_queue" where "id" <= ?;
--   SEARCH search_queue USING INTEGER PRIMARY KEY (rowid<?)

select "next_span_row_id" from "search_progress";
--   SCAN search_progress

select "part" from "search_parts" where "project_id" = ? and "part" <= ? and "max_start_us" >= ? and "min_start_us" < ? order by "part" desc;
--   SEARCH search_parts USING PRIMARY KEY (project_id=? AND part<?)


    SELECT json_group_array(id) AS ids FROM (
      SELECT rowid AS id FROM search_index
      WHERE search_index MATCH ? AND rowid <= CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ?);
--   CO-ROUTINE (subquery-1)
--   SCAN search_index VIRTUAL TABLE INDEX 192:M2<
--   SCAN (subquery-1)


    SELECT json_group_array(rowid - CAST(? AS INTEGER)) AS ids FROM search_index
    WHERE search_index MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER);
--   SCAN search_index VIRTUAL TABLE INDEX 0:M2><

select distinct "trace_row_id" from "search_spans" where "span_row_id" in (SELECT value FROM json_each(?));
--   SEARCH search_spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR DISTINCT

select "span_row_id", "held" from "search_spans" where "trace_row_id" in (SELECT value FROM json_each(?)) and "span_row_id" >= ? and "span_row_id" <= ?;
--   SEARCH search_spans USING INDEX search_spans_of_trace (trace_row_id=? AND span_row_id>? AND span_row_id<?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:


    SELECT id, sz FROM search_index_docsize WHERE id IN (SELECT value FROM json_each(?));
--   SEARCH search_index_docsize USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "span_row_id" from "search_spans" where "trace_row_id" = ? and "span_row_id" < ? order by "span_row_id" desc limit ?;
--   SEARCH search_spans USING COVERING INDEX search_spans_of_trace (trace_row_id=? AND span_row_id<?)

insert into "search_spans" ("span_row_id", "trace_row_id", "introduced", "held", "doubts") values (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?);
--   SCAN 32-ROW VALUES CLAUSE

insert into "search_spans" ("span_row_id", "trace_row_id", "introduced", "held", "doubts") values (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?);
--   SCAN 8-ROW VALUES CLAUSE

select "part" from "search_parts" where "project_id" = ? and "part" <= ? order by "part" desc;
--   SEARCH search_parts USING PRIMARY KEY (project_id=? AND part<?)


    SELECT search_spans.span_row_id, search_spans.held FROM spans
    CROSS JOIN search_spans ON search_spans.span_row_id = spans.id
    WHERE spans.project_id = ? AND spans.id BETWEEN ? AND ?
    ORDER BY spans.id DESC LIMIT ?;
--   SEARCH spans USING COVERING INDEX spans_by_arrival (project_id=? AND id>? AND id<?)
--   SEARCH search_spans USING INTEGER PRIMARY KEY (rowid=?)
