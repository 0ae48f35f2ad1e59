/** The argument that chooses among the annotations of an object. */
import type { AnnotationSource } from '#domain/annotation';
import type { AnnotationCondition, AnnotationFilter } from '#domain/annotation-filter';
import type { Builder } from './builder.ts';
import { toRowId } from './nodes.ts';

interface ConditionInput {
  readonly names?: readonly string[] | null | undefined;
  readonly sources?: readonly AnnotationSource[] | null | undefined;
  readonly userIds?: readonly (string | null | undefined)[] | null | undefined;
}

/** The filter as it arrives. */
export interface AnnotationFilterInput {
  readonly include?: ConditionInput | null | undefined;
  readonly exclude?: ConditionInput | null | undefined;
}

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

function toCondition({ names, sources, userIds }: ConditionInput): AnnotationCondition {
  return {
    ...(names != null && { names }),
    ...(sources != null && { sources }),
    ...(userIds != null && { userRowIds: userIds.map((id) => (id == null ? null : toRowId('User', id))) }),
  };
}
