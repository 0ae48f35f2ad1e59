/** Annotations as sets of rows. */
import type { Condition, FilterGrain } from './tree.ts';

/** The names of the sets of annotated spans, traces and sessions. */
export const ANNOTATION_SETS: Readonly<Record<FilterGrain, string>> = {
  span: 'annotated spans',
  trace: 'annotated traces',
  session: 'annotated sessions',
};

/** Which rows are in such a set: those with an annotation of the name that fulfils the test. */
export interface AnnotationParameters {
  readonly name: string;
  /** Of that annotation's members alone; `null` for any annotation. */
  readonly test: Condition | null;
}
