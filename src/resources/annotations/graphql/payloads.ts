/** What changes of annotations answer. */
import type { Builder } from '#api/graphql/builder';
import { toRowId } from '#api/graphql/nodes';
import { ANNOTATION_TYPES, type Annotation, type AnnotationTarget } from '#domain/annotation';
import type { Caller } from '#domain/caller';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../../slice.ts';
import type { AnnotationCommands } from '../commands.ts';
import { annotationPolicy } from '../policy.ts';
import { findAnnotations } from '../queries.ts';

/** Annotations that were changed, in the order of the input. */
interface Changed {
  readonly annotations: readonly Annotation[];
}

declare module '#api/graphql/builder' {
  interface ObjectRows {
    SpanAnnotationMutationPayload: Changed;
    TraceAnnotationMutationPayload: Changed;
    DocumentAnnotationMutationPayload: Changed;
    ProjectSessionAnnotationsMutationPayload: Changed;
    ProjectSessionAnnotationMutationPayload: Annotation;
  }
}

/** What mutations work with. */
export interface MutationParts {
  readonly readPrimary: TypeServices['readPrimary'];
  readonly spans: TypeServices['spans'];
  readonly commands: CommandCalls<AnnotationCommands>;
}

/** Adds the types. */
export function addPayloads(builder: Builder): void {
  builder.objectType('SpanAnnotationMutationPayload', {
    access: annotationPolicy.read,
    fields: (t) => ({
      spanAnnotations: t.field({ type: ['SpanAnnotation'], resolve: ({ annotations }) => [...annotations] }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  builder.objectType('TraceAnnotationMutationPayload', {
    access: annotationPolicy.read,
    fields: (t) => ({
      traceAnnotations: t.field({ type: ['TraceAnnotation'], resolve: ({ annotations }) => [...annotations] }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  builder.objectType('DocumentAnnotationMutationPayload', {
    access: annotationPolicy.read,
    fields: (t) => ({
      documentAnnotations: t.field({ type: ['DocumentAnnotation'], resolve: ({ annotations }) => [...annotations] }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  builder.objectType('ProjectSessionAnnotationsMutationPayload', {
    access: annotationPolicy.read,
    fields: (t) => ({
      projectSessionAnnotations: t.field({
        type: ['ProjectSessionAnnotation'],
        resolve: ({ annotations }) => [...annotations],
      }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  builder.objectType('ProjectSessionAnnotationMutationPayload', {
    access: annotationPolicy.read,
    fields: (t) => ({
      projectSessionAnnotation: t.field({ type: 'ProjectSessionAnnotation', resolve: (annotation) => annotation }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
}

/** Annotations that were just stored, read where they are sure to be; what somebody deleted meanwhile is left out. */
export async function readStored(
  caller: Caller,
  { readPrimary }: Pick<MutationParts, 'readPrimary'>,
  target: AnnotationTarget,
  rowIds: readonly number[],
): Promise<Changed> {
  const found = await findAnnotations(readPrimary(caller), target, [...new Set(rowIds)]);
  return { annotations: rowIds.flatMap((rowId) => found.get(rowId) ?? []) };
}

/** The rows of ids of annotations. @throws AppError `invalid_argument` */
export function toRowIds(target: AnnotationTarget, ids: readonly string[]): readonly number[] {
  return ids.map((id) => toRowId(ANNOTATION_TYPES[target], id));
}
