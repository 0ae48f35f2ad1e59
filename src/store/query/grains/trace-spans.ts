/** The spans of one trace as filters of traces and sessions go through them. */
import type { JsonValue } from '#base/json';
import { AppError } from '#base/errors';
import { mayBeCut } from '#derive/bounded-text';
import { SPAN_KINDS, SPAN_STATUS_CODES } from '#domain/span';
import type { FilterSubject } from '#filter/subject';
import type { SetReference } from '#filter/tree';
import type { KnownAnnotations } from '../../annotations/read-annotations.ts';
import type { NumberColumn, TextColumn } from '../../columns/batch.ts';
import type { NarrowRow } from '../../columns/narrow-rows.ts';
import type { Membership } from '../../sets/set-reader.ts';
import type { Subtree } from '../../spans/browse-port.ts';
import { COUNTS_NOTHING } from '../../spans/rows/cost-columns.ts';
import { TraceTree } from '../../spans/rows/trace-tree.ts';
import { COST_DETAIL_COLUMNS, COST_DETAILS, costDetailsOf } from '../cost-details.ts';
import { ElementSubject } from './element-subject.ts';
import type { OriginalValues } from './original-values.ts';

/** The columns of rows that spans are made of, without those of costs. */
export const SPAN_COLUMNS: readonly (NumberColumn | TextColumn)[] = [
  'trace_row_id',
  'span_id',
  'parent_span_id',
  'name',
  'session_id',
  'user_id',
  'kind',
  'status',
  'start_us',
  'end_us',
  'latency_us',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'counted_prompt_tokens',
  'counted_completion_tokens',
  'model_name',
];

/** Those of costs. */
export const SPAN_COST_COLUMNS: readonly NumberColumn[] = COST_DETAIL_COLUMNS;

/** What is read beside the rows of spans. */
export interface SpansRead {
  readonly originals: OriginalValues;
  readonly sets: Membership;
  readonly annotations: KnownAnnotations;
}

/** All spans of a trace, earliest start first. */
export class TraceSpans {
  readonly elements: readonly SpanElement[];
  readonly originals: OriginalValues;
  readonly sets: Membership;
  readonly annotations: KnownAnnotations;
  readonly #byId: ReadonlyMap<string, SpanElement>;
  #children: ReadonlyMap<string, readonly SpanElement[]> | undefined;
  #tree: TraceTree | undefined;
  #visited = 0;

  /** @param rows in the order of their start */
  constructor(rows: readonly NarrowRow[], { originals, sets, annotations }: SpansRead) {
    this.originals = originals;
    this.sets = sets;
    this.annotations = annotations;
    this.elements = rows.map((row) => new SpanElement(row, this));
    this.#byId = new Map(this.elements.map((span) => [span.row.span_id ?? '', span]));
  }

  /** The stored parent; a span that names itself has none. */
  parentOf(span: SpanElement): SpanElement | undefined {
    const { parent_span_id: parentId } = span.row;
    const parent = parentId == null ? undefined : this.#byId.get(parentId);
    return parent === span ? undefined : parent;
  }

  childrenOf(span: SpanElement): readonly SpanElement[] {
    this.#children ??= Map.groupBy(
      this.elements.filter((child) => this.parentOf(child) !== undefined),
      (child) => child.row.parent_span_id ?? '',
    );
    const children = this.#children.get(span.row.span_id ?? '') ?? [];
    this.#visited += children.length;
    if (this.#visited > MAX_VISITED) throw new AppError('deadline_exceeded', TOO_MANY_PAIRS);
    return children;
  }

  subtreeOf({ row }: SpanElement): Subtree | undefined {
    this.#tree ??= new TraceTree(this.elements.map((span) => toTreeSpan(span.row)));
    return this.#tree.subtree(row.id);
  }

  /** Spans of a kind. */
  countKind(kind: (typeof SPAN_KINDS)[number]): number {
    const place = SPAN_KINDS.indexOf(kind);
    return this.elements.reduce((count, { row }) => (row.kind === place ? count + 1 : count), 0);
  }

  /** Annotations of all of them. */
  spanAnnotations(): readonly FilterSubject[] {
    return this.elements.flatMap((span) => span.collection('annotations'));
  }

