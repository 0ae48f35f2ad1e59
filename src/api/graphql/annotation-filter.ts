/** The argument that chooses among the annotations of an object. */
import type { AnnotationCondition, AnnotationFilter } from '#domain/annotation-filter';
import type { AnnotationConditionInput, AnnotationFilterInput, Builder } from './builder.ts';
import { toRowId } from './nodes.ts';

/** Adds its type. */
export function addAnnotationFilter(builder: Builder): void {
  const condition = builder.inputType('AnnotationFilterCondition', {
    description: 'Conditions narrow each other; values of one are alternatives.',
    fields: (t) => ({
      names: t.stringList(),
      sources: t.field({ type: ['AnnotationSource'] }),
      userIds: t.field({
        type: ['ID'],
        required: { list: false, items: false },
        description: 'Null stands for annotations without a user.',
      }),
    }),
  });
  builder.inputType('AnnotationFilter', {
    fields: (t) => ({ include: t.field({ type: condition }), exclude: t.field({ type: condition }) }),
  });
}

/** The filter. @throws AppError `invalid_argument` for the id of something that is not a user */
export function toAnnotationFilter(input: AnnotationFilterInput | null | undefined): AnnotationFilter {
  return {
    ...(input?.include != null && { include: toCondition(input.include) }),
    ...(input?.exclude != null && { exclude: toCondition(input.exclude) }),
  };
}

function toCondition({ names, sources, userIds }: AnnotationConditionInput): AnnotationCondition {
  return {
    ...(names != null && { names }),
    ...(sources != null && { sources }),
    ...(userIds != null && { userRowIds: userIds.map((id) => (id == null ? null : toRowId('User', id))) }),
  };
}
