/** Annotations as fields of what they are about. */
import { addAnnotationFilter, toAnnotationFilter } from '#api/graphql/annotation-filter';
import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { type Annotation, type AnnotationTarget, NOTE_NAME } from '#domain/annotation';
import { toPredicate } from '#domain/annotation-filter';
import { annotationPolicy } from '../policy.ts';
import type { AnnotationLoad } from './types.ts';

/** Reading them is a question of its own for all objects of a page together. */
const ANNOTATIONS_COST = 3;

/** Adds the fields. */
export function addAnnotationsOfTargets(builder: Builder, load: AnnotationLoad): void {
  addAnnotationFilter(builder);
  const [spanSort, traceSort] = (['SpanAnnotation', 'TraceAnnotation'] as const).map((name) => addSort(builder, name));
  if (spanSort === undefined || traceSort === undefined) return;
  const read = async (context: GraphqlContext, target: AnnotationTarget, rowId: number) =>
    (await load.annotationsOf[target](context, rowId)) ?? [];
  builder.objectFields('Span', (t) => ({
    spanAnnotations: t.field({
      type: ['SpanAnnotation'],
      access: annotationPolicy.read,
      cost: ANNOTATIONS_COST,
      description: 'By name unless sorted; with notes.',
      args: { sort: t.arg({ type: spanSort }), filter: t.arg({ type: 'AnnotationFilter' }) },
      resolve: async ({ rowId }, args, context) =>
        sortAnnotations(
          (await read(context, 'span', rowId)).filter(toPredicate(toAnnotationFilter(args.filter))),
          args.sort ?? BY_NAME,
        ),
    }),
    spanNotes: t.field({
      type: ['SpanAnnotation'],
      access: annotationPolicy.read,
      cost: ANNOTATIONS_COST,
      description: 'Notes alone, oldest first.',
      resolve: async ({ rowId }, _args, context) =>
        (await read(context, 'span', rowId)).filter(({ name }) => name === NOTE_NAME),
    }),
    documentEvaluations: t.field({
      type: ['DocumentAnnotation'],
      access: annotationPolicy.read,
      cost: ANNOTATIONS_COST,
      description: 'Annotations of the documents that the span retrieved, by position.',
      resolve: async ({ rowId }, _args, context) =>
        (await read(context, 'document', rowId)).toSorted((a, b) => a.documentPosition - b.documentPosition),
    }),
  }));
  builder.objectField('Trace', 'traceAnnotations', (t) =>
    t.field({
      type: ['TraceAnnotation'],
      access: annotationPolicy.read,
      cost: ANNOTATIONS_COST,
      description: 'Newest first unless sorted; with notes.',
      args: { sort: t.arg({ type: traceSort }), filter: t.arg({ type: 'AnnotationFilter' }) },
      resolve: async ({ rowId }, args, context) =>
        sortAnnotations(
          (await read(context, 'trace', rowId)).filter(toPredicate(toAnnotationFilter(args.filter))),
          args.sort ?? NEWEST_FIRST,
        ),
    }),
  );
  builder.objectField('ProjectSession', 'sessionAnnotations', (t) =>
    t.field({
      type: ['ProjectSessionAnnotation'],
      access: annotationPolicy.read,
      cost: ANNOTATIONS_COST,
      description: 'Oldest first; with notes.',
      resolve: async ({ rowId }, _args, context) => [...(await read(context, 'session', rowId))],
    }),
  );
}

function addSort(builder: Builder, name: 'SpanAnnotation' | 'TraceAnnotation') {
  const column = builder.enumType(`${name}Column`, { values: ['createdAt', 'name'] as const });
  return builder.inputType(`${name}Sort`, {
    fields: (t) => ({
      col: t.field({ type: column, required: true }),
      dir: t.field({ type: 'SortDir', required: true }),
    }),
  });
}

interface AnnotationSort {
  readonly col: 'createdAt' | 'name';
  readonly dir: 'asc' | 'desc';
}

const BY_NAME: AnnotationSort = { col: 'name', dir: 'asc' };
const NEWEST_FIRST: AnnotationSort = { col: 'createdAt', dir: 'desc' };

function sortAnnotations(annotations: readonly Annotation[], { col, dir }: AnnotationSort): Annotation[] {
  const sign = dir === 'asc' ? 1 : -1;
  return annotations.toSorted((a, b) => {
    const order = col === 'name' ? compareTexts(a.name, b.name) : a.createdAtUs - b.createdAtUs;
    return sign * (order === 0 ? a.rowId - b.rowId : order);
  });
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
