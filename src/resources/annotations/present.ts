/** Annotations as REST answers with them, and takes them. */
import { z } from 'zod';
import { NOT_BLANK, WITHOUT_NUL } from '#api/rest/text-patterns';
import { formatGlobalId } from '#base/global-id';
import { parseJson } from '#base/json';
import {
  ANNOTATION_TYPES,
  type AnnotationTarget,
  isTooDeep,
  type ListedAnnotation,
  MAX_EXPLANATION_BYTES,
  MAX_INDEXED_BYTES,
  MAX_SCORE,
  NOTE_NAME,
  TOO_DEEP,
} from '#domain/annotation';
import { formatTimestamp } from '#domain/timestamp';

/** The field that names a target, by what it is. */
export const TARGET_FIELDS = {
  span: 'span_id',
  trace: 'trace_id',
  session: 'session_id',
  document: 'span_id',
} as const satisfies Readonly<Record<AnnotationTarget, string>>;

/** The id of an annotation. */
export function annotationIdOf(target: AnnotationTarget, rowId: number): string {
  return formatGlobalId(ANNOTATION_TYPES[target], rowId);
}

/** The name of an annotation in a request. */
export const ANNOTATION_NAME = z
  .string()
  .meta({ pattern: NOT_BLANK, maxLength: MAX_INDEXED_BYTES, not: { pattern: `^\\s*${NOTE_NAME}\\s*$` } })
  .describe('What was judged, as `relevance`. `note` is refused.');
/** What an annotation in a request says. */
export const LABEL = z.string().meta({ pattern: WITHOUT_NUL, maxLength: MAX_INDEXED_BYTES }).nullish();
/** Its score. */
export const SCORE = z.number().meta({ minimum: -MAX_SCORE, maximum: MAX_SCORE }).nullish();
/** Why. */
export const EXPLANATION = z.string().meta({ pattern: WITHOUT_NUL, maxLength: MAX_EXPLANATION_BYTES }).nullish();

/** Any object, which is not too deep. */
export const METADATA = z
  .record(z.string(), z.unknown())
  .refine((metadata) => !isTooDeep(metadata), TOO_DEEP)
  .nullish();

/** An annotation of a list. */
export function presentAnnotation(annotation: ListedAnnotation) {
  const { target, rowId, userRowId, label, score, explanation } = annotation;
  return {
    id: annotationIdOf(target, rowId),
    [TARGET_FIELDS[target]]: annotation.targetKey,
    name: annotation.name,
    annotator_kind: annotation.annotatorKind,
    result: { label, score, explanation },
    metadata: parseJson(annotation.metadata),
    identifier: annotation.identifier,
    source: annotation.source,
    user_id: userRowId === null ? null : formatGlobalId('User', userRowId),
    created_at: formatTimestamp(annotation.createdAtUs),
    updated_at: formatTimestamp(annotation.updatedAtUs),
  };
}
