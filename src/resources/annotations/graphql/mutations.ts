/** Changes of annotations of spans, traces and documents, many at once, and of sessions. */
import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { toRowId } from '#api/graphql/nodes';
import { AppError } from '#base/errors';
import { ANNOTATION_TYPES, type Annotation, type AnnotationTarget, type NewAnnotation } from '#domain/annotation';
import type { Caller } from '#domain/caller';
import { assertPositions } from '../operations.ts';
import { annotationPolicy } from '../policy.ts';
import { assertSome, type ChangeInput, toChange, toNewAnnotation } from './inputs.ts';
import { type MutationParts, readStored, toRowIds } from './payloads.ts';

const PAYLOADS = {
  span: 'SpanAnnotationMutationPayload',
  trace: 'TraceAnnotationMutationPayload',
  document: 'DocumentAnnotationMutationPayload',
} as const;

/** Of sessions there is one at a time. */
type ManyTarget = keyof typeof PAYLOADS;

/** Adds them. `remove` is the input of what deletes many. */
export function addMutations(builder: Builder, parts: MutationParts, remove: DeleteInputRef): void {
  addCreations(builder, parts);
  addChanges(builder, parts, remove);
  addSessionMutations(builder, parts);
}

/** The input of what deletes annotations or notes by their ids. */
export function addDeleteInput(builder: Builder) {
  return builder.inputType('DeleteAnnotationsInput', {
    fields: (t) => ({ annotationIds: t.idList({ required: true }) }),
  });
}

/** What {@link addDeleteInput} gives. */
export type DeleteInputRef = ReturnType<typeof addDeleteInput>;

type InputFields = Parameters<NonNullable<Parameters<Builder['inputType']>[1]>['fields']>[0];

const saidFields = (t: InputFields) => ({
  name: t.string({ required: true }),
  annotatorKind: t.field({ type: 'AnnotatorKind', required: true }),
  label: t.string(),
  score: t.float(),
  explanation: t.string(),
  metadata: t.field({ type: 'JSON', required: true, description: 'An object.' }),
  source: t.field({ type: 'AnnotationSource', required: true }),
  identifier: t.string({
    description:
      'Tells annotations of one name apart. Without one, it is empty; with the source APP, that of the user, so that each person has one annotation of each name.',
  }),
});

async function create(
  caller: Caller,
  parts: MutationParts,
  target: AnnotationTarget,
  annotations: readonly NewAnnotation[],
): Promise<{ readonly annotations: readonly Annotation[] }> {
  assertSome('annotation', annotations);
  if (target === 'document') await assertPositions(caller, parts, annotations);
  const rowIds = await parts.commands.store(caller, { target, annotations, source: 'API' });
  return readStored(caller, parts, target, rowIds);
}

function addCreations(builder: Builder, parts: MutationParts): void {
  const span = builder.inputType('CreateSpanAnnotationInput', {
    fields: (t) => ({ spanId: t.id({ required: true }), ...saidFields(t) }),
  });
  const trace = builder.inputType('CreateTraceAnnotationInput', {
    fields: (t) => ({ traceId: t.id({ required: true }), ...saidFields(t) }),
  });
  const document = builder.inputType('CreateDocumentAnnotationInput', {
    fields: (t) => ({
      spanId: t.id({ required: true }),
      documentPosition: t.int({ required: true }),
      ...saidFields(t),
    }),
  });
  const description = 'An annotation with the same target, name and identifier is replaced.';
  builder.mutationFields((t) => ({
    createSpanAnnotations: t.field({
      type: PAYLOADS.span,
      access: annotationPolicy.store,
      description,
      args: { input: t.arg({ type: [span], required: true }) },
      resolve: (_root, { input }, { caller }) =>
        create(
          caller,
          parts,
          'span',
          input.map(({ spanId, ...said }) => toNewAnnotation(caller, 'span', toRowId('Span', spanId), said)),
        ),
    }),
    createTraceAnnotations: t.field({
      type: PAYLOADS.trace,
      access: annotationPolicy.store,
      description,
      args: { input: t.arg({ type: [trace], required: true }) },
      resolve: (_root, { input }, { caller }) =>
        create(
          caller,
          parts,
          'trace',
          input.map(({ traceId, ...said }) => toNewAnnotation(caller, 'trace', toRowId('Trace', traceId), said)),
        ),
    }),
    createDocumentAnnotations: t.field({
      type: PAYLOADS.document,
      access: annotationPolicy.store,
      description,
      args: { input: t.arg({ type: [document], required: true }) },
      resolve: (_root, { input }, { caller }) =>
        create(
          caller,
          parts,
          'document',
          input.map(({ spanId, documentPosition, ...said }) =>
            toNewAnnotation(caller, 'document', toRowId('Span', spanId), said, documentPosition),
          ),
        ),
    }),
  }));
}

