/** Deletes all annotations of a name in a project. */
import type { Builder } from '#api/graphql/builder';
import { toRowId } from '#api/graphql/nodes';
import { toTimeBounds } from '#api/graphql/time-bounds';
import { ANNOTATION_TARGETS } from '#domain/annotation';
import type { CommandCalls } from '#store/commands/command';
import type { AnnotationCommands } from '../commands.ts';
import { annotationPolicy } from '../policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    DeleteProjectAnnotationsByNamePayload: { readonly deletedCount: number };
  }
  interface EnumValues {
    AnnotationTimeRangeField: 'annotation' | 'target';
  }
}

const MUTATIONS = {
  span: 'deleteProjectSpanAnnotations',
  trace: 'deleteProjectTraceAnnotations',
  session: 'deleteProjectSessionAnnotations',
  document: 'deleteProjectDocumentAnnotations',
} as const;

/** Adds a mutation for each kind of target. */
export function addDeletionByName(
  builder: Builder,
  commands: Pick<CommandCalls<AnnotationCommands>, 'deleteByName'>,
): void {
  builder.enumType('AnnotationTimeRangeField', {
    values: { ANNOTATION_CREATED_AT: { value: 'annotation' }, SOURCE_START_TIME: { value: 'target' } } as const,
  });
  const input = builder.inputType('DeleteProjectAnnotationsInput', {
    fields: (t) => ({
      projectId: t.id({ required: true }),
      annotationName: t.string({ required: true }),
      timeRange: t.field({ type: 'TimeRange' }),
      timeRangeField: t.field({
        type: 'AnnotationTimeRangeField',
        required: true,
        defaultValue: 'annotation',
        description:
          'Whether the range is about when the annotation was created, or when its span, trace or session started; documents are those of spans.',
      }),
    }),
  });
  builder.objectType('DeleteProjectAnnotationsByNamePayload', {
    access: annotationPolicy.read,
    fields: (t) => ({
      deletedAnnotationCount: t.exposeInt('deletedCount'),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  for (const target of ANNOTATION_TARGETS) {
    builder.mutationField(MUTATIONS[target], (t) =>
      t.field({
        type: 'DeleteProjectAnnotationsByNamePayload',
        access: annotationPolicy.deleteByName,
        args: { input: t.arg({ type: input, required: true }) },
        resolve: async (_root, { input: { projectId, annotationName, timeRange, timeRangeField } }, { caller }) => {
          const named = {
            target,
            projectRowId: toRowId('Project', projectId),
            name: annotationName,
            timeOf: timeRangeField,
            ...toTimeBounds(timeRange),
          };
          let { count, place } = await commands.deleteByName(caller, named);
          while (place !== null) {
            const more = await commands.deleteByName(caller, { ...named, after: place });
            count += more.count;
            ({ place } = more);
          }
          return { deletedCount: count };
        },
      }),
    );
  }
}
