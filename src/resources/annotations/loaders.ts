/** Annotations and their authors, read for all that an answer names at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { Account } from '#domain/account';
import { ANNOTATION_TARGETS, type Annotation, type AnnotationTarget } from '#domain/annotation';
import type { Services } from '../slice.ts';
import { findAccounts } from '../users/queries.ts';
import { findAnnotations, findAnnotationsOf } from './queries.ts';

/** By the kind of target. */
type OfTargets<Value> = Readonly<Record<AnnotationTarget, Value>>;

/** The loaders; `undefined` where there is nothing. */
export interface AnnotationLoaders {
  readonly annotation: OfTargets<RowLoader<Annotation>>;
  /** By the row of the target, oldest first. */
  readonly annotationsOf: OfTargets<RowLoader<readonly Annotation[]>>;
  readonly author: RowLoader<Account>;
}

/** The loaders on a handle. */
export function createAnnotationLoaders(read: Services['read']): AnnotationLoaders {
  return {
    annotation: ofTargets((target) =>
      defineRowLoader((caller, rowIds) => findAnnotations(read(caller), target, rowIds)),
    ),
    annotationsOf: ofTargets((target) =>
      defineRowLoader((caller, rowIds) => findAnnotationsOf(read(caller), target, rowIds)),
    ),
    author: defineRowLoader((caller, rowIds) => findAccounts(read(caller), rowIds)),
  };
}

function ofTargets<Value>(make: (target: AnnotationTarget) => Value): OfTargets<Value> {
  const entries = ANNOTATION_TARGETS.map((target) => [target, make(target)] as const);
  return Object.fromEntries(entries) as Record<AnnotationTarget, Value>;
}
