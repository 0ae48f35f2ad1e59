/** The types of annotations: one for each kind of target, and what they share. */
import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { loadOrThrow } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import { formatGlobalId } from '#base/global-id';
import { parseJson } from '#base/json';
import {
  ANNOTATION_TYPES,
  ANNOTATOR_KINDS,
  type Annotation,
  type AnnotationSource,
  type AnnotatorKind,
} from '#domain/annotation';
import type { TypeServices } from '../../slice.ts';
import type { AnnotationLoaders } from '../loaders.ts';
import { annotationPolicy } from '../policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    SpanAnnotation: Annotation;
    TraceAnnotation: Annotation;
    ProjectSessionAnnotation: Annotation;
    DocumentAnnotation: Annotation;
  }
  interface InterfaceRows {
    Annotation: Annotation;
  }
  interface EnumValues {
    AnnotatorKind: AnnotatorKind;
    AnnotationSource: AnnotationSource;
  }
}

/** What annotations lead to. */
export type AnnotationLoad = AnnotationLoaders & TypeServices['load'];

/** Adds them, with their ids. */
export function addTypes({ builder, nodes }: SchemaKit, load: AnnotationLoad): void {
  builder.enumType('AnnotatorKind', { values: ANNOTATOR_KINDS });
  builder.enumType('AnnotationSource', { values: ['API', 'APP'] as const });
  for (const target of ['span', 'trace', 'session', 'document'] as const) {
    nodes.add(ANNOTATION_TYPES[target], load.annotation[target]);
  }
  addInterface(builder);
  addObjects(builder, load);
}

function addInterface(builder: Builder): void {
  builder.interfaceType('Annotation', {
    description:
      'What a person or a program says of something. A note is an annotation with the name note, its text in explanation.',
    resolveType: ({ target }) => ANNOTATION_TYPES[target],
    fields: (t) => ({
      name: t.exposeString('name'),
      annotatorKind: t.expose('annotatorKind', { type: 'AnnotatorKind' }),
      label: t.exposeString('label', { nullable: true }),
      score: t.exposeFloat('score', { nullable: true }),
      explanation: t.exposeString('explanation', { nullable: true }),
      metadata: t.field({ type: 'JSON', resolve: readMetadata }),
      source: t.expose('source', { type: 'AnnotationSource' }),
      identifier: t.exposeString('identifier', {
        description: 'Tells annotations of one name apart; empty unless there are several.',
      }),
      createdAt: t.expose('createdAtUs', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAtUs', { type: 'DateTime' }),
    }),
  });
}

/** The object, which is counted as the text that it was. */
function readMetadata({ metadata }: Annotation, _args: object, { allowance }: GraphqlContext) {
  return parseJson(allowance.takeText(metadata));
}

function addObjects(builder: Builder, load: AnnotationLoad): void {
  const access = annotationPolicy.read;
  const interfaces = ['Node', 'Annotation'] as const;
  builder.interfaceField('Annotation', 'user', (t) =>
    t.field({
      type: 'User',
      nullable: true,
      description: 'Null for programs without an account of their own, and for accounts that were deleted.',
      resolve: ({ userRowId }, _args, context) => (userRowId === null ? null : load.author(context, userRowId)),
    }),
  );
  builder.objectType('SpanAnnotation', {
    access,
    interfaces: [...interfaces],
    fields: (t) => ({
      spanId: t.id({ resolve: ({ targetRowId }) => formatGlobalId('Span', targetRowId) }),
      span: t.field({
        type: 'Span',
        resolve: ({ targetRowId }, _args, context) => loadOrThrow(load.span, context, targetRowId),
      }),
    }),
  });
  builder.objectType('TraceAnnotation', {
    access,
    interfaces: [...interfaces],
    fields: (t) => ({
      trace: t.field({
        type: 'Trace',
        resolve: ({ targetRowId }, _args, context) => loadOrThrow(load.trace, context, targetRowId),
      }),
    }),
  });
  builder.objectType('ProjectSessionAnnotation', {
    access,
    interfaces: [...interfaces],
    fields: (t) => ({
      projectSessionId: t.id({ resolve: ({ targetRowId }) => formatGlobalId('ProjectSession', targetRowId) }),
      projectSession: t.field({
        type: 'ProjectSession',
        resolve: ({ targetRowId }, _args, context) => loadOrThrow(load.session, context, targetRowId),
      }),
    }),
  });
  builder.objectType('DocumentAnnotation', {
    access,
    interfaces: [...interfaces],
    fields: (t) => ({
      documentPosition: t.exposeInt('documentPosition', {
        description: 'Zero-based, in the list that the span retrieved.',
      }),
      span: t.field({
        type: 'Span',
        resolve: ({ targetRowId }, _args, context) => loadOrThrow(load.span, context, targetRowId),
      }),
    }),
  });
}
