/** The sets of annotated spans, traces and sessions. */
import type { AnnotationTarget, Condition, FilterGrain } from './tree.ts';

/** By what the annotations are of, the name of the set and what its members are. */
export const ANNOTATION_SETS: Readonly<
  Record<AnnotationTarget, { readonly name: string; readonly subject: FilterGrain }>
> = {
  span: { name: 'annotated spans', subject: 'span' },
  document: { name: 'spans with annotated documents', subject: 'span' },
  trace: { name: 'annotated traces', subject: 'trace' },
  session: { name: 'annotated sessions', subject: 'session' },
};

/** Which rows are in such a set: those with an annotation of the name that fulfils the test. */
export interface AnnotationParameters {
  /** `null` for any name. */
  readonly name: string | null;
  /** Of the fields of the annotation as the row; `null` for any annotation. */
  readonly test: Condition | null;
  /** What must not hold of it; missing values make it not hold. */
  readonly except: Condition | null;
}

/** Asks whether the row, or an element, is in the set. */
export function annotatedLeaf(
  target: AnnotationTarget,
  parameters: AnnotationParameters,
  of: string | null = null,
): Extract<Condition, { readonly kind: 'inSet' }> {
  return { kind: 'inSet', isNegated: false, set: { ...ANNOTATION_SETS[target], parameters }, of };
}
