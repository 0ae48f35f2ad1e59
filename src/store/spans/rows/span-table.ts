/** Rows of spans as tables show them. */
import type { Kysely } from 'kysely';
import { JsonNumber } from '#base/json';
import { mayTellFirstToken, timeToFirstTokenMs } from '#derive/first-token';
import { lastSaid } from '#derive/last-said';
import { parseNarrowAttributes } from '#derive/narrow-attributes';
import { narrowMember, type NarrowMember } from '#derive/narrow-member';
import { preview } from '#derive/narrow-row';
import {
  ATTR_INPUT_MIME_TYPE,
  ATTR_INPUT_VALUE,
  ATTR_OUTPUT_MIME_TYPE,
  ATTR_OUTPUT_VALUE,
  MIME_TYPE_JSON,
} from '#semconv/openinference';
import { prepareQuery, queryScopeOf } from '../../queries/prepared-query.ts';
import type { Tables } from '../../schema/tables.ts';
import type { SpanCost, SpanIdentity, SpanTableRow, ValuePreview } from '../browse-port.ts';
import { isInProject } from './visible.ts';
import type { ReadScope } from './read-scope.ts';
import { rowsByOtelId } from './rows-by-otel-id.ts';
import { computedCostUsd, costDetailsOf, PART_COST_NAMES } from './cost-columns.ts';
import { selectSpanRows, toSpanRow } from './span-query.ts';
import { readRowsAround } from './unreadable-rows.ts';

/** The rows, by row id; those on damaged pages are left out, and noted. Index: the primary key. */
export async function findSpans(
  { db, dialect }: ReadScope,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, SpanTableRow>> {
  if (rowIds.length === 0) return new Map();
  const { rows } = await readRowsAround({ db, dialect }, rowIds, (some) =>
    selectTableRowsById(queryScopeOf({ db, dialect }), { rowIds: JSON.stringify(some) }),
  );
  return new Map(rows.map((row) => [row.id, toTableRow(row)]));
}

const selectTableRowsById = prepareQuery(({ db, dialect }, { rowIds }: { readonly rowIds: string }) =>
  selectTableRows(db).where('spans.id', 'in', dialect.numbersOfJson(rowIds)),
);

/** The rows in the order of the ids; one that is gone is left out. */
export async function listSpanRows(scope: ReadScope, rowIds: readonly number[]): Promise<readonly SpanTableRow[]> {
  const rows = await findSpans(scope, rowIds);
  return rowIds.flatMap((rowId) => rows.get(rowId) ?? []);
}

/** Spans by both ids, in their order. Index: unique trace_id, spans_by_identity. */
export async function findSpansByIdentity(
  { db, dialect }: ReadScope,
  identities: readonly SpanIdentity[],
): Promise<readonly (SpanTableRow | undefined)[]> {
  if (identities.length === 0) return [];
  const rows = await selectTableRows(db)
    .where('traces.trace_id', 'in', dialect.textsOf(identities.map(({ traceId }) => traceId)))
    .where('spans.span_id', 'in', dialect.textsOf(identities.map(({ spanId }) => spanId)))
    .execute();
  const found = new Map(rows.map((row) => [`${row.trace_id} ${row.span_id}`, toTableRow(row)]));
  return identities.map(({ traceId, spanId }) => found.get(`${traceId} ${spanId}`));
}

/** The newest span that has the id. Index: spans_by_otel_id. */
export async function findSpanByOtelId({ db, dialect }: ReadScope, spanId: string): Promise<SpanTableRow | undefined> {
  const row = await selectTableRows(db)
    .where('spans.id', 'in', rowsByOtelId(dialect, [spanId]))
    .orderBy('spans.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : toTableRow(row);
}

/** Of what is deleted none. */
export function selectTableRows(db: Kysely<Tables>) {
  return selectSpanRows(db)
    .where(isInProject('traces'))
    .select([
      'traces.project_id',
      'spans.latency_us',
      'spans.session_id',
      'spans.user_id',
      'spans.model_name',
      'spans.provider',
      'spans.prompt_tokens',
      'spans.completion_tokens',
      'spans.cache_read_tokens',
      'spans.cache_write_tokens',
      'spans.counted_prompt_tokens',
      'spans.counted_completion_tokens',
      'spans.reasoning_tokens',
      'spans.prompt_audio_tokens',
      'spans.completion_audio_tokens',
      'spans.cost_usd',
      'spans.claimed_cost_nanousd',
      'spans.claimed_prompt_cost_nanousd',
      'spans.claimed_completion_cost_nanousd',
      ...PART_COST_NAMES.map((column) => `spans.${column}` as const),
      'spans.input_preview',
      'spans.output_preview',
      'spans.attributes',
    ]);
}

type TableRow = Awaited<ReturnType<ReturnType<typeof selectTableRows>['execute']>>[number];

export function toTableRow(row: TableRow): SpanTableRow {
  const { otelResourceId: _resource, instrumentationScopeId: _scope, ...span } = toSpanRow(row);
  return {
    ...span,
    projectRowId: row.project_id,
    isOpen: row.latency_us === null,
    sessionId: row.session_id,
    userId: row.user_id,
    modelName: row.model_name,
    provider: row.provider,
    promptTokenCount: row.prompt_tokens,
    completionTokenCount: row.completion_tokens,
    cacheReadTokenCount: row.cache_read_tokens,
    cacheWriteTokenCount: row.cache_write_tokens,
    countsInSums: row.counted_prompt_tokens + row.counted_completion_tokens > 0,
    promptAudioTokenCount: row.prompt_audio_tokens,
    cost: toCost(row),
    timeToFirstTokenMs: firstTokenMsOf(row),
    input: previewOf(row.attributes, row.input_preview, INPUT),
    output: previewOf(row.attributes, row.output_preview, OUTPUT),
  };
}

function toCost(row: TableRow): SpanCost {
  return {
    totalNanoUsd: row.claimed_cost_nanousd,
    promptNanoUsd: row.claimed_prompt_cost_nanousd,
    completionNanoUsd: row.claimed_completion_cost_nanousd,
    reportedUsd: row.cost_usd,
    computedUsd: computedCostUsd(row),
    details: costDetailsOf(row),
  };
}

function firstTokenMsOf({ attributes: packed, start_us: startUs }: TableRow): number | null {
  if (!mayTellFirstToken(packed)) return null;
  return timeToFirstTokenMs(parseNarrowAttributes(packed), startUs);
}

/** Single members are read: to unpack and parse the others, of which a table shows nothing, takes longer. */
function previewOf(packed: string, given: string | null, side: Side): ValuePreview | null {
  const isJson = side.mimeType.valueIn(packed) === MIME_TYPE_JSON;
  // Rows of earlier versions have longer ones.
  if (given !== null) return { start: preview(given), whole: null, isJson };
  const startOf = (text: string) => preview((isJson ? lastSaid(text) : undefined) ?? text);
  const value = side.value.valueIn(packed);
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return { start: startOf(value), whole: value, isJson };
  const exact = value instanceof JsonNumber ? value.text : String(value);
  return { start: exact, whole: exact, isJson: true };
}

interface Side {
  readonly value: NarrowMember;
  readonly mimeType: NarrowMember;
}

const INPUT: Side = { value: narrowMember(ATTR_INPUT_VALUE), mimeType: narrowMember(ATTR_INPUT_MIME_TYPE) };
const OUTPUT: Side = { value: narrowMember(ATTR_OUTPUT_VALUE), mimeType: narrowMember(ATTR_OUTPUT_MIME_TYPE) };
