select * from "search_progress";

select "id" from "search_queue" order by "id" limit $1;

select "id" from "search_queue" order by "id" desc limit $1;

select "id", "span_row_id" from "search_queue" order by "id" limit $1;

select * from "search_spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "span_row_id" >= $2 and "span_row_id" <= $3;

select "number", "size", "text_count", "removed_count" from "search_segments" where "part" = $1 order by "number";

insert into "search_segments" ("part", "number", "text_count", "size", "vocabulary_size", "removed_count", "removed_ms", "removed", "texts", "lengths", "vocabulary") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

COPY "search_leaves" ("part", "number", "first_word", "lists") FROM STDIN (FORMAT binary);

delete from "search_spans" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

COPY "search_spans" ("span_row_id", "trace_row_id", "introduced", "held", "doubts") FROM STDIN (FORMAT binary);

insert into "search_parts" ("project_id", "part", "min_start_us", "max_start_us") values ($1, $2, $3, $4) on conflict ("project_id", "part") do update set "min_start_us" = CASE WHEN ("search_parts"."min_start_us")::bigint IS NOT NULL AND ("excluded"."min_start_us")::bigint IS NOT NULL THEN least(("search_parts"."min_start_us")::bigint, ("excluded"."min_start_us")::bigint) END, "max_start_us" = CASE WHEN ("search_parts"."max_start_us")::bigint IS NOT NULL AND ("excluded"."max_start_us")::bigint IS NOT NULL THEN greatest(("search_parts"."max_start_us")::bigint, ("excluded"."max_start_us")::bigint) END;

update "search_progress" set "next_span_row_id" = $1, "rebuild_next_span_row_id" = $2, "rebuild_end_span_row_id" = $3, "failed_count" = "failed_count" + $4, "change_count" = "change_count" + $5, "next_segment_number" = $6;

select "part" from "search_suspect_parts" order by "part";

select "part", "number" from "search_segments" where "removed_count" > $1 and "removed_ms" < $2;

select "tokenizer_version", "next_span_row_id" from "search_progress";

update "search_progress" set "tokenizer_version" = $1;

select "span_row_id" from "search_spans" order by "span_row_id" limit $1;

update "search_progress" set "rebuild_next_span_row_id" = $1, "rebuild_end_span_row_id" = $2, "failed_count" = $3;

insert into "search_suspect_parts" ("part") select distinct "part" from "search_segments" where "number" > $1 on conflict do nothing;

select "part", "number", "text_count", "size", "texts", "part", "number", "removed_count", "removed", "removed_ms" from "search_segments" where "part" = $1 and "number" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));

delete from "search_leaves" where "part" = $1 and "number" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));

delete from "search_segments" where "part" = $1 and "number" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));

delete from "search_queue" where "id" <= $1;

select distinct "number" from "search_leaves" where "part" = $1 and "number" not in (select "number" from "search_segments" where "part" = $2);

select "number" from "search_segments" where "part" = $1;

select "first_word", "lists" from "search_leaves" where "part" = $1 and "number" = $2 order by "first_word";

select "part", "number", "text_count", "size", "texts", "part", "number", "removed_count", "removed", "part", "number", "vocabulary_size", "vocabulary", "lengths" from "search_segments" where "part" = $1 and "number" = $2;

select "span_row_id", "held" from "search_spans" where "span_row_id" >= $1 and "span_row_id" <= $2 order by "span_row_id" limit $3;

delete from "search_suspect_parts" where "part" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

select "next_span_row_id" from "search_progress";

select "part" from "search_parts" where "project_id" = $1 and "part" <= $2 and "max_start_us" >= $3 and "min_start_us" < $4 order by "part" desc;


    SELECT segment.part, segment.number, segment.removed_count, segment.removed, sought.value AS word, (
      SELECT leaf.lists FROM search_leaves AS leaf
      WHERE leaf.part = segment.part AND leaf.number = segment.number AND leaf.first_word <= sought.value
      ORDER BY leaf.first_word DESC LIMIT 1
    ) AS lists
    FROM search_segments AS segment JOIN (SELECT value FROM jsonb_array_elements_text($1::jsonb)) AS sought ON true
    WHERE segment.part BETWEEN $2 AND $3;

select "part", "number", "text_count", "size", "texts" from "search_segments" where "part" = $1 and "number" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));


    SELECT segment.part, segment.number, segment.removed_count, segment.removed, leaf.lists
    FROM search_segments AS segment LEFT JOIN search_leaves AS leaf
      ON leaf.part = segment.part AND leaf.number = segment.number AND leaf.first_word < $1
      AND leaf.first_word >= coalesce((
        SELECT max(earlier.first_word) FROM search_leaves AS earlier
        WHERE earlier.part = segment.part AND earlier.number = segment.number AND earlier.first_word <= $2
      ), '')
    WHERE segment.part BETWEEN $3 AND $4;

select distinct "trace_row_id" from "search_spans" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

select "span_row_id", "held" from "search_spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "span_row_id" >= $2 and "span_row_id" <= $3;

select "part", "number", "text_count", "size", "texts", "part", "number", "removed_count", "removed", "lengths" from "search_segments" where "part" = $1;

select "span_row_id" from "search_spans" where "trace_row_id" = $1 and "span_row_id" < $2 order by "span_row_id" desc limit $3;

select "part" from "search_parts" where "project_id" = $1 and "part" <= $2 order by "part" desc;


    SELECT search_spans.span_row_id, search_spans.held FROM spans
    JOIN search_spans ON search_spans.span_row_id = spans.id
    WHERE spans.project_id = $1 AND spans.id BETWEEN $2 AND $3
    ORDER BY spans.id DESC LIMIT $4;
