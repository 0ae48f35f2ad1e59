/** Which stored span a log record without a span id is meant for. */
import { boundedText } from '#derive/bounded-text';
import { type CandidateSpan, findMeantSpan } from '#derive/meant-span';
import { summarizeSpan } from '#normalize/normalize-span';
import { prepareQuery } from '../../queries/prepared-query.ts';
import { readDecodedSpans } from '../../spans/rows/stored-spans.ts';
import { type Produced, readSources, type SourceOfSpan } from './read-sources.ts';
import type { RecordScope } from './scope.ts';
import type { UnaddressedRecord } from './unaddressed.ts';

/** Spans that may be meant for a record; where there are more, none of them can be. */
const MAX_CANDIDATES = 200;

/** Traces of a project, the last that began before a record, among which its span is looked for. */
const MAX_TRACES = 500;

/** Spans of a trace, or of all that ran when a record was made, that are looked at; where there are more, none can be meant. */
const MAX_EXAMINED = 5000;

/** Spans that are read in a commit, whatever the number of its records; what is left is not decided anew. */
const MAX_READ = 20_000;

/** A search through what is stored, which must stay as it is as long as the search is used: spans are read once for all records. */
export class MeantSpanSearch {
  readonly #scope: RecordScope;
  /** By row id of the trace; `undefined` where it has too many. */
  readonly #spans = new Map<number, readonly SourcedSpan[] | undefined>();
  readonly #traces = new Map<string, readonly number[]>();
  readonly #sources = new Map<string, SourceOfSpan>();
  /** The conversations that spans name themselves, bounded, by row id. */
  readonly #conversations = new Map<number, string | null>();
  #readCount = 0;

  constructor(scope: RecordScope) {
    this.#scope = scope;
  }

  /** The row of the span that the record is meant for; `null` where that cannot be told, `undefined` where it is not decided. */
  async find(record: UnaddressedRecord): Promise<number | null | undefined> {
    const running = await this.#readRunning(record);
    if (running === undefined || running === 'undecided') return running === undefined ? null : undefined;
    const [own] = await this.#readSources([record]);
    if (own === undefined || own.service === '') return null;
    const ofScope: CandidateOfRow[] = [];
    const ofConversation: CandidateOfRow[] = [];
    for (const { row, source } of running) {
      if (source.service !== own.service) continue;
      if (own.instance !== '' && source.instance !== '' && own.instance !== source.instance) continue;
      const isOfScope = own.scopeName !== '' && source.scopeName === own.scopeName;
      const isOfConversation = record.conversationId !== null && row.sessionId === record.conversationId;
      if (isOfScope) ofScope.push({ ...row, isOfScope, isOfConversation });
      else if (isOfConversation && ofConversation.length < MAX_CANDIDATES) {
        ofConversation.push({ ...row, isOfScope, isOfConversation });
      }
      if (ofScope.length >= MAX_CANDIDATES) return null;
    }
    if (ofScope.length > 0) return findMeantSpan(ofScope)?.rowId ?? null;
    if (ofConversation.length >= MAX_CANDIDATES) return null;
    const confirmed = await this.#confirm(ofConversation, record.conversationId);
    return findMeantSpan(confirmed)?.rowId ?? null;
  }

  /** The spans that ran when the record was made, in its trace or else in its project; `undefined` for too many. */
  async #readRunning(record: UnaddressedRecord): Promise<readonly SourcedSpan[] | undefined | 'undecided'> {
    const { timeUs } = record;
    const running: SourcedSpan[] = [];
    let examined = 0;
    for (const traceRowId of await this.#findTraces(record)) {
      if (!this.#spans.has(traceRowId) && this.#readCount >= MAX_READ) return 'undecided';
      const spans = await this.#readSpans(traceRowId);
      examined += spans?.length ?? 0;
      if (spans === undefined || examined > MAX_EXAMINED) return undefined;
      for (const span of spans) {
        const { startUs, endUs } = span.row;
        if (startUs <= timeUs && endUs !== null && endUs >= timeUs) running.push(span);
      }
    }
    return running;
  }

