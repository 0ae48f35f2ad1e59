-- listSpans by arrival
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."project_id" = $1 order by "spans"."id" desc limit $2;

-- listSpans by start, from a cursor
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."project_id" = $1 and (spans.start_us, spans.id) <= ($2, $3) order by "spans"."start_us" desc, "spans"."id" desc limit $4;

-- listSpans of traces
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."project_id" = $1 and "spans"."start_us" >= $2 and spans.trace_row_id IN (SELECT id FROM traces WHERE trace_id IN (SELECT value FROM jsonb_array_elements_text($3::jsonb))) order by "spans"."id" desc limit $4;

-- listSpans by their ids
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."project_id" = $1 and "spans"."id" = ANY (ARRAY(
    WITH RECURSIVE part(number) AS (
      SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
      UNION ALL SELECT number - 1 FROM part WHERE number > 0
    )
    SELECT named.id FROM part CROSS JOIN (SELECT value FROM jsonb_array_elements_text($2::jsonb)) AS wanted CROSS JOIN spans AS named
    WHERE ("named"."id" >> 15) = part.number AND named.span_id = wanted.value
  )) order by "spans"."id" desc limit $3;

-- findStoredSpanIds

      WITH RECURSIVE part(number) AS (
      SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
      UNION ALL SELECT number - 1 FROM part WHERE number > 0
    )
      SELECT DISTINCT wanted.value AS "spanId" FROM part CROSS JOIN (SELECT value FROM jsonb_array_elements_text($1::jsonb)) AS wanted
      WHERE (SELECT max(spans.id + 0) FROM spans WHERE ("spans"."id" >> 15) = part.number
        AND spans.span_id = wanted.value AND EXISTS (SELECT 1 FROM traces JOIN projects ON projects.id = traces.project_id
  WHERE traces.id = spans.trace_row_id)) IS NOT NULL;

-- listSpans by their ids, with every filter
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."project_id" = $1 and "spans"."start_us" >= $2 and "spans"."start_us" < $3 and spans.trace_row_id IN (SELECT id FROM traces WHERE trace_id IN (SELECT value FROM jsonb_array_elements_text($4::jsonb))) and "spans"."id" = ANY (ARRAY(
    WITH RECURSIVE part(number) AS (
      SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
      UNION ALL SELECT number - 1 FROM part WHERE number > 0
    )
    SELECT named.id FROM part CROSS JOIN (SELECT value FROM jsonb_array_elements_text($5::jsonb)) AS wanted CROSS JOIN spans AS named
    WHERE ("named"."id" >> 15) = part.number AND named.span_id = wanted.value
  )) order by "spans"."id" desc limit $6;

-- listSpans with every other filter
select "trace_row_id" from "unlisted_traces";
select "next_id" from "row_ids" where "table_name" = $1;

-- listTraces by start
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."latency_us" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = $1 order by "traces"."start_us" desc, "traces"."id" desc limit $2;
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "spans"."start_us", "spans"."id";

-- listTraces by latency, of sessions, from a cursor
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."latency_us" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = $1 and "traces"."start_us" >= $2 and "traces"."start_us" < $3 and traces.session_row_id IN (SELECT id FROM sessions WHERE id IN (SELECT value::bigint AS value FROM jsonb_array_elements_text($4::jsonb))
    OR (session_id IN (SELECT value FROM jsonb_array_elements_text($5::jsonb)) AND project_id = $6)) and ("traces"."latency_us", traces.id) < ($7, $8) order by "traces"."latency_us" desc, "traces"."id" desc limit $9;

-- listSessions
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd" from "sessions" where "project_id" = $1 and "id" <= $2 order by "id" desc limit $3;

-- findSession
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd" from "sessions" where "session_id" = $1 and "project_id" = $2 order by "id" desc limit $3;

-- listSessionTraces
select "session_row_id", "id", "trace_id", "start_us", "end_us" from "traces" where "session_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "session_row_id", "start_us", "id" limit $2;

-- readTraceOriginal
select "traces"."id" from "traces" where "traces"."trace_id" = $1 and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");

