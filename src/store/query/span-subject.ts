/** A stored span as the plain evaluator of filters asks for its values. */
import type { JsonValue } from '#base/json';
import { attributeAtPath } from '#filter/attribute-path';
import { ANNOTATION_COLLECTIONS } from '#filter/annotation-collections';
import { own } from '#filter/own';
import type { FilterAnnotation, FilterSubject } from '#filter/subject';
import type { AnnotationName, AnnotationTarget, SetReference } from '#filter/tree';
import { type KnownAnnotations, NO_ANNOTATIONS } from '../annotations/read-annotations.ts';
import type { NumberColumn } from '../columns/batch.ts';
import type { Subtree } from '../spans/browse-port.ts';
import type { StoredSpan } from '../spans/presenter.ts';
import { COST_DETAILS, costDetailsOf, type ReadNumber } from './cost-details.ts';

/** What a span does not say itself. */
export interface SpanSurroundings {
  /** Whether it has no parent, or one that is not stored. */
  readonly isParentless: boolean;
  /** Reads the columns of its row that the filter needs: costs are nowhere else. */
  readonly read?: ReadNumber;
  /** What it and all below it come to; `undefined` where that is not known, or not needed. */
  readonly subtree: Subtree | undefined;
  /** Whether it, its trace or its session is in a set. */
  readonly isIn: (set: SetReference) => boolean;
  /** Those of the span and of its trace, as far as the filter needs them. */
  readonly annotations?: KnownAnnotations;
}

/** A whole span. Times and ids are those of its row. */
export class SpanSubject implements FilterSubject {
  readonly #stored: StoredSpan;
  readonly #surroundings: SpanSurroundings;

  constructor(stored: StoredSpan, surroundings: SpanSurroundings) {
    this.#stored = stored;
    this.#surroundings = surroundings;
  }

  field(name: string, isOfParent: boolean): JsonValue | undefined {
    return isOfParent ? undefined : FIELDS.get(name)?.(this.#stored, this.#surroundings);
  }

  attribute(path: string): JsonValue | undefined {
    return attributeAtPath(this.#stored.span.reading, path);
  }

  isParentless(): boolean {
    return this.#surroundings.isParentless;
  }

  isIn(set: SetReference): boolean {
    return this.#surroundings.isIn(set);
  }

  annotations(name: AnnotationName): readonly FilterAnnotation[] {
    return this.#annotations.named(name, this.#annotated(name.target));
  }

  collection(name: string): readonly FilterSubject[] {
    if (name === COST_DETAILS) return costDetailsOf(this.#surroundings.read ?? NOTHING);
    const target = own(ANNOTATION_COLLECTIONS, name);
    return target === undefined ? [] : this.#annotations.elements(target, this.#annotated(target));
  }

  get #annotations(): KnownAnnotations {
    return this.#surroundings.annotations ?? NO_ANNOTATIONS;
  }

  #annotated(target: AnnotationTarget): number {
    const { rowId, traceRowId } = this.#stored.row;
    return target === 'trace' ? traceRowId : rowId;
  }
}

type ReadField = (stored: StoredSpan, surroundings: SpanSurroundings) => JsonValue | undefined;

const sum =
  (of: (subtree: Subtree) => number): ReadField =>
  (_stored, { subtree }) =>
    subtree && of(subtree);

const costIn =
  (column: NumberColumn): ReadField =>
  (_stored, { read = NOTHING }) =>
    (read(column) ?? 0) / 1e9;

const NOTHING: ReadNumber = () => null;

const FIELDS: ReadonlyMap<string, ReadField> = new Map(
  Object.entries<ReadField>({
    span_id: ({ row }) => row.spanId,
    trace_id: ({ row }) => row.traceId,
    parent_id: ({ row }) => row.parentSpanId,
    name: ({ span }) => span.name,
    model_name: ({ span }) => span.modelName,
    span_kind: ({ row }) => row.kind,
    status_code: ({ row }) => row.statusCode,
    status_message: ({ span }) => span.statusMessage,
    start_time: ({ row }) => row.startTimeUs,
    end_time: ({ row, span }) => (span.isOpen ? undefined : row.endTimeUs),
    latency_ms: ({ row, span }) => (span.isOpen ? undefined : (row.endTimeUs - row.startTimeUs) / 1000),
    total_cost: costIn('claimed_cost_nanousd'),
    prompt_cost: costIn('claimed_prompt_cost_nanousd'),
    completion_cost: costIn('claimed_completion_cost_nanousd'),
    cumulative_llm_token_count_prompt: sum((subtree) => subtree.promptTokenCount),
    cumulative_llm_token_count_completion: sum((subtree) => subtree.completionTokenCount),
    cumulative_llm_token_count_total: sum((subtree) => subtree.promptTokenCount + subtree.completionTokenCount),
  }),
);