  /** A record that names a trace is of the project of the trace; any other is of its own. */
  async #findTraces({ traceId, projectId, timeUs }: UnaddressedRecord): Promise<readonly number[]> {
    const key = traceId ?? `${projectId} ${timeUs}`;
    const known = this.#traces.get(key);
    if (known !== undefined) return known;
    const rows =
      traceId === null
        ? await selectRunning(this.#scope, { projectId, timeUs })
        : await selectTrace(this.#scope, { traceId });
    const rowIds = rows.map((row) => row.id);
    this.#traces.set(key, rowIds);
    return rowIds;
  }

  async #readSpans(traceRowId: number): Promise<readonly SourcedSpan[] | undefined> {
    if (this.#spans.has(traceRowId)) return this.#spans.get(traceRowId);
    const rows = await selectSpans(this.#scope, { traceRowId });
    this.#readCount += rows.length;
    let spans: SourcedSpan[] | undefined;
    if (rows.length <= MAX_EXAMINED) {
      const sources = await this.#readSources(rows);
      spans = rows.map((row, place) => ({ row, source: sources[place] as SourceOfSpan }));
    }
    this.#spans.set(traceRowId, spans);
    return spans;
  }

  async #readSources(produced: readonly Produced[]): Promise<readonly (SourceOfSpan | undefined)[]> {
    const missing = new Map<string, Produced>();
    for (const one of produced) if (!this.#sources.has(keyOf(one))) missing.set(keyOf(one), one);
    const read = await readSources(this.#scope, [...missing.values()]);
    for (const [place, key] of [...missing.keys()].entries()) this.#sources.set(key, read[place] as SourceOfSpan);
    return produced.map((one) => this.#sources.get(keyOf(one)));
  }

  /**
   * The candidates that name the conversation themselves. The row of a span has what records say of it, too: were that
   * taken for evidence, what belongs to a span would depend on what came first.
   */
  async #confirm(
    candidates: readonly CandidateOfRow[],
    conversationId: string | null,
  ): Promise<readonly CandidateOfRow[]> {
    const unread = candidates.filter(({ rowId }) => !this.#conversations.has(rowId));
    const decoded = readDecodedSpans(this.#scope, unread, { isWithRecords: false, onDamaged: () => undefined });
    for await (const { row, original, scope, resource } of decoded) {
      const { sessionId } = summarizeSpan(original, scope, resource, 0n);
      this.#conversations.set(row.rowId, sessionId === null ? null : boundedText(sessionId));
    }
    return candidates.filter(({ rowId }) => (this.#conversations.get(rowId) ?? null) === conversationId);
  }
}

/** A candidate, and where its original is found. */
type CandidateOfRow = CandidateSpan & Produced;

function keyOf({ otelResourceId, instrumentationScopeId }: Produced): string {
  return `${otelResourceId} ${instrumentationScopeId}`;
}

type SpanRow = Awaited<ReturnType<typeof selectSpans>>[number];

/** A span, and where it comes from. */
interface SourcedSpan {
  readonly row: SpanRow;
  readonly source: SourceOfSpan;
}

/** Index: spans_of_trace. */
const selectSpans = prepareQuery(({ db }, values: { readonly traceRowId: number }) =>
  db
    .selectFrom('spans')
    .select([
      'id as rowId',
      'trace_row_id as traceRowId',
      'span_id as spanId',
      'parent_span_id as parentSpanId',
      'session_id as sessionId',
      'start_us as startUs',
      'end_us as endUs',
      'otel_resource_id as otelResourceId',
      'instrumentation_scope_id as instrumentationScopeId',
    ])
    .where('trace_row_id', '=', values.traceRowId)
    .limit(MAX_EXAMINED + 1),
);

/** Index: unique trace_id. */
const selectTrace = prepareQuery(({ db }, values: { readonly traceId: string }) =>
  db.selectFrom('traces').select('id').where('trace_id', '=', values.traceId),
);

/** Index: traces_by_start. */
const selectRunning = prepareQuery(({ db }, values: { readonly projectId: number; readonly timeUs: number }) =>
  db
    .selectFrom(
      db
        .selectFrom('traces')
        .select(['id', 'end_us'])
        .where('project_id', '=', values.projectId)
        .where('start_us', '<=', values.timeUs)
        .orderBy('start_us', 'desc')
        .limit(MAX_TRACES)
        .as('near'),
    )
    .select('near.id')
    .where('near.end_us', '>=', values.timeUs),
);