-- readSpanOriginal
select "id", "otel_resource_id", "instrumentation_scope_id" from "spans" where "id" = ANY (ARRAY(
    WITH RECURSIVE part(number) AS (
      SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
      UNION ALL SELECT number - 1 FROM part WHERE number > 0
    )
    SELECT named.id FROM part CROSS JOIN (SELECT value FROM jsonb_array_elements_text($1::jsonb)) AS wanted CROSS JOIN spans AS named
    WHERE ("named"."id" >> 15) = part.number AND named.span_id = wanted.value
  )) and EXISTS (SELECT 1 FROM traces JOIN projects ON projects.id = traces.project_id
  WHERE traces.id = spans.trace_row_id) order by "id" desc limit $2;

-- readOriginals
select "blocks"."id", "blocks"."data", "blocks"."raw_bytes", "blocks"."dictionary_id", (SELECT string_agg(encode("piece"."data", 'hex'), '' ORDER BY piece.place)
    FROM block_pieces AS piece WHERE piece.block_id = blocks.id) as "pieces", "wanted"."places" from (select "block_id", coalesce(json_agg(json_build_array("span_row_id", "ordinal", "traces"."trace_id", "spans"."span_id"))::text, '[]') as "places" from "span_locations" inner join "spans" on "spans"."id" = "span_locations"."span_row_id" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "block_id") as "wanted" inner join "blocks" on "blocks"."id" = "wanted"."block_id";
select "spans"."id" as "rowId", "traces"."trace_id" as "traceId", "spans"."span_id" as "spanId" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

-- listBlocks
select "span_row_id", "blocks"."id", "blocks"."raw_bytes" as "rawBytes" from "span_locations" inner join "blocks" on "blocks"."id" = "span_locations"."block_id" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

-- browseSpans by id
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."id" < $2 order by "spans"."id" desc limit $3;

-- browseSpans by start_time
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."start_us" as "value" from "spans" where "spans"."project_id" = $1 and ("spans"."start_us", spans.id) < ($2, $3) and "spans"."start_us" >= $4 order by "spans"."start_us" desc, "spans"."id" desc limit $5;

-- browseSpans by end_time
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."end_us" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."end_us" is not null and "spans"."end_us" >= $2 and ("spans"."end_us", spans.id) < ($3, $4) order by "spans"."end_us" desc, "spans"."id" desc limit $5;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 order by "spans"."id" desc limit $2 offset $3;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."end_us" is null order by "spans"."id" desc limit $2;

-- browseSpans by latency
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."latency_us" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."latency_step" is not null and "spans"."latency_step" >= $2 and "spans"."latency_step" <= $3 and ("spans"."latency_us", spans.id) < ($4, $5) order by "spans"."latency_step" desc, "spans"."latency_us" desc, "spans"."id" desc limit $6;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 order by "spans"."id" desc limit $2 offset $3;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."latency_us" is null order by "spans"."id" desc limit $2;

-- browseSpans by total_tokens
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."total_tokens" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."total_tokens_step" is not null and "spans"."total_tokens_step" >= $2 and "spans"."total_tokens_step" <= $3 and ("spans"."total_tokens", spans.id) < ($4, $5) order by "spans"."total_tokens_step" desc, "spans"."total_tokens" desc, "spans"."id" desc limit $6;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 order by "spans"."id" desc limit $2 offset $3;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."total_tokens" is null order by "spans"."id" desc limit $2;

-- browseSpans by prompt_tokens
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."prompt_tokens" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."prompt_tokens_step" is not null and "spans"."prompt_tokens_step" >= $2 and "spans"."prompt_tokens_step" <= $3 and ("spans"."prompt_tokens", spans.id) < ($4, $5) order by "spans"."prompt_tokens_step" desc, "spans"."prompt_tokens" desc, "spans"."id" desc limit $6;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 order by "spans"."id" desc limit $2 offset $3;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."prompt_tokens" is null order by "spans"."id" desc limit $2;

