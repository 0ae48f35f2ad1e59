import type { Builder } from '#api/graphql/builder';
import { typeOfConfig } from '#domain/annotation-config';

/** A config of any kind. */
export type AnyConfig = ReturnType<typeof addUnion>;

/** Adds the union that stands for a config of any kind. */
export function addUnion(builder: Builder) {
  return builder.unionType('AnnotationConfig', {
    types: ['CategoricalAnnotationConfig', 'ContinuousAnnotationConfig', 'FreeformAnnotationConfig'],
    resolveType: typeOfConfig,
  });
}
