/** Judgements of spans, traces, sessions and retrieved documents, by people and programs. A note is an annotation of a reserved name. */
import { AppError } from '#base/errors';
import { formatGlobalId } from '#base/global-id';
import { JsonNumber } from '#base/json';
import { type Caller, userRowIdOf } from './caller.ts';

/** What an annotation is about; a document is one of those that a span retrieved. */
export const ANNOTATION_TARGETS = ['span', 'trace', 'session', 'document'] as const;

/** One of {@link ANNOTATION_TARGETS}. */
export type AnnotationTarget = (typeof ANNOTATION_TARGETS)[number];

/** Who or what judged. */
export const ANNOTATOR_KINDS = ['HUMAN', 'LLM', 'CODE'] as const;

/** One of {@link ANNOTATOR_KINDS}. */
export type AnnotatorKind = (typeof ANNOTATOR_KINDS)[number];

/** Where it was said: to an API, or in the web UI. */
export type AnnotationSource = 'API' | 'APP';

/** The name of notes, which annotations cannot have. */
export const NOTE_NAME = 'note';

/** The position of everything that is not a document. */
export const NO_POSITION = -1;

/** What an annotation says. */
export interface AnnotationContent {
  readonly annotatorKind: AnnotatorKind;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
}

/** What tells annotations of one target apart. */
export interface AnnotationKey {
  readonly name: string;
  /** Empty unless there are several of one name. */
  readonly identifier: string;
  /** Zero-based, of a document; {@link NO_POSITION} of any other target. */
  readonly documentPosition: number;
}

/** A target by its row id, or by what senders call it: the id of a span or a trace, or the text of a session. */
export type TargetRef = number | string;

/** An annotation to be stored. */
export interface NewAnnotation extends AnnotationKey, AnnotationContent {
  /** Of a document, its span. */
  readonly of: TargetRef;
  /** Where it is said, if that is not where the others of its call are. */
  readonly source?: AnnotationSource;
}

/** What somebody says under a name. */
export type SaidAnnotation = Omit<AnnotationContent, 'annotatorKind'> & Pick<AnnotationKey, 'name'>;

/** The same, with whose it is, for any number of targets. */
export interface AuthoredAnnotation extends Omit<AnnotationKey, 'documentPosition'>, AnnotationContent {
  readonly source: AnnotationSource;
  /** `null` for callers without an account. */
  readonly userRowId: number | null;
}

/** A stored annotation. */
export interface Annotation extends AnnotationKey, AnnotationContent {
  readonly rowId: number;
  readonly target: AnnotationTarget;
  /** The row of the span, also of a document, of the trace, or of the session. */
  readonly targetRowId: number;
  readonly projectRowId: number;
  readonly source: AnnotationSource;
  /** `null` for callers without an account. */
  readonly userRowId: number | null;
  readonly createdAtUs: number;
  readonly updatedAtUs: number;
}

/** An annotation with what senders call its target. */
export interface ListedAnnotation extends Annotation {
  readonly targetKey: string;
}

/** Annotations of a project that are to go. */
export interface MatchingAnnotations {
  readonly target: Exclude<AnnotationTarget, 'document'>;
  readonly projectRowId: number;
  readonly name?: string | undefined;
  readonly identifier?: string | undefined;
  readonly annotatorKind?: AnnotatorKind | undefined;
  /** Of their creation, inclusive. */
  readonly startTimeUs?: number | undefined;
  /** Of their creation, exclusive. */
  readonly endTimeUs?: number | undefined;
  /** Absent in the first call. */
  readonly after?: AnnotationPlace | undefined;
}

/** How far a deletion has come through the annotations of a project, which it takes by name and row id. */
export interface AnnotationPlace {
  /** Those that were stored after the deletion began stay. */
  readonly upToRowId: number;
  readonly name: string;
  readonly rowId: number;
}

/** What changes about an annotation; what is left out keeps its value. */
export type AnnotationChange = Partial<Omit<NewAnnotation, 'of' | 'documentPosition'>> & {
  readonly source?: AnnotationSource;
};