-- browseSpans by completion_tokens
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."completion_tokens" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."completion_tokens_step" is not null and "spans"."completion_tokens_step" >= $2 and "spans"."completion_tokens_step" <= $3 and ("spans"."completion_tokens", spans.id) < ($4, $5) order by "spans"."completion_tokens_step" desc, "spans"."completion_tokens" desc, "spans"."id" desc limit $6;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 order by "spans"."id" desc limit $2 offset $3;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."completion_tokens" is null order by "spans"."id" desc limit $2;

-- browseSpans without a value
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."id" < $2 order by "spans"."id" desc limit $3 offset $4;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."id" < $2 and "spans"."latency_us" is null order by "spans"."id" desc limit $3;

-- browseSpans, roots by start
select "trace_row_id" from "unlisted_traces" limit $1;
select "spans"."id", "spans"."start_us" as "value" from "spans" where "spans"."project_id" = $1 and ("spans"."start_us", spans.id) < ($2, $3) and "spans"."start_us" >= $4 and "spans"."parent_span_id" is null order by "spans"."start_us" desc, "spans"."id" desc limit $5;

-- browseSpans, roots by latency
select "trace_row_id" from "unlisted_traces" limit $1;
select "start_us" from "spans" where "project_id" = $1 and "start_us" >= $2 and "parent_span_id" is null order by "start_us" limit $3 offset $4;
select "spans"."id", "spans"."latency_us" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."latency_us" is not null and "spans"."start_us" >= $2 and "spans"."parent_span_id" is null order by "spans"."latency_us" desc, "spans"."id" desc limit $3;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."start_us" >= $2 and "spans"."parent_span_id" is null and "spans"."latency_us" is null order by "spans"."id" desc limit $3;

-- browseSpans in bounds by latency
select "trace_row_id" from "unlisted_traces" limit $1;
select "start_us" from "spans" where "project_id" = $1 and "start_us" >= $2 and "start_us" < $3 order by "start_us" limit $4 offset $5;
select "spans"."id", "spans"."latency_us" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."latency_us" is not null and ("spans"."latency_us", spans.id) < ($2, $3) and "spans"."start_us" >= $4 and "spans"."start_us" < $5 order by "spans"."latency_us" desc, "spans"."id" desc limit $6;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."project_id" = $1 and "spans"."start_us" >= $2 and "spans"."start_us" < $3 and "spans"."latency_us" is null order by "spans"."id" desc limit $4;

-- browseSpans of a trace
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."trace_row_id" = $1 order by "spans"."id" desc limit $2;

-- browseSpans of a trace by start
select "spans"."id", "spans"."start_us" as "value" from "spans" where "spans"."trace_row_id" = $1 and ("spans"."start_us", spans.id) > ($2, $3) order by "spans"."start_us" asc, "spans"."id" asc limit $4;

-- browseSpans of a trace by latency
select "spans"."id", "spans"."latency_us" as "value" from "spans" where "spans"."trace_row_id" = $1 and "spans"."latency_us" is not null and ("spans"."latency_us", spans.id) < ($2, $3) order by "spans"."latency_us" desc, "spans"."id" desc limit $4;
select "spans"."id", "spans"."id" as "value" from "spans" where "spans"."trace_row_id" = $1 and "spans"."latency_us" is null order by "spans"."id" desc limit $2;

-- browseTraces by start
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."start_us" as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = $1 and "traces"."start_us" >= $2 and "traces"."start_us" < $3 and ("traces"."start_us", traces.id) < ($4, $5) order by "traces"."start_us" desc, "traces"."id" desc limit $6;

-- browseTraces by latency
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."latency_us" as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = $1 and ("traces"."latency_us", traces.id) < ($2, $3) order by "traces"."latency_us" desc, "traces"."id" desc limit $4;

-- browseTraces in bounds by latency
select "start_us" from "traces" where "project_id" = $1 and "start_us" >= $2 and "start_us" < $3 order by "start_us" limit $4 offset $5;
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."latency_us" as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = $1 and "traces"."start_us" >= $2 and "traces"."start_us" < $3 and ("traces"."latency_us", traces.id) < ($4, $5) order by "traces"."latency_us" desc, "traces"."id" desc limit $6;

