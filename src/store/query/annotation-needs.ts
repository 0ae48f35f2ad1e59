/** The annotations that must be read before a condition is decided. */
import { ANNOTATION_COLLECTIONS, SPAN_ANNOTATIONS } from '#filter/annotation-collections';
import { mentionsOf } from '#filter/mentions';
import { own } from '#filter/own';
import type { AnnotationTarget, Condition } from '#filter/tree';
import type { AnnotationNeeds } from '../annotations/read-annotations.ts';
import { collectionsIn } from './partial-condition.ts';

/** What a condition, in which sets are set apart already, asks of annotations themselves. */
export function annotationNeeds(condition: Condition): AnnotationNeeds {
  const needs = new Map<AnnotationTarget, Set<string> | null>();
  for (const { target, name } of mentionsOf(condition).annotations) {
    const names = needs.get(target) ?? new Set();
    needs.set(target, names.add(name));
  }
  for (const collection of collectionsIn(condition)) {
    const target = collection === SPAN_ANNOTATIONS ? 'span' : own(ANNOTATION_COLLECTIONS, collection);
    if (target !== undefined) needs.set(target, null);
  }
  return needs;
}