/** The type names of annotations in ids, also of notes. */
export const ANNOTATION_TYPES = {
  span: 'SpanAnnotation',
  trace: 'TraceAnnotation',
  session: 'ProjectSessionAnnotation',
  document: 'DocumentAnnotation',
} as const satisfies Readonly<Record<AnnotationTarget, string>>;

/** The account that an annotation is by, the system's for its keys and the administrator's secret; `null` for callers without one. */
export function authorOf(caller: Caller): number | null {
  if (caller.kind === 'system_key') return caller.accountRowId;
  return caller.kind === 'admin_secret' ? caller.rowId : userRowIdOf(caller);
}

/** Whose annotations the caller may delete: of one author, or anybody's. Callers without an account delete what has no author. */
export function deletableBy(caller: Caller): 'all' | { readonly userRowId: number | null } {
  return caller.role === 'admin' ? 'all' : { userRowId: authorOf(caller) };
}

/** Whether the caller may change an annotation: authors may, and everybody while authentication is off. */
export function mayPatch(caller: Caller, { userRowId }: Pick<Annotation, 'userRowId'>): boolean {
  return caller.kind === 'anonymous' || userRowId === authorOf(caller);
}

/** Annotations that one call stores at most. */
export const MAX_ANNOTATIONS = 10_000;
/** Of a name, an identifier and a label, in bytes: an entry of an index has room for two of them. */
export const MAX_INDEXED_BYTES = 1000;
/** Of the id of a span or trace, in bytes: hexadecimal ones have 16 or 32. */
export const MAX_ID_BYTES = 256;
/** Of the text of a session, in bytes: an entry of an index has room for it. */
const MAX_SESSION_BYTES = 2400;
/** In bytes. */
export const MAX_EXPLANATION_BYTES = 65_536;
/** Of the JSON text, in bytes. */
const MAX_METADATA_BYTES = 65_536;
const MAX_METADATA_DEPTH = 32;
/** What is wrong with metadata that is too deep. */
export const TOO_DEEP = `The metadata is nested deeper than ${MAX_METADATA_DEPTH} levels.`;
/** Either way; sums of squares of scores stay numbers. */
export const MAX_SCORE = 1e100;
/** More than any retrieval gives. */
export const MAX_POSITION = 1_000_000;

/** What is wrong with what an annotation says, for its sender to read; `null` where nothing is. */
export function faultOfAnnotation({ name, score, metadata, ...texts }: AnnotationChange): string | null {
  return (
    (name?.trim() === '' ? 'The name is empty.' : null) ??
    faultOfText('name', name, MAX_INDEXED_BYTES) ??
    faultOfText('identifier', texts.identifier, MAX_INDEXED_BYTES) ??
    faultOfText('label', texts.label, MAX_INDEXED_BYTES) ??
    faultOfText('explanation', texts.explanation, MAX_EXPLANATION_BYTES) ??
    faultOfScore(score) ??
    (metadata === undefined ? null : faultOfMetadata(metadata))
  );
}

/** Of what is said in the web UI: of an account with its id, and of everybody while authentication is off. */
const APP_IDENTIFIER = 'px-app';

/** The identifier of what an account says in the web UI, one of each name. */
export function appIdentifierOf(userRowId: number): string {
  return `${APP_IDENTIFIER}:${formatGlobalId('User', userRowId)}`;
}

/**
 * What the caller says, stored so that the caller has one annotation of each name: what people say is theirs in the web UI, where they
 * can change it, and keys that belong to no person speak as programs do.
 */
export function authoredBy(caller: Caller, said: SaidAnnotation): AuthoredAnnotation {
  const userRowId = authorOf(caller);
  if (caller.kind !== 'user' && caller.kind !== 'anonymous') {
    return { ...said, identifier: '', annotatorKind: 'CODE', source: 'API', userRowId };
  }
  const identifier = userRowId === null ? APP_IDENTIFIER : appIdentifierOf(userRowId);
  return { ...said, identifier, annotatorKind: 'HUMAN', source: 'APP', userRowId };
}

/** Whether an identifier is kept for what is said in the web UI. */
export function isAppIdentifier(identifier: string): boolean {
  return identifier === APP_IDENTIFIER || identifier.startsWith(`${APP_IDENTIFIER}:`);
}