-- browseTraces in bounds by tokens
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", ("traces"."prompt_tokens" + "traces"."completion_tokens") as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = $1 and "traces"."start_us" >= $2 and "traces"."start_us" < $3 and (("traces"."prompt_tokens" + "traces"."completion_tokens"), traces.id) < ($4, $5) order by ("traces"."prompt_tokens" + "traces"."completion_tokens") desc, "traces"."id" desc limit $6;

-- browseTraces by cost
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."cost_nanousd" as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."project_id" = $1 and "traces"."start_us" >= $2 and ("traces"."cost_nanousd", traces.id) < ($3, $4) order by "traces"."cost_nanousd" desc, "traces"."id" desc limit $5;

-- browseTraces of a session
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id", "traces"."start_us" as "value" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."session_row_id" = $1 and ("traces"."start_us", traces.id) > ($2, $3) order by "traces"."start_us" asc, "traces"."id" asc limit $4;

-- browseSessions
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (id) as "value" from "sessions" where "project_id" = $1 and "end_us" >= $2 and "start_us" < $3 and id < $4 order by "id" desc limit $5;

-- browseSessions by tokens
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd", "error_count", (prompt_tokens + completion_tokens) as "value" from "sessions" where "project_id" = $1 and "end_us" >= $2 and "start_us" < $3 and ((prompt_tokens + completion_tokens), id) < ($4, $5) order by (prompt_tokens + completion_tokens) desc, "id" desc limit $6;

-- browseDescendants
select "trace_row_id" from "spans" where "id" = $1;

-- findSpans
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", "traces"."project_id", "spans"."latency_us", "spans"."session_id", "spans"."user_id", "spans"."model_name", "spans"."provider", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."cache_read_tokens", "spans"."cache_write_tokens", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."reasoning_tokens", "spans"."prompt_audio_tokens", "spans"."completion_audio_tokens", "spans"."cost_usd", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."input_cost_nanousd", "spans"."cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd", "spans"."output_cost_nanousd", "spans"."reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd", "spans"."input_preview", "spans"."output_preview", "spans"."attributes" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") and "spans"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

-- findTraces
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");

-- findSessions
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd" from "sessions" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and EXISTS (SELECT 1 FROM projects WHERE projects.id = "sessions"."project_id");

-- findSpansByIdentity
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", "traces"."project_id", "spans"."latency_us", "spans"."session_id", "spans"."user_id", "spans"."model_name", "spans"."provider", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."cache_read_tokens", "spans"."cache_write_tokens", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."reasoning_tokens", "spans"."prompt_audio_tokens", "spans"."completion_audio_tokens", "spans"."cost_usd", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."input_cost_nanousd", "spans"."cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd", "spans"."output_cost_nanousd", "spans"."reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd", "spans"."input_preview", "spans"."output_preview", "spans"."attributes" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") and "traces"."trace_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($1::jsonb))) and "spans"."span_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($2::jsonb)));

-- findSpanByOtelId
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", "traces"."project_id", "spans"."latency_us", "spans"."session_id", "spans"."user_id", "spans"."model_name", "spans"."provider", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."cache_read_tokens", "spans"."cache_write_tokens", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."reasoning_tokens", "spans"."prompt_audio_tokens", "spans"."completion_audio_tokens", "spans"."cost_usd", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."input_cost_nanousd", "spans"."cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd", "spans"."output_cost_nanousd", "spans"."reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd", "spans"."input_preview", "spans"."output_preview", "spans"."attributes" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") and "spans"."id" = ANY (ARRAY(
    WITH RECURSIVE part(number) AS (
      SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
      UNION ALL SELECT number - 1 FROM part WHERE number > 0
    )
    SELECT named.id FROM part CROSS JOIN (SELECT value FROM jsonb_array_elements_text($1::jsonb)) AS wanted CROSS JOIN spans AS named
    WHERE ("named"."id" >> 15) = part.number AND named.span_id = wanted.value
  )) order by "spans"."id" desc limit $2;

