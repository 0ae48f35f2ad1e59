/** What a filter is asked of: a span, a trace, a session, or an element of one of their collections. */
import type { JsonValue } from '#base/json';
import type { AnnotationName, SetReference } from './tree.ts';

/** A row, or an element, as the evaluator asks for its values. `undefined` and JSON null are missing values. */
export interface FilterSubject {
  /**
   * A name of the catalogue. Dates are microseconds since the Unix epoch, durations milliseconds, costs US dollars.
   * @param isOfParent whether that of the stored parent in the same trace is meant; missing where there is none
   */
  field(name: string, isOfParent: boolean): JsonValue | undefined;
  /** The attribute at a dotted path, as {@link attributeAtPath} finds it; of a trace or session those of its root span. */
  attribute(path: string): JsonValue | undefined;
  /** Whether it has no parent, or one that is not stored. */
  isParentless(): boolean;
  /** Whether it is in the set, or the trace or session that owns it is. */
  isIn(set: SetReference): boolean;
  /** All of that name, in any order. A subject without this method has none. */
  annotations?(name: AnnotationName): readonly FilterAnnotation[];
  /** Elements of a collection of the catalogue, in any order. */
  collection(name: string): readonly FilterSubject[];
}

/** The fields of an annotation that a filter can use. */
export interface FilterAnnotation {
  readonly score: number | null;
  readonly label: string | null;
  readonly explanation: string | null;
  /** Empty where none was given. */
  readonly identifier: string;
  /** HUMAN, LLM or CODE. */
  readonly annotator_kind: string;
}