/** What is wrong with the identifier where the caller says so; `null` where nothing is. */
export function faultOfIdentifier(caller: Caller, identifier: string | undefined): string | null {
  if (identifier === undefined || !isAppIdentifier(identifier) || caller.kind === 'anonymous') return null;
  const userRowId = userRowIdOf(caller);
  if (userRowId !== null && identifier === appIdentifierOf(userRowId)) return null;
  return `Identifiers that are ${APP_IDENTIFIER} or begin with ${APP_IDENTIFIER}: are reserved for what people say in the web UI. Use another one.`;
}

/** What is wrong with what a sender calls a target; `null` where nothing is. Those of sessions are cut already, as rows have them. */
export function faultOfTarget(target: AnnotationTarget, of: TargetRef): string | null {
  if (typeof of === 'number') return null;
  if (target === 'session') return faultOfText('session id', of, MAX_SESSION_BYTES);
  return faultOfText(target === 'trace' ? 'trace id' : 'span id', of, MAX_ID_BYTES);
}

/** What is wrong with the position of a document; `null` where nothing is. */
function faultOfPosition(target: AnnotationTarget, position: number): string | null {
  if (target !== 'document') return position === NO_POSITION ? null : 'Only documents have a position.';
  const isPosition = Number.isSafeInteger(position) && position >= 0 && position <= MAX_POSITION;
  return isPosition ? null : `The position of a document is a whole number from 0 to ${MAX_POSITION}.`;
}

/** @throws AppError `invalid_argument` naming the first fault, and which of the list has it */
export function checkAnnotations(
  caller: Caller,
  target: AnnotationTarget,
  annotations: readonly NewAnnotation[],
): void {
  if (annotations.length > MAX_ANNOTATIONS) {
    throw new AppError(
      'invalid_argument',
      `One call stores at most ${MAX_ANNOTATIONS} annotations; this one has ${annotations.length}. Send them in parts.`,
    );
  }
  for (const [index, annotation] of annotations.entries()) {
    const fault =
      faultOfTarget(target, annotation.of) ??
      faultOfAnnotation(annotation) ??
      faultOfIdentifier(caller, annotation.identifier) ??
      faultOfPosition(target, annotation.documentPosition);
    if (fault !== null) throw new AppError('invalid_argument', `Annotation ${index}: ${fault}`);
  }
}

function faultOfText(what: string, text: string | null | undefined, maxBytes: number): string | null {
  if (text === null || text === undefined) return null;
  if (text.includes('\0')) return `The ${what} contains a NUL character.`;
  if (!text.isWellFormed()) return `The ${what} is not valid Unicode text.`;
  if (text.length * 3 <= maxBytes) return null;
  if (text.length <= maxBytes && new TextEncoder().encode(text).length <= maxBytes) return null;
  return `The ${what} has more than ${maxBytes} bytes.`;
}

function faultOfScore(score: number | null | undefined): string | null {
  if (typeof score !== 'number') return null;
  if (!Number.isFinite(score)) return 'The score is not a finite number.';
  return Math.abs(score) > MAX_SCORE ? `The score is beyond ${MAX_SCORE}.` : null;
}

function faultOfMetadata(json: string): string | null {
  const fault = faultOfText('metadata', json, MAX_METADATA_BYTES);
  if (fault !== null) return fault;
  // PostgreSQL's JSON functions cannot read it.
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(json)) return 'The metadata contains a NUL character.';
  return depthOf(json) > MAX_METADATA_DEPTH ? TOO_DEEP : null;
}

/** Whether metadata is too deep to be looked at, and to be written by what calls itself for each level. */
export function isTooDeep(metadata: unknown): boolean {
  let level: readonly unknown[] = [metadata];
  for (let depth = 0; depth <= MAX_METADATA_DEPTH; depth++) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null && !(value instanceof JsonNumber) ? [Object.values(value)] : [],
    );
    if (level.length === 0) return false;
    level = level.flat();
  }
  return true;
}

/** How deep JSON text is nested. */
function depthOf(json: string): number {
  let [depth, deepest] = [0, 0];
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth);
    else if (token === '}' || token === ']') depth--;
  }
  return deepest;
}
