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

select "number", "size", "text_count", "removed_count" from "search_segments" where "part" = ? order by "number";
--   SEARCH search_segments USING INDEX sqlite_autoindex_search_segments_1 (part=?)

insert into "search_segments" ("part", "number", "text_count", "size", "vocabulary_size", "removed_count", "removed_ms", "removed", "texts", "lengths", "vocabulary") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);


insert into "search_leaves" ("part", "number", "first_word", "lists") values (?, ?, ?, ?);


delete from "search_spans" where "span_row_id" in (SELECT value FROM json_each(?));
--   SEARCH search_spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

insert into "search_spans" ("span_row_id", "trace_row_id", "introduced", "held", "doubts") values (?, ?, ?, ?, ?);


insert into "search_parts" ("project_id", "part", "min_start_us", "max_start_us") values (?, ?, ?, ?) on conflict ("project_id", "part") do update set "min_start_us" = min("search_parts"."min_start_us", "excluded"."min_start_us"), "max_start_us" = max("search_parts"."max_start_us", "excluded"."max_start_us");


update "search_progress" set "next_span_row_id" = ?, "rebuild_next_span_row_id" = ?, "rebuild_end_span_row_id" = ?, "failed_count" = "failed_count" + ?, "change_count" = "change_count" + ?, "next_segment_number" = ?;
--   SCAN search_progress

select "part" from "search_suspect_parts" order by "part";
--   SCAN search_suspect_parts

select "part", "number" from "search_segments" where "removed_count" > ? and "removed_ms" < ?;
--   SCAN search_segments

select "tokenizer_version", "next_span_row_id" from "search_progress";
--   SCAN search_progress

update "search_progress" set "tokenizer_version" = ?;
--   SCAN search_progress

select "span_row_id" from "search_spans" order by "span_row_id" limit ?;
--   SCAN search_spans

update "search_progress" set "rebuild_next_span_row_id" = ?, "rebuild_end_span_row_id" = ?, "failed_count" = ?;
--   SCAN search_progress

insert into "search_suspect_parts" ("part") select distinct "part" from "search_segments" where "number" > ? on conflict do nothing;
--   SCAN search_segments USING COVERING INDEX sqlite_autoindex_search_segments_1

select "part", "number", "text_count", "size", "texts", "part", "number", "removed_count", "removed", "removed_ms" from "search_segments" where "part" = ? and "number" in (SELECT value FROM json_each(?));
--   SEARCH search_segments USING INDEX sqlite_autoindex_search_segments_1 (part=? AND number=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "search_leaves" where "part" = ? and "number" in (SELECT value FROM json_each(?));
--   SEARCH search_leaves USING COVERING INDEX sqlite_autoindex_search_leaves_1 (part=? AND number=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "search_segments" where "part" = ? and "number" in (SELECT value FROM json_each(?));
--   SEARCH search_segments USING COVERING INDEX sqlite_autoindex_search_segments_1 (part=? AND number=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

delete from "search_queue" where "id" <= ?;
--   SEARCH search_queue USING INTEGER PRIMARY KEY (rowid<?)

select distinct "number" from "search_leaves" where "part" = ? and "number" not in (select "number" from "search_segments" where "part" = ?);
--   SEARCH search_leaves USING COVERING INDEX sqlite_autoindex_search_leaves_1 (part=?)
--   LIST SUBQUERY 1
--   SEARCH search_segments USING COVERING INDEX sqlite_autoindex_search_segments_1 (part=?)
--   CREATE BLOOM FILTER

select "number" from "search_segments" where "part" = ?;
--   SEARCH search_segments USING COVERING INDEX sqlite_autoindex_search_segments_1 (part=?)

select "first_word", "lists" from "search_leaves" where "part" = ? and "number" = ? order by "first_word";
--   SEARCH search_leaves USING INDEX sqlite_autoindex_search_leaves_1 (part=? AND number=?)

select "part", "number", "text_count", "size", "texts", "part", "number", "removed_count", "removed", "part", "number", "vocabulary_size", "vocabulary", "lengths" from "search_segments" where "part" = ? and "number" = ?;
--   SEARCH search_segments USING INDEX sqlite_autoindex_search_segments_1 (part=? AND number=?)

select "span_row_id", "held" from "search_spans" where "span_row_id" >= ? and "span_row_id" <= ? order by "span_row_id" limit ?;
--   SEARCH search_spans USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)

delete from "search_suspect_parts" where "part" in (SELECT value FROM json_each(?));
--   SEARCH search_suspect_parts USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "next_span_row_id" from "search_progress";
--   SCAN search_progress

select "part" from "search_parts" where "project_id" = ? and "part" <= ? and "max_start_us" >= ? and "min_start_us" < ? order by "part" desc;
--   SEARCH search_parts USING PRIMARY KEY (project_id=? AND part<?)


    SELECT segment.part, segment.number, segment.removed_count, segment.removed, sought.value AS word, (
      SELECT leaf.lists FROM search_leaves AS leaf
      WHERE leaf.part = segment.part AND leaf.number = segment.number AND leaf.first_word <= sought.value
      ORDER BY leaf.first_word DESC LIMIT 1
    ) AS lists
    FROM search_segments AS segment CROSS JOIN (SELECT value FROM json_each(?)) AS sought ON true
    WHERE segment.part BETWEEN ? AND ?;
--   SEARCH segment USING INDEX sqlite_autoindex_search_segments_1 (part>? AND part<?)
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH leaf USING INDEX sqlite_autoindex_search_leaves_1 (part=? AND number=? AND first_word<?)

select "part", "number", "text_count", "size", "texts" from "search_segments" where "part" = ? and "number" in (SELECT value FROM json_each(?));
--   SEARCH search_segments USING INDEX sqlite_autoindex_search_segments_1 (part=? AND number=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:


    SELECT segment.part, segment.number, segment.removed_count, segment.removed, leaf.lists
    FROM search_segments AS segment LEFT JOIN search_leaves AS leaf
      ON leaf.part = segment.part AND leaf.number = segment.number AND leaf.first_word < ?
      AND leaf.first_word >= coalesce((
        SELECT max(earlier.first_word) FROM search_leaves AS earlier
        WHERE earlier.part = segment.part AND earlier.number = segment.number AND earlier.first_word <= ?
      ), '')
    WHERE segment.part BETWEEN ? AND ?;
--   SEARCH segment USING INDEX sqlite_autoindex_search_segments_1 (part>? AND part<?)
--   SEARCH leaf USING INDEX sqlite_autoindex_search_leaves_1 (part=? AND number=? AND first_word>? AND first_word<?) LEFT-JOIN
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH earlier USING COVERING INDEX sqlite_autoindex_search_leaves_1 (part=? AND number=? AND first_word<?)

select distinct "trace_row_id" from "search_spans" where "span_row_id" in (SELECT value FROM json_each(?));
--   SEARCH search_spans USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   USE TEMP B-TREE FOR DISTINCT

select "span_row_id", "held" from "search_spans" where "trace_row_id" in (SELECT value FROM json_each(?)) and "span_row_id" >= ? and "span_row_id" <= ?;
--   SEARCH search_spans USING INDEX search_spans_of_trace (trace_row_id=? AND span_row_id>? AND span_row_id<?)
--   LIST SUBQUERY 1
--   SCAN json_each VIRTUAL TABLE INDEX 1:

select "part", "number", "text_count", "size", "texts", "part", "number", "removed_count", "removed", "lengths" from "search_segments" where "part" = ?;
--   SEARCH search_segments USING INDEX sqlite_autoindex_search_segments_1 (part=?)

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
