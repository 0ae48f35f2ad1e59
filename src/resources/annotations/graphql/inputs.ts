/** What callers say of annotations, as the commands take it. */
import { AppError } from '#base/errors';
import type { JsonValue } from '#base/json';
import {
  type AnnotationChange,
  type AnnotationSource,
  type AnnotationTarget,
  type AnnotatorKind,
  appIdentifierOf,
  authorOf,
  type NewAnnotation,
  NO_POSITION,
  NOTE_NAME,
} from '#domain/annotation';
import type { Caller } from '#domain/caller';
import { toMetadata } from '../operations.ts';

/** What an annotation says, as it arrives. */
export interface SaidInput {
  readonly name: string;
  readonly annotatorKind: AnnotatorKind;
  readonly label?: string | null | undefined;
  readonly score?: number | null | undefined;
  readonly explanation?: string | null | undefined;
  readonly metadata?: JsonValue | undefined;
  readonly source: AnnotationSource;
  readonly identifier?: string | null | undefined;
}

/** An annotation of a row. @throws AppError `invalid_argument` for the name of notes, and for metadata that is no object */
export function toNewAnnotation(
  caller: Caller,
  target: AnnotationTarget,
  of: number,
  input: SaidInput,
  documentPosition = NO_POSITION,
): NewAnnotation {
  const { name, annotatorKind, source } = input;
  refuseNote(target, name);
  return {
    of,
    documentPosition,
    name,
    identifier: input.identifier ?? identifierOf(caller, source),
    annotatorKind,
    label: input.label ?? null,
    score: input.score ?? null,
    explanation: input.explanation ?? null,
    metadata: toMetadata(input.metadata),
    source,
  };
}

/** What changes, as it arrives. Null clears a label, a score or an explanation, and leaves anything else as it is. */
export type ChangeInput = { readonly [Field in keyof SaidInput]?: SaidInput[Field] | null | undefined };

/** The change. @throws AppError `invalid_argument` for the name of notes, and for metadata that is no object */
export function toChange(target: AnnotationTarget, input: ChangeInput): AnnotationChange {
  const { name, annotatorKind, label, score, explanation, metadata, identifier, source } = input;
  refuseNote(target, name);
  return {
    ...(name != null && { name }),
    ...(annotatorKind != null && { annotatorKind }),
    ...(label !== undefined && { label }),
    ...(score !== undefined && { score }),
    ...(explanation !== undefined && { explanation }),
    ...(metadata != null && { metadata: toMetadata(metadata) }),
    ...(identifier != null && { identifier }),
    ...(source != null && { source }),
  };
}

/** @throws AppError `invalid_argument` for an empty list of annotations or notes */
export function assertSome(what: string, list: readonly unknown[]): void {
  if (list.length === 0) throw new AppError('invalid_argument', `Give at least one ${what}.`);
}

/** What people say in the web UI has one annotation of each name for each of them. */
function identifierOf(caller: Caller, source: AnnotationSource): string {
  const userRowId = caller.kind === 'user' ? authorOf(caller) : null;
  return source === 'APP' && userRowId !== null ? appIdentifierOf(userRowId) : '';
}

function refuseNote(target: AnnotationTarget, name: string | null | undefined): void {
  // Documents have no notes, so the name means nothing special there; it is kept free all the same.
  if (name?.trim() !== NOTE_NAME) return;
  const { create } = NOTE_MUTATIONS[target === 'document' ? 'span' : target];
  throw new AppError('invalid_argument', `The name ${NOTE_NAME} is reserved for notes: use ${create}.`);
}

/** The mutations of notes, by their target. */
export const NOTE_MUTATIONS = {
  span: { create: 'createSpanNotes', remove: 'deleteSpanNotes' },
  trace: { create: 'createTraceNotes', remove: 'deleteTraceNotes' },
  session: { create: 'createProjectSessionNotes', remove: 'deleteProjectSessionNotes' },
} as const;
