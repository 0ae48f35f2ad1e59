/** What an evaluation knows while it walks through a condition. */
import type { FilterAnnotation, FilterSubject } from './subject.ts';
import type { AnnotationName } from './tree.ts';

/** Of one row. */
export interface Environment {
  readonly row: FilterSubject;
  /** Elements of the loops around, the innermost first. */
  readonly elements: LoopElement | null;
  /** By {@link annotationKey}, the annotation that is looked at; `null` where there is none of that name. */
  readonly annotations: Map<string, FilterAnnotation | null>;
}

/** An element that a loop variable stands for. */
export interface LoopElement {
  readonly variable: string;
  readonly element: FilterSubject;
  readonly outer: LoopElement | null;
}

/** What the name stands for: an element, or the row for `null`. */
export function subjectOf({ row, elements }: Environment, variable: string | null): FilterSubject {
  for (let loop = variable === null ? null : elements; loop !== null; loop = loop.outer) {
    if (loop.variable === variable) return loop.element;
  }
  return row;
}

/** One text for a name of annotations. */
export function annotationKey({ target, name }: AnnotationName): string {
  return `${target} ${name}`;
}
