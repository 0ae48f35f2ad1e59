/** The sets that filters of annotations ask for. */
import { ANNOTATION_SETS, type AnnotationParameters } from '#filter/annotation-sets';
import type { FilterGrain } from '#filter/tree';
import { defineSet, type SetCatalogue, setCatalogue } from './define-set.ts';

/** The sets of the store itself: spans, traces and sessions that have an annotation. No table holds annotations, so all are empty. */
export const STORE_SETS: SetCatalogue = setCatalogue([annotated('span'), annotated('trace'), annotated('session')]);

function annotated(subject: FilterGrain) {
  return defineSet<AnnotationParameters>({ name: ANNOTATION_SETS[subject], subject, rowIdsIn: () => null });
}