-- findTraceByOtelId
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."trace_id" = $1 and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id");

-- findTracesByIdPrefix
select "traces"."id", "traces"."trace_id", "traces"."project_id", "traces"."session_row_id", "sessions"."session_id", "traces"."start_us", "traces"."end_us", "traces"."span_count", "traces"."error_count", "traces"."prompt_tokens", "traces"."completion_tokens", "traces"."cost_nanousd", "traces"."prompt_cost_nanousd", "traces"."completion_cost_nanousd", "traces"."root_span_row_id" from "traces" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."trace_id" >= $1 and "traces"."trace_id" < $2 and EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") order by "traces"."trace_id" limit $3;

-- findSpansByIdPrefix
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id", "traces"."project_id", "spans"."latency_us", "spans"."session_id", "spans"."user_id", "spans"."model_name", "spans"."provider", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."cache_read_tokens", "spans"."cache_write_tokens", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."reasoning_tokens", "spans"."prompt_audio_tokens", "spans"."completion_audio_tokens", "spans"."cost_usd", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."input_cost_nanousd", "spans"."cache_read_cost_nanousd", "spans"."cache_write_cost_nanousd", "spans"."prompt_audio_cost_nanousd", "spans"."output_cost_nanousd", "spans"."reasoning_cost_nanousd", "spans"."completion_audio_cost_nanousd", "spans"."input_preview", "spans"."output_preview", "spans"."attributes" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where EXISTS (SELECT 1 FROM projects WHERE projects.id = "traces"."project_id") and "spans"."id" = ANY (ARRAY(
        WITH RECURSIVE part(number) AS (
          SELECT ("newest"."id" >> 15) FROM (SELECT max(id) AS id FROM spans) AS newest
          UNION ALL SELECT number - 1 FROM part WHERE number > 0
        )
        SELECT named.id FROM part CROSS JOIN spans AS named
        WHERE ("named"."id" >> 15) = part.number
        AND named.span_id >= $1 AND named.span_id < $2
        LIMIT $3
      )) order by "spans"."id" desc limit $4;

-- findSessionsByIdPrefix
select "id", "session_id", "project_id", "start_us", "end_us", "trace_count", "prompt_tokens", "completion_tokens", "cost_nanousd", "prompt_cost_nanousd", "completion_cost_nanousd" from "sessions" where "session_id" >= $1 and "session_id" < $2 and EXISTS (SELECT 1 FROM projects WHERE projects.id = "sessions"."project_id") order by "session_id" limit $3;

-- readSpanParts
select "spans"."id", "spans"."trace_row_id", "traces"."trace_id", "spans"."span_id", "spans"."parent_span_id", "spans"."name", "spans"."kind", "spans"."status", "spans"."start_us", "spans"."end_us", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" inner join "traces" on "traces"."id" = "spans"."trace_row_id" where "spans"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

-- readSpanSources
select "id", "otel_resource_id", "instrumentation_scope_id" from "spans" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

-- readAttributeTexts
select "spans"."id", "spans"."attributes" as "attributes", "spans"."omitted_attributes" as "omitted_attributes", "spans"."attributes_cut" as "attributes_cut" from "spans" where "spans"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "spans"."id";

-- readTraceDigests
select "start_us" as "startTimeUs", "id" as "rowId" from "spans" where "trace_row_id" = $1 order by "start_us", "id" limit $2;

-- readSubtrees
select "id", "trace_row_id" from "spans" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

-- findLinkingSpans

    SELECT wanted.value AS linked, link.span_row_id AS linking
    FROM (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)) AS wanted
    JOIN spans ON spans.id = wanted.value JOIN traces ON traces.id = spans.trace_row_id
    JOIN span_links AS link ON link.linked_trace_id = traces.trace_id AND link.linked_span_id = spans.span_id
    WHERE link.span_row_id IN (SELECT span_row_id FROM span_links
      WHERE linked_trace_id = traces.trace_id AND linked_span_id = spans.span_id
      ORDER BY span_row_id LIMIT $2)
    ORDER BY linking;

