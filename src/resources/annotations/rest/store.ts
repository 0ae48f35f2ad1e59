/** Routes that store annotations and notes. */
import { z } from 'zod';
import { NOT_BLANK, WITHOUT_NUL } from '#api/rest/text-patterns';
import { queryBoolean } from '#api/rest/query';
import { defineRoute, type Route, type RouteReply } from '#api/rest/route';
import { type AnnotationTarget, MAX_INDEXED_BYTES, type NewAnnotation } from '#domain/annotation';
import type { Caller } from '#domain/caller';
import {
  type AnnotationParts,
  storeAnnotations,
  storeAnnotationsLater,
  storeNote,
  toTargetKey,
} from '../operations.ts';
import { annotationPolicy } from '../policy.ts';
import { annotationIdOf, TARGET_FIELDS } from '../present.ts';
import { LISTED_TARGETS, STORE_BODIES, toAnnotation } from './fields.ts';

const STORED = {
  description: 'The ids, in the order of the annotations; empty where they are stored in the background.',
  contentType: 'application/json',
  schema: z.object({ data: z.array(z.object({ id: z.string() })) }),
};
const NOT_FOUND = { description: 'A target does not exist; nothing was stored.', contentType: 'text/plain' };
const RESERVED = { description: 'The name `note` is reserved.', contentType: 'text/plain' };

const SYNC = z.object({
  sync: queryBoolean()
    .default(false)
    .describe(
      'Whether the answer waits until the annotations are stored, which all targets must exist for. Otherwise the answer is 200 whether or not the targets exist: annotations wait for theirs for an hour, and are then given up, which the log and the ingest ledger say.',
    ),
});

/** Routes that store. */
export function storeRoutes(parts: AnnotationParts): readonly Route[] {
  const reply = async (
    caller: Caller,
    target: AnnotationTarget,
    isSync: boolean,
    annotations: readonly NewAnnotation[],
  ): Promise<RouteReply> => {
    if (!isSync) {
      await storeAnnotationsLater(caller, parts, target, annotations);
      return { body: { data: [] } };
    }
    const rowIds = await storeAnnotations(caller, parts, target, annotations);
    return { body: { data: rowIds.map((rowId) => ({ id: annotationIdOf(target, rowId) })) } };
  };
  const shared = {
    method: 'POST',
    access: annotationPolicy.store,
    query: SYNC,
    exactFields: ['metadata'],
    replies: { 200: STORED, 400: RESERVED, 404: NOT_FOUND },
  } as const;
  return [
    defineRoute({
      ...shared,
      path: '/v1/span_annotations',
      operationId: 'annotateSpans',
      summary: 'Annotate spans',
      tag: 'spans',
      body: STORE_BODIES.span,
      handler: ({ caller, query, body }) =>
        reply(
          caller,
          'span',
          query.sync,
          body.data.map((item) => toAnnotation(toTargetKey('span', item.span_id), item)),
        ),
    }),
    defineRoute({
      ...shared,
      path: '/v1/trace_annotations',
      operationId: 'annotateTraces',
      summary: 'Annotate traces',
      tag: 'traces',
      body: STORE_BODIES.trace,
      handler: ({ caller, query, body }) =>
        reply(
          caller,
          'trace',
          query.sync,
          body.data.map((item) => toAnnotation(toTargetKey('trace', item.trace_id), item)),
        ),
    }),
    defineRoute({
      ...shared,
      path: '/v1/session_annotations',
      operationId: 'annotateSessions',
      summary: 'Annotate sessions',
      tag: 'sessions',
      body: STORE_BODIES.session,
      handler: ({ caller, query, body }) =>
        reply(
          caller,
          'session',
          query.sync,
          body.data.map((item) => toAnnotation(toTargetKey('session', item.session_id), item)),
        ),
    }),
    defineRoute({
      ...shared,
      path: '/v1/document_annotations',
      operationId: 'annotateSpanDocuments',
      summary: 'Annotate documents that spans retrieved',
      tag: 'spans',
      body: STORE_BODIES.document,
      handler: ({ caller, query, body }) =>
        reply(
          caller,
          'document',
          query.sync,
          body.data.map((item) => toAnnotation(toTargetKey('document', item.span_id), item)),
        ),
    }),
    ...LISTED_TARGETS.map((target) => noteRoute(parts, target)),
  ];
}

function noteRoute(parts: AnnotationParts, target: (typeof LISTED_TARGETS)[number]): Route {
  const field = TARGET_FIELDS[target];
  const text = z.string().trim().min(1).meta({ pattern: NOT_BLANK });
  const data = z
    .object({
      [field]: text,
      note: text,
      identifier: z
        .string()
        .trim()
        .meta({ pattern: WITHOUT_NUL, maxLength: MAX_INDEXED_BYTES })
        .default('')
        .describe('If absent or empty, each call adds a note. Otherwise the note that has it is replaced.'),
    })
    .meta({ id: `${capitalized(target)}NoteData` });
  return defineRoute({
    method: 'POST',
    path: `/v1/${target}_notes`,
    operationId: `create${capitalized(target)}Note`,
    summary: `Add a note to a ${target}`,
    tag: `${target}s`,
    access: annotationPolicy.store,
    body: z.object({ data }),
    replies: {
      200: {
        description: 'The note was stored.',
        contentType: 'application/json',
        schema: z.object({ data: z.object({ id: z.string() }) }),
      },
      404: { description: `There is no such ${target}; nothing was stored.`, contentType: 'text/plain' },
    },
    handler: async ({ caller, body }) => {
      const said = NOTE.parse(body.data);
      // Its name depends on the target, which the type of the body does not tell.
      const of = toTargetKey(target, text.parse(new Map<string, unknown>(Object.entries(body.data)).get(field)));
      const rowId = await storeNote(caller, parts, target, { of, text: said.note, identifier: said.identifier });
      return { body: { data: { id: annotationIdOf(target, rowId) } } };
    },
  });
}

/** What every note says. */
const NOTE = z.object({ note: z.string(), identifier: z.string() });

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
