select * from "search_progress";

select "id" from "search_queue" order by "id" limit $1;

select "id" from "search_queue" order by "id" desc limit $1;

select "id", "span_row_id" from "search_queue" order by "id" limit $1;

select * from "search_spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "span_row_id" >= $2 and "span_row_id" <= $3;

select "number", "size" from "search_vocabularies" where "part" = $1;

DELETE FROM search_index WHERE id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb));

INSERT INTO search_index (id, chunk, length, words)
  SELECT (value ->> 0)::bigint, (value ->> 1)::smallint, (value ->> 2)::int, (value ->> 3)::tsvector
  FROM jsonb_array_elements($1::jsonb);

delete from "search_spans" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

COPY "search_spans" ("span_row_id", "trace_row_id", "introduced", "held", "doubts") FROM STDIN (FORMAT binary);

delete from "search_vocabularies" where "part" = $1 and "number" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));

insert into "search_vocabularies" ("part", "number", "size", "words") values ($1, $2, $3, $4);

insert into "search_parts" ("project_id", "part", "min_start_us", "max_start_us") values ($1, $2, $3, $4) on conflict ("project_id", "part") do update set "min_start_us" = CASE WHEN ("search_parts"."min_start_us")::bigint IS NOT NULL AND ("excluded"."min_start_us")::bigint IS NOT NULL THEN least(("search_parts"."min_start_us")::bigint, ("excluded"."min_start_us")::bigint) END, "max_start_us" = CASE WHEN ("search_parts"."max_start_us")::bigint IS NOT NULL AND ("excluded"."max_start_us")::bigint IS NOT NULL THEN greatest(("search_parts"."max_start_us")::bigint, ("excluded"."max_start_us")::bigint) END;

update "search_progress" set "next_span_row_id" = $1, "rebuild_next_span_row_id" = $2, "rebuild_end_span_row_id" = $3, "failed_count" = "failed_count" + $4, "change_count" = "change_count" + $5;

select "tokenizer_version", "next_span_row_id" from "search_progress";

update "search_progress" set "tokenizer_version" = $1;

select "span_row_id" from "search_spans" order by "span_row_id" limit $1;

update "search_progress" set "rebuild_next_span_row_id" = $1, "rebuild_end_span_row_id" = $2, "failed_count" = $3;

delete from "search_queue" where "id" <= $1;

select "next_span_row_id" from "search_progress";

select "part" from "search_parts" where "project_id" = $1 and "part" <= $2 and "max_start_us" >= $3 and "min_start_us" < $4 order by "part" desc;

SELECT id FROM search_index WHERE id <= $1
    ORDER BY id DESC, chunk DESC LIMIT 1;

SELECT part FROM (
      SELECT (value ->> 0)::bigint AS part, (value ->> 1)::tsquery AS query FROM jsonb_array_elements($1::jsonb)
    ) AS asked WHERE EXISTS (SELECT 1 FROM search_index WHERE words @@ asked.query) ORDER BY part DESC;

SELECT DISTINCT id + 0 AS id FROM search_index
    WHERE words @@ (SELECT $1::tsquery)
    AND id + 0 BETWEEN $2 AND $3
    ORDER BY 1 DESC LIMIT $4;

select distinct "trace_row_id" from "search_spans" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

select "span_row_id", "held" from "search_spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "span_row_id" >= $2 and "span_row_id" <= $3;


      SELECT id, length FROM search_index WHERE chunk = 0 AND id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb));

select "span_row_id" from "search_spans" where "trace_row_id" = $1 and "span_row_id" < $2 order by "span_row_id" desc limit $3;

select "part" from "search_parts" where "project_id" = $1 and "part" <= $2 order by "part" desc;


    SELECT search_spans.span_row_id, search_spans.held FROM spans
    JOIN search_spans ON search_spans.span_row_id = spans.id
    WHERE spans.project_id = $1 AND spans.id BETWEEN $2 AND $3
    ORDER BY spans.id DESC LIMIT $4;