-- findLinkedTraces

    SELECT wanted.value AS "ofTrace",
      (SELECT coalesce(json_agg("id")::text, '[]') FROM (SELECT DISTINCT other.id FROM span_links AS link
        JOIN traces AS other ON other.trace_id = link.linked_trace_id
        WHERE link.trace_row_id = wanted.value AND other.id <> wanted.value LIMIT $1) AS linked) AS "to",
      (SELECT coalesce(json_agg("id")::text, '[]') FROM (SELECT DISTINCT link.trace_row_id AS id FROM span_links AS link
        WHERE link.linked_trace_id = traces.trace_id AND link.trace_row_id <> wanted.value
        LIMIT $2) AS linking) AS "from"
    FROM (SELECT value::bigint AS value FROM jsonb_array_elements_text($3::jsonb)) AS wanted JOIN traces ON traces.id = wanted.value;

-- readTokenCountings
select "id", "trace_row_id", "project_id", "kind", "start_us", "response_key", "prompt_tokens", "completion_tokens", "claimed_cost_nanousd", "claimed_prompt_cost_nanousd", "claimed_completion_cost_nanousd", "call_distance", "counted_prompt_tokens", "counted_completion_tokens", "counted_cost_nanousd" from "spans" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));

-- TraceTrees
select "revision" from "traces" where "id" = $1;
select "id", "span_id", "parent_span_id", "call_distance", "counted_prompt_tokens", "counted_completion_tokens", "counted_cost_nanousd", "counted_prompt_cost_nanousd", "counted_completion_cost_nanousd", CASE WHEN status = 2 THEN 1 ELSE 0 END as "has_error" from "spans" where "trace_row_id" = $1 order by "start_us", "id" limit $2;

-- countSpansByKind
select "trace_row_id", "kind", count(*) as "count" from "spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "trace_row_id", "kind";

-- findTraceUsers

    SELECT wanted.value AS "rowId", (SELECT user_id FROM (SELECT user_id, start_us, id FROM spans WHERE trace_row_id = wanted.value
    ORDER BY start_us, id LIMIT $1) AS first WHERE user_id IS NOT NULL ORDER BY start_us, id LIMIT 1) AS "userId"
    FROM (SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)) AS wanted;

-- summarizeSessions

    SELECT wanted.value AS "rowId",
      (SELECT count(*) FROM traces WHERE session_row_id = wanted.value AND error_count > 0) AS "errorTraceCount",
      (SELECT root."id" FROM (SELECT root_span_row_id, start_us, id FROM traces
    WHERE session_row_id = wanted.value ORDER BY start_us asc, id asc LIMIT $1) AS near
    JOIN spans AS root ON root.id = near.root_span_row_id
    WHERE ("root"."input_preview" IS NOT NULL OR coalesce(strpos("root"."attributes", $2), 0) > 0 OR coalesce(strpos("root"."attributes", $3), 0) > 0) ORDER BY near.start_us asc, near.id asc LIMIT 1) AS "firstInputSpanRowId",
      (SELECT root."id" FROM (SELECT root_span_row_id, start_us, id FROM traces
    WHERE session_row_id = wanted.value ORDER BY start_us desc, id desc LIMIT $4) AS near
    JOIN spans AS root ON root.id = near.root_span_row_id
    WHERE ("root"."output_preview" IS NOT NULL OR coalesce(strpos("root"."attributes", $5), 0) > 0 OR coalesce(strpos("root"."attributes", $6), 0) > 0) ORDER BY near.start_us desc, near.id desc LIMIT 1) AS "lastOutputSpanRowId",
      coalesce((SELECT root."user_id" FROM (SELECT root_span_row_id, start_us, id FROM traces
    WHERE session_row_id = wanted.value ORDER BY start_us asc, id asc LIMIT $7) AS near
    JOIN spans AS root ON root.id = near.root_span_row_id
    WHERE root.user_id IS NOT NULL ORDER BY near.start_us asc, near.id asc LIMIT 1), (SELECT user_id FROM (SELECT user_id, start_us, id FROM spans WHERE trace_row_id = (SELECT id FROM traces WHERE session_row_id = wanted.value ORDER BY start_us, id LIMIT 1)
    ORDER BY start_us, id LIMIT $8) AS first WHERE user_id IS NOT NULL ORDER BY start_us, id LIMIT 1)) AS "userId"
    FROM (SELECT value::bigint AS value FROM jsonb_array_elements_text($9::jsonb)) AS wanted;

