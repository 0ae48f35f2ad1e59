/** Changes of notes. */
import { randomUUID } from 'node:crypto';
import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { toRowId } from '#api/graphql/nodes';
import { AppError } from '#base/errors';
import {
  type AnnotationSource,
  type AnnotatorKind,
  type NewAnnotation,
  NO_POSITION,
  NOTE_NAME,
  type TargetRef,
} from '#domain/annotation';
import { toTargetKey } from '../operations.ts';
import { annotationPolicy } from '../policy.ts';
import { assertSome, NOTE_MUTATIONS } from './inputs.ts';
import type { DeleteInputRef } from './mutations.ts';
import { type MutationParts, readStored, toRowIds } from './payloads.ts';

/** What has notes. */
type NoteTarget = 'span' | 'trace' | 'session';

interface NoteInput {
  readonly of: TargetRef;
  readonly note: string;
  readonly annotatorKind: AnnotatorKind;
  readonly source: AnnotationSource;
  readonly identifier?: string | null | undefined;
}

/** Adds them. */
export function addNoteMutations(builder: Builder, parts: MutationParts, remove: DeleteInputRef): void {
  addSpanNotes(builder, parts);
  addOtherNotes(builder, parts);
  addDeletions(builder, parts, remove);
}

async function create(
  { caller }: GraphqlContext,
  parts: MutationParts,
  target: NoteTarget,
  notes: readonly NoteInput[],
) {
  assertSome('note', notes);
  const annotations = notes.map((note) => toNote(target, note));
  const rowIds = await parts.commands.store(caller, { target, annotations, source: 'API' });
  return readStored(caller, parts, target, rowIds);
}

function toNote(target: NoteTarget, { of, note, annotatorKind, source, identifier }: NoteInput): NewAnnotation {
  const text = note.trim();
  if (text === '') throw new AppError('invalid_argument', 'Note cannot be empty.');
  const given = identifier?.trim() ?? '';
  return {
    of,
    documentPosition: NO_POSITION,
    name: NOTE_NAME,
    identifier: given === '' ? `px-${target}-note:${randomUUID()}` : given,
    annotatorKind,
    label: null,
    score: null,
    explanation: text,
    metadata: '{}',
    source,
  };
}

type InputFields = Parameters<NonNullable<Parameters<Builder['inputType']>[1]>['fields']>[0];

const noteFields = (t: InputFields) => ({
  note: t.string({ required: true }),
  annotatorKind: t.field({ type: 'AnnotatorKind', required: true, defaultValue: 'HUMAN' }),
  source: t.field({ type: 'AnnotationSource', required: true, defaultValue: 'APP' }),
  identifier: t.string({
    description: 'A note with the same identifier is replaced; without one, the note is another.',
  }),
});

function addReference(builder: Builder, name: 'Span' | 'Trace') {
  return builder.inputType(`${name}ReferenceInput`, {
    isOneOf: true,
    fields: (t) => ({ id: t.id(), otelId: t.string() }),
  });
}

interface Reference {
  readonly id?: string | null | undefined;
  readonly otelId?: string | null | undefined;
}

function toTargetRef(target: 'span' | 'trace', { id, otelId }: Reference): TargetRef {
  if (id != null) return toRowId(target === 'span' ? 'Span' : 'Trace', id);
  return toTargetKey(target, otelId ?? '');
}

function addSpanNotes(builder: Builder, parts: MutationParts): void {
  const reference = addReference(builder, 'Span');
  const input = builder.inputType('CreateSpanNoteInput', {
    description: 'Give either span or spanId.',
    fields: (t) => ({ span: t.field({ type: reference }), spanId: t.id(), ...noteFields(t) }),
  });
  const ofSpan = (span: Reference | null | undefined, spanId: string | null | undefined): TargetRef => {
    if ((span == null) === (spanId == null)) throw new AppError('invalid_argument', 'Give either span or spanId.');
    return toTargetRef('span', span ?? { id: spanId });
  };
  builder.mutationFields((t) => ({
    createSpanNotes: t.field({
      type: 'SpanAnnotationMutationPayload',
      access: annotationPolicy.store,
      args: { input: t.arg({ type: [input], required: true }) },
      resolve: (_root, args, context) =>
        create(
          context,
          parts,
          'span',
          args.input.map(({ span, spanId, ...note }) => ({ ...note, of: ofSpan(span, spanId) })),
        ),
    }),
    createSpanNote: t.field({
      type: 'SpanAnnotationMutationPayload',
      access: annotationPolicy.store,
      description: 'One note; createSpanNotes takes several.',
      args: { annotationInput: t.arg({ type: input, required: true }) },
      resolve: (_root, { annotationInput: { span, spanId, ...note } }, context) =>
        create(context, parts, 'span', [{ ...note, of: ofSpan(span, spanId) }]),
    }),
  }));
}

function addOtherNotes(builder: Builder, parts: MutationParts): void {
  const traceReference = addReference(builder, 'Trace');
  const sessionReference = builder.inputType('ProjectSessionReferenceInput', {
    isOneOf: true,
    fields: (t) => ({ id: t.id(), sessionId: t.string() }),
  });
  const ofTrace = builder.inputType('CreateTraceNoteInput', {
    fields: (t) => ({ trace: t.field({ type: traceReference, required: true }), ...noteFields(t) }),
  });
  const ofSession = builder.inputType('CreateProjectSessionNoteInput', {
    fields: (t) => ({ session: t.field({ type: sessionReference, required: true }), ...noteFields(t) }),
  });
  builder.mutationFields((t) => ({
    createTraceNotes: t.field({
      type: 'TraceAnnotationMutationPayload',
      access: annotationPolicy.store,
      args: { input: t.arg({ type: [ofTrace], required: true }) },
      resolve: (_root, { input }, context) =>
        create(
          context,
          parts,
          'trace',
          input.map(({ trace, ...note }) => ({ ...note, of: toTargetRef('trace', trace) })),
        ),
    }),
    createProjectSessionNotes: t.field({
      type: 'ProjectSessionAnnotationsMutationPayload',
      access: annotationPolicy.store,
      args: { input: t.arg({ type: [ofSession], required: true }) },
      resolve: (_root, { input }, context) =>
        create(
          context,
          parts,
          'session',
          input.map(({ session: { id, sessionId }, ...note }) => ({
            ...note,
            of: id == null ? toTargetKey('session', sessionId ?? '') : toRowId('ProjectSession', id),
          })),
        ),
    }),
  }));
}

const PAYLOADS = {
  span: 'SpanAnnotationMutationPayload',
  trace: 'TraceAnnotationMutationPayload',
  session: 'ProjectSessionAnnotationsMutationPayload',
} as const;

function addDeletions(builder: Builder, { commands }: MutationParts, remove: DeleteInputRef): void {
  for (const target of ['span', 'trace', 'session'] as const) {
    builder.mutationField(NOTE_MUTATIONS[target].remove, (t) =>
      t.field({
        type: PAYLOADS[target],
        access: annotationPolicy.delete,
        args: { input: t.arg({ type: remove, required: true }) },
        resolve: async (_root, { input: { annotationIds } }, { caller }) => ({
          annotations: await commands.delete(caller, { target, rowIds: toRowIds(target, annotationIds), isNote: true }),
        }),
      }),
    );
  }
}
