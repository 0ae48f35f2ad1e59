/** Annotation configs, read for all that an answer names at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { AnnotationConfig, AnnotationConfigKind } from '#domain/annotation-config';
import type { Services } from '../slice.ts';
import { countProjectsByConfig, findConfigs, findConfigsOfProjects } from './queries.ts';

type OfKind<Kind extends AnnotationConfigKind> = Extract<AnnotationConfig, { readonly kind: Kind }>;

/** The loaders; `undefined` where there is nothing. */
export interface AnnotationConfigLoaders {
  readonly ofProject: RowLoader<readonly AnnotationConfig[]>;
  /** How many projects offer a config; `undefined` without any. */
  readonly projectCount: RowLoader<number>;
  readonly categorical: RowLoader<OfKind<'CATEGORICAL'>>;
  readonly continuous: RowLoader<OfKind<'CONTINUOUS'>>;
  readonly freeform: RowLoader<OfKind<'FREEFORM'>>;
}

/** The loaders on a handle. */
export function createAnnotationConfigLoaders(read: Services['read']): AnnotationConfigLoaders {
  // An id says the kind, and a config of another kind has another id.
  const configsOf = <Kind extends AnnotationConfigKind>(kind: Kind): RowLoader<OfKind<Kind>> =>
    defineRowLoader(async (caller, rowIds) => {
      const found = await findConfigs(read(caller), rowIds);
      return new Map([...found].filter((entry): entry is [number, OfKind<Kind>] => entry[1].kind === kind));
    });
  return {
    ofProject: defineRowLoader((caller, rowIds) => findConfigsOfProjects(read(caller), rowIds)),
    projectCount: defineRowLoader((caller, rowIds) => countProjectsByConfig(read(caller), rowIds)),
    categorical: configsOf('CATEGORICAL'),
    continuous: configsOf('CONTINUOUS'),
    freeform: configsOf('FREEFORM'),
  };
}