-- readSessionLatencyQuantiles

    SELECT session_row_id AS "rowId", percentile_cont($1::float8) WITHIN GROUP (ORDER BY (end_us - start_us)::float8) AS "quantileUs" FROM traces
    WHERE session_row_id IN (SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)) GROUP BY session_row_id;

-- loadTraces
select "traces".*, "root"."start_us" as "root_start_us", "root"."parent_span_id" as "root_parent_span_id", "sessions"."session_id", "projects"."id" as "known_project_id" from "traces" left join "spans" as "root" on "root"."id" = "traces"."root_span_row_id" left join "sessions" on "sessions"."id" = "traces"."session_row_id" left join "projects" on "projects"."id" = "traces"."project_id" where "traces"."trace_id" = ANY (ARRAY(SELECT value FROM jsonb_array_elements_text($1::jsonb)));

-- loadSpansById
select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from (SELECT holder.key::bigint AS number, item.value AS id
    FROM jsonb_each($1::jsonb) AS holder CROSS JOIN LATERAL jsonb_array_elements_text(holder.value) AS item) as "wanted" cross join "spans" where "spans"."span_id" = "wanted"."id" and "spans"."trace_row_id" = "wanted"."number";

-- loadTracesByRow
select "traces".*, "root"."start_us" as "root_start_us", "root"."parent_span_id" as "root_parent_span_id", "sessions"."session_id" from "traces" left join "spans" as "root" on "root"."id" = "traces"."root_span_row_id" left join "sessions" on "sessions"."id" = "traces"."session_row_id" where "traces"."id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) order by "traces"."id";

-- loadLeastDistances
select "parent"."number" as "traceRowId", "parent"."id" as "spanId", (SELECT child.call_distance FROM spans AS child
      WHERE child.trace_row_id = parent.number AND child.parent_span_id = parent.id
        AND child.call_distance IS NOT NULL AND child.id NOT IN (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))
      ORDER BY child.call_distance LIMIT 1) as "distance" from (SELECT holder.key::bigint AS number, item.value AS id
    FROM jsonb_each($2::jsonb) AS holder CROSS JOIN LATERAL jsonb_array_elements_text(holder.value) AS item) as "parent";