function addChanges(builder: Builder, { commands }: MutationParts, remove: DeleteInputRef): void {
  const change = builder.inputType('PatchAnnotationInput', {
    description: 'Fields that are left out keep their values; null clears a label, a score or an explanation.',
    fields: (t) => ({
      annotationId: t.id({ required: true }),
      name: t.string(),
      annotatorKind: t.field({ type: 'AnnotatorKind' }),
      label: t.string(),
      score: t.float(),
      explanation: t.string(),
      metadata: t.field({ type: 'JSON' }),
      identifier: t.string(),
      source: t.field({ type: 'AnnotationSource' }),
    }),
  });
  const patch = async (
    { caller }: GraphqlContext,
    target: ManyTarget,
    input: readonly (ChangeInput & { readonly annotationId: string })[],
  ) => {
    assertSome('annotation', input);
    const changes = input.map(({ annotationId, ...said }) => ({
      rowId: toRowId(ANNOTATION_TYPES[target], annotationId),
      ...toChange(target, said),
    }));
    return { annotations: await commands.patch(caller, { target, changes }) };
  };
  const discard = async ({ caller }: GraphqlContext, target: ManyTarget, ids: readonly string[]) => ({
    annotations: await commands.delete(caller, { target, rowIds: toRowIds(target, ids), isNote: false }),
  });
  builder.mutationFields((t) => {
    const patchOf = (target: ManyTarget) =>
      t.field({
        type: PAYLOADS[target],
        access: annotationPolicy.patch,
        args: { input: t.arg({ type: [change], required: true }) },
        resolve: (_root, { input }, context) => patch(context, target, input),
      });
    const deleteOf = (target: ManyTarget) =>
      t.field({
        type: PAYLOADS[target],
        access: annotationPolicy.delete,
        args: { input: t.arg({ type: remove, required: true }) },
        resolve: (_root, { input }, context) => discard(context, target, input.annotationIds),
      });
    return {
      patchSpanAnnotations: patchOf('span'),
      patchTraceAnnotations: patchOf('trace'),
      patchDocumentAnnotations: patchOf('document'),
      deleteSpanAnnotations: deleteOf('span'),
      deleteTraceAnnotations: deleteOf('trace'),
      deleteDocumentAnnotations: deleteOf('document'),
    };
  });
}

function addSessionMutations(builder: Builder, parts: MutationParts): void {
  const { commands } = parts;
  const shared = (t: InputFields) => ({
    ...saidFields(t),
    annotatorKind: t.field({ type: 'AnnotatorKind', required: true, defaultValue: 'HUMAN' }),
    source: t.field({ type: 'AnnotationSource', required: true, defaultValue: 'APP' }),
  });
  const input = builder.inputType('CreateProjectSessionAnnotationInput', {
    fields: (t) => ({ projectSessionId: t.id({ required: true }), ...shared(t) }),
  });
  const update = builder.inputType('UpdateAnnotationInput', {
    description: 'The annotation as a whole: what is left out is cleared.',
    fields: (t) => {
      const { identifier: _, ...fields } = shared(t);
      return { id: t.id({ required: true }), ...fields };
    },
  });
  const only = (annotations: readonly Annotation[]): Annotation => {
    const [annotation] = annotations;
    if (annotation === undefined) throw new AppError('not_found', 'The annotation no longer exists.');
    return annotation;
  };
  builder.mutationFields((t) => ({
    createProjectSessionAnnotations: t.field({
      type: 'ProjectSessionAnnotationMutationPayload',
      access: annotationPolicy.store,
      description: 'An annotation with the same session, name and identifier is replaced.',
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, { input: { projectSessionId, ...said } }, { caller }) => {
        const of = toRowId('ProjectSession', projectSessionId);
        const { annotations } = await create(caller, parts, 'session', [toNewAnnotation(caller, 'session', of, said)]);
        return only(annotations);
      },
    }),
    updateProjectSessionAnnotations: t.field({
      type: 'ProjectSessionAnnotationMutationPayload',
      access: annotationPolicy.patch,
      args: { input: t.arg({ type: update, required: true }) },
      resolve: async (_root, { input: { id, ...said } }, { caller }) => {
        const { label = null, score = null, explanation = null } = said;
        const change = toChange('session', { ...said, label, score, explanation });
        const changes = [{ rowId: toRowId('ProjectSessionAnnotation', id), ...change }];
        return only(await commands.patch(caller, { target: 'session', changes }));
      },
    }),
    deleteProjectSessionAnnotation: t.field({
      type: 'ProjectSessionAnnotationMutationPayload',
      access: annotationPolicy.delete,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { caller }) =>
        only(await commands.delete(caller, { target: 'session', rowIds: toRowIds('session', [id]), isNote: false })),
    }),
  }));
}