  /** What each type of token of each call that counts cost. */
  costDetails(): readonly FilterSubject[] {
    return this.elements.filter(({ row }) => countsInSums(row)).flatMap((span) => span.collection(COST_DETAILS));
  }
}

/** Children and siblings that one trace may be asked for. */
const MAX_VISITED = 5_000_000;

const TOO_MANY_PAIRS = 'A trace has too many spans for this condition on siblings or children: simplify the condition.';

/** A span of a trace. */
export class SpanElement extends ElementSubject {
  readonly row: NarrowRow;
  readonly #spans: TraceSpans;

  constructor(row: NarrowRow, spans: TraceSpans) {
    super();
    this.row = row;
    this.#spans = spans;
  }

  field(name: string, isOfParent: boolean): JsonValue | undefined {
    if (isOfParent) return this.#spans.parentOf(this)?.field(name, false);
    const { row } = this;
    switch (name) {
      case 'name':
        return this.#name();
      case 'parent_id':
        return row.parent_span_id;
      case 'user_id':
        return row.user_id;
      case 'session_id':
        return row.session_id;
      case 'model_name':
        return row.model_name;
      case 'span_kind':
        return SPAN_KINDS[row.kind ?? 0];
      case 'status_code':
        return SPAN_STATUS_CODES[row.status ?? 0];
      case 'start_time':
        return row.start_us;
      case 'end_time':
        return row.end_us;
      case 'latency_ms':
        return row.latency_us == null ? undefined : row.latency_us / 1000;
      case 'llm_token_count_prompt':
        return row.prompt_tokens;
      case 'llm_token_count_completion':
        return row.completion_tokens;
      case 'llm_token_count_total':
        return row.total_tokens;
      default:
        return this.#sum(name);
    }
  }

  override isIn(set: SetReference): boolean {
    return this.#spans.sets.isSpanIn(set, this.row.id, this.row.trace_row_id ?? 0);
  }

  override isParentless(): boolean {
    return this.#spans.parentOf(this) === undefined;
  }

  override collection(name: string): readonly FilterSubject[] {
    switch (name) {
      case 'children':
        return this.#spans.childrenOf(this);
      case 'siblings': {
        const parent = this.#spans.parentOf(this);
        return parent === undefined ? [] : this.#spans.childrenOf(parent).filter((span) => span !== this);
      }
      case COST_DETAILS:
        return costDetailsOf((column) => this.row[column] ?? null);
      case 'annotations':
        return this.#spans.annotations.elements('span', this.row.id);
      case 'document_annotations':
        return this.#spans.annotations.elements('document', this.row.id);
      default:
        return [];
    }
  }

  /** Rows hold long names cut. */
  #name(): JsonValue | undefined {
    const { id, name } = this.row;
    return name != null && mayBeCut(name) ? this.#spans.originals.name(id) : name;
  }

  #sum(name: string): number | undefined {
    const sumOf = SUMS.get(name);
    const subtree = sumOf && this.#spans.subtreeOf(this);
    return sumOf && subtree && sumOf(subtree);
  }
}

const SUMS: ReadonlyMap<string, (subtree: Subtree) => number> = new Map([
  ['cumulative_error_count', (subtree) => subtree.errorCount],
  ['cumulative_llm_token_count_prompt', (subtree) => subtree.promptTokenCount],
  ['cumulative_llm_token_count_completion', (subtree) => subtree.completionTokenCount],
  ['cumulative_llm_token_count_total', (subtree) => subtree.promptTokenCount + subtree.completionTokenCount],
]);

const ERROR_STATUS = SPAN_STATUS_CODES.indexOf('ERROR');

function toTreeSpan(row: NarrowRow) {
  return {
    id: row.id,
    span_id: row.span_id ?? '',
    parent_span_id: row.parent_span_id ?? null,
    has_error: row.status === ERROR_STATUS ? 1 : 0,
    call_distance: null,
    ...COUNTS_NOTHING,
    counted_prompt_tokens: row.counted_prompt_tokens ?? 0,
    counted_completion_tokens: row.counted_completion_tokens ?? 0,
  };
}

function countsInSums({ counted_prompt_tokens: prompt, counted_completion_tokens: completion }: NarrowRow): boolean {
  return (prompt ?? 0) > 0 || (completion ?? 0) > 0;
}
