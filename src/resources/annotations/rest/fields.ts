/** The fields of annotations in requests and answers. */
import { z } from 'zod';
import { WITHOUT_NUL } from '#api/rest/text-patterns';
import {
  ANNOTATOR_KINDS,
  MAX_ANNOTATIONS,
  MAX_ID_BYTES,
  MAX_INDEXED_BYTES,
  MAX_POSITION,
  type NewAnnotation,
  NO_POSITION,
} from '#domain/annotation';
import { ANNOTATION_NAME, EXPLANATION, LABEL, METADATA, SCORE } from '../present.ts';

/** Of each kind of target that has routes of its own for reading and deleting. */
export const LISTED_TARGETS = ['span', 'trace', 'session'] as const;

const TARGET_ID = z.string().meta({ pattern: WITHOUT_NUL, maxLength: MAX_ID_BYTES });
const SESSION_ID = z.string().meta({ pattern: WITHOUT_NUL });

/** What each annotation of a request says, whatever it is about. */
const SAID = {
  name: ANNOTATION_NAME,
  annotator_kind: z.enum(ANNOTATOR_KINDS),
  result: z.object({ label: LABEL, score: SCORE, explanation: EXPLANATION }).nullish(),
  metadata: METADATA,
};

const IDENTIFIER = z
  .string()
  .meta({ pattern: WITHOUT_NUL, maxLength: MAX_INDEXED_BYTES })
  .default('')
  .describe('Tells annotations of one name and target apart. The same one again replaces what it said before.');

const listOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item).max(MAX_ANNOTATIONS) });

/** Bodies that store annotations, by what they are about. */
export const STORE_BODIES = {
  span: listOf(z.object({ span_id: TARGET_ID, ...SAID, identifier: IDENTIFIER }).meta({ id: 'SpanAnnotationData' })),
  trace: listOf(z.object({ trace_id: TARGET_ID, ...SAID, identifier: IDENTIFIER }).meta({ id: 'TraceAnnotationData' })),
  session: listOf(
    z.object({ session_id: SESSION_ID, ...SAID, identifier: IDENTIFIER }).meta({ id: 'SessionAnnotationData' }),
  ),
  document: listOf(
    z
      .object({
        span_id: TARGET_ID,
        document_position: z
          .int()
          .min(0)
          .meta({ maximum: MAX_POSITION })
          .describe('Zero-based, among the documents that the span retrieved.'),
        ...SAID,
        identifier: z
          .string()
          .default('')
          .meta({ pattern: '^\\s*$' })
          .refine((text) => text.trim() === '', 'Annotations of documents have no identifier')
          .transform(() => ''),
      })
      .meta({ id: 'DocumentAnnotationData' }),
  ),
};

/** What a body says, but for its target. */
type Said = z.output<z.ZodObject<typeof SAID>> & { readonly identifier: string; readonly document_position?: number };

/** The annotation that an item of a body describes. */
export function toAnnotation(of: string, item: Said): NewAnnotation {
  const { name, identifier, annotator_kind: annotatorKind, result, metadata } = item;
  return {
    of,
    documentPosition: item.document_position ?? NO_POSITION,
    name,
    identifier,
    annotatorKind,
    label: result?.label ?? null,
    score: result?.score ?? null,
    explanation: result?.explanation ?? null,
    metadata: JSON.stringify(metadata ?? {}),
  };
}

/** An annotation of an answer, but for what names its target. */
export const ANNOTATION_FIELDS = {
  id: z.string(),
  name: z.string(),
  annotator_kind: z.enum(ANNOTATOR_KINDS),
  result: z.object({
    label: z.string().nullable(),
    score: z.number().nullable(),
    explanation: z.string().nullable(),
  }),
  metadata: z.record(z.string(), z.unknown()),
  identifier: z.string(),
  source: z.enum(['API', 'APP']),
  user_id: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
};