-- loadCallsAround
select "spans"."id", "spans"."project_id", "spans"."trace_row_id", "spans"."span_id", "spans"."parent_span_id", "spans"."start_us", "spans"."end_us", "spans"."status", "spans"."kind", "spans"."session_id", "spans"."response_key", "spans"."prompt_tokens", "spans"."completion_tokens", "spans"."claimed_cost_nanousd", "spans"."claimed_prompt_cost_nanousd", "spans"."claimed_completion_cost_nanousd", "spans"."call_distance", "spans"."counted_prompt_tokens", "spans"."counted_completion_tokens", "spans"."counted_cost_nanousd", "spans"."counted_prompt_cost_nanousd", "spans"."counted_completion_cost_nanousd", "spans"."otel_resource_id", "spans"."instrumentation_scope_id" from "spans" where "spans"."id" = ANY (ARRAY(SELECT coalesce((SELECT call.id FROM spans AS call
      WHERE (call.start_us >> 22) = (place.start_us >> 22) AND call.response_key = place.response_key
        AND call.project_id = place.project_id AND call.call_distance = 0
        AND (call.start_us, call.id) < (place.start_us, place.id)
        AND call.id NOT IN (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))
      ORDER BY call.start_us DESC, call.id DESC LIMIT 1), (SELECT call.id FROM spans AS call
      WHERE (call.start_us >> 22) = (place.start_us >> 22) - 1 AND call.response_key = place.response_key
        AND call.project_id = place.project_id AND call.call_distance = 0
        AND (call.start_us, call.id) < (place.start_us, place.id)
        AND call.id NOT IN (SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb))
      ORDER BY call.start_us DESC, call.id DESC LIMIT 1)) FROM (SELECT (value ->> 0)::bigint AS "project_id", (value ->> 1)::bigint AS "response_key", (value ->> 2)::bigint AS "start_us", (value ->> 3)::bigint AS "id" FROM jsonb_array_elements($3::jsonb)) AS place
    UNION ALL SELECT coalesce((SELECT call.id FROM spans AS call
      WHERE (call.start_us >> 22) = (place.start_us >> 22) AND call.response_key = place.response_key
        AND call.project_id = place.project_id AND call.call_distance = 0
        AND (call.start_us, call.id) > (place.start_us, place.id)
        AND call.id NOT IN (SELECT value::bigint AS value FROM jsonb_array_elements_text($4::jsonb))
      ORDER BY call.start_us ASC, call.id ASC LIMIT 1), (SELECT call.id FROM spans AS call
      WHERE (call.start_us >> 22) = (place.start_us >> 22) + 1 AND call.response_key = place.response_key
        AND call.project_id = place.project_id AND call.call_distance = 0
        AND (call.start_us, call.id) > (place.start_us, place.id)
        AND call.id NOT IN (SELECT value::bigint AS value FROM jsonb_array_elements_text($5::jsonb))
      ORDER BY call.start_us ASC, call.id ASC LIMIT 1)) FROM (SELECT (value ->> 0)::bigint AS "project_id", (value ->> 1)::bigint AS "response_key", (value ->> 2)::bigint AS "start_us", (value ->> 3)::bigint AS "id" FROM jsonb_array_elements($6::jsonb)) AS place));

-- ResponseKeys
select (start_us >> 22) as "part", response_key as "key" from "spans" where (start_us >> 22) = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "response_key" is not null and "call_distance" = 0 limit 20001;

-- readTraceTimes
select "trace_row_id" as "traceRowId", min("start_us") as "startUs", max(coalesce("end_us", "start_us")) as "endUs" from "spans" where "trace_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "trace_row_id";

-- readTraceRoots
select "spans"."trace_row_id" as "traceRowId", "spans"."id" as "rowId", "spans"."start_us" as "startUs", "spans"."parent_span_id" as "parentSpanId" from (SELECT (SELECT first.id FROM spans AS first
    WHERE first.trace_row_id = trace.value AND NOT EXISTS (SELECT 1 FROM spans AS parent WHERE parent.span_id = first.parent_span_id
      AND parent.trace_row_id = first.trace_row_id AND parent.id <> first.id) ORDER BY first.start_us, first.id LIMIT 1) AS id
    FROM (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)) AS trace) as "decided" cross join "spans" where "spans"."id" = "decided"."id";

-- readTraceSessions
select "spans"."trace_row_id" as "traceRowId", "spans"."id" as "rowId", "spans"."start_us" as "startUs", "spans"."session_id" as "sessionId" from (SELECT (SELECT first.id FROM spans AS first
    WHERE first.trace_row_id = trace.value AND first.session_id IS NOT NULL ORDER BY first.start_us, first.id LIMIT 1) AS id
    FROM (SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)) AS trace) as "decided" cross join "spans" where "spans"."id" = "decided"."id";

-- forgetSpans
select "block_id" as "id", -count(*) as "live_count" from "span_locations" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) group by "block_id";
select "id" from "blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb))) and "live_count" <= $2;
delete from "block_pieces" where "block_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));
delete from "blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));
delete from "compaction_queue" where "block_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));
insert into "compaction_queue" ("block_id", "trace_row_id") select "id", "trace_row_id" from "blocks" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));
delete from "span_links" where "trace_row_id" in (select "trace_row_id" from "spans" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)))) and "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($2::jsonb)));
delete from "span_locations" where "span_row_id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));
delete from "spans" where "id" = ANY (ARRAY(SELECT value::bigint AS value FROM jsonb_array_elements_text($1::jsonb)));
