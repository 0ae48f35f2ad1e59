/** What clients ask of annotations, by what they call things. */
import { randomUUID } from 'node:crypto';
import { orUnprocessable, UnprocessableError } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import { formatGlobalId } from '#base/global-id';
import { isJsonObject, type JsonValue, stringifyJson } from '#base/json';
import { boundedText } from '#derive/bounded-text';
import {
  type AnnotationPlace,
  type AnnotationSource,
  type AnnotationTarget,
  faultOfTarget,
  isTooDeep,
  type MatchingAnnotations,
  type NewAnnotation,
  NO_POSITION,
  NOTE_NAME,
  type TargetRef,
  TOO_DEEP,
} from '#domain/annotation';
import type { Caller } from '#domain/caller';
import { findTargets } from '#store/annotations/write/find-targets';
import type { Services } from '../slice.ts';
import { toOtelId } from '../traces/operations.ts';

/** What storing works with. */
export interface AnnotationParts {
  readonly services: Pick<Services, 'readPrimary' | 'spans'>;
  readonly commands: AnnotationCalls;
}

interface StoreInput {
  readonly target: AnnotationTarget;
  readonly annotations: readonly NewAnnotation[];
  readonly source: AnnotationSource;
}

/** The commands that operations give their work to. */
export interface AnnotationCalls {
  store(caller: Caller, input: StoreInput): Promise<readonly number[]>;
  storeFound(caller: Caller, input: StoreInput): Promise<readonly number[]>;
  storeLater(caller: Caller, input: StoreInput): Promise<void>;
  deleteMatching(caller: Caller, input: MatchingAnnotations): Promise<AnnotationPlace | null>;
}

/** A target as it is stored: hexadecimal ids are in lower case, session ids have no white space around them and are cut. */
export function toTargetKey(target: AnnotationTarget, text: string): string {
  if (target === 'session') return boundedText(text.trim());
  return toOtelId(target === 'trace' ? 'trace' : 'span', text);
}

/** The JSON text of metadata. @throws AppError `invalid_argument` for what is no object, or too deep */
export function toMetadata(metadata: JsonValue | undefined): string {
  if (isTooDeep(metadata)) throw new AppError('invalid_argument', TOO_DEEP);
  if (isJsonObject(metadata)) return stringifyJson(metadata);
  throw new AppError('invalid_argument', 'The metadata must be a JSON object.');
}

/**
 * Stores annotations whose targets are there; gives the row id of each, in their order.
 * @throws AppError `invalid_argument` for notes, `not_found`; UnprocessableError for all that is wrong with them
 */
export async function storeAnnotations(
  caller: Caller,
  { services, commands }: AnnotationParts,
  target: AnnotationTarget,
  annotations: readonly NewAnnotation[],
): Promise<readonly number[]> {
  refuseNotes(annotations);
  if (annotations.length === 0) return [];
  if (target === 'document') await assertPositions(caller, services, annotations);
  return orUnprocessable(commands.store(caller, { target, annotations, source: 'API' }));
}

/**
 * Stores annotations, now or when their targets arrive.
 * @throws AppError `invalid_argument` for notes, `resource_exhausted`; UnprocessableError for all that is wrong with them
 */
export async function storeAnnotationsLater(
  caller: Caller,
  { commands }: { readonly commands: Pick<AnnotationCalls, 'storeFound' | 'storeLater'> },
  target: AnnotationTarget,
  annotations: readonly NewAnnotation[],
): Promise<void> {
  refuseNotes(annotations);
  if (annotations.length === 0) return;
  const left = await orUnprocessable(commands.storeFound(caller, { target, annotations, source: 'API' }));
  if (left.length === 0) return;
  const waiting = left.flatMap((place) => annotations[place] ?? []);
  await orUnprocessable(commands.storeLater(caller, { target, annotations: waiting, source: 'API' }));
}

/** Adds a note, or replaces the one that has the identifier; gives its row id. @throws AppError `not_found`, UnprocessableError */
export async function storeNote(
  caller: Caller,
  { commands }: { readonly commands: Pick<AnnotationCalls, 'store'> },
  target: Exclude<AnnotationTarget, 'document'>,
  note: { readonly of: TargetRef; readonly text: string; readonly identifier: string },
): Promise<number> {
  const annotation: NewAnnotation = {
    of: note.of,
    documentPosition: NO_POSITION,
    name: NOTE_NAME,
    identifier: note.identifier === '' ? `px-${target}-note:${randomUUID()}` : note.identifier,
    annotatorKind: 'HUMAN',
    label: null,
    score: null,
    explanation: note.text,
    metadata: '{}',
  };
  const [rowId] = await orUnprocessable(commands.store(caller, { target, annotations: [annotation], source: 'API' }));
  if (rowId === undefined) throw new AppError('internal', 'The note was not stored.');
  return rowId;
}

/** Deletes all that matches and that the caller may delete, some at a time. */
export async function deleteMatching(
  caller: Caller,
  { commands }: { readonly commands: Pick<AnnotationCalls, 'deleteMatching'> },
  matching: Omit<MatchingAnnotations, 'after'>,
): Promise<void> {
  let after = await commands.deleteMatching(caller, matching);
  while (after !== null) after = await commands.deleteMatching(caller, { ...matching, after });
}

function refuseNotes(annotations: readonly NewAnnotation[]): void {
  if (!annotations.some(({ name }) => name === NOTE_NAME)) return;
  throw new AppError('invalid_argument', `The name ${NOTE_NAME} is reserved for notes: use the routes of notes.`);
}

/** @throws UnprocessableError for a position that a span has no document at */
export async function assertPositions(
  caller: Caller,
  { readPrimary, spans }: AnnotationParts['services'],
  annotations: readonly NewAnnotation[],
): Promise<void> {
  // Others are refused when they are stored.
  const keys = new Set(
    annotations.flatMap(({ of }) => (typeof of === 'string' && faultOfTarget('document', of) === null ? of : [])),
  );
  const rowIds = await findTargets(readPrimary(caller), 'document', [...keys]);
  const counts = new Map<number, number>();
  const wanted = [
    ...new Set([...rowIds.values(), ...annotations.flatMap(({ of }) => (typeof of === 'number' ? of : []))]),
  ];
  for (let start = 0; start < wanted.length; start += SPANS_AT_ONCE) {
    const some = wanted.slice(start, start + SPANS_AT_ONCE);
    const read = await spans(caller).readSpanParts(some.map((rowId) => ({ rowId, parts: ['report'] as const })));
    for (const [rowId, { report, damage }] of read) {
      if (damage !== undefined) throw new AppError('data_damaged', damage);
      counts.set(rowId, report?.documentCount ?? 0);
    }
  }
  for (const [index, { of, documentPosition }] of annotations.entries()) {
    const rowId = typeof of === 'string' ? rowIds.get(of) : of;
    const count = rowId === undefined ? undefined : counts.get(rowId);
    if (count === undefined || documentPosition < count) continue;
    throw new UnprocessableError(
      `Annotation ${index}: the span ${typeof of === 'number' ? formatGlobalId('Span', of) : of} has ${count} retrieved documents, so there is none at position ${documentPosition}.`,
    );
  }
}

/** Whose originals are read together. */
const SPANS_AT_ONCE = 200;
