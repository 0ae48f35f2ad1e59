/** Annotations as fields of what they are about. */
import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { toRowId } from '#api/graphql/nodes';
import { type Annotation, type AnnotationSource, type AnnotationTarget, NOTE_NAME } from '#domain/annotation';
import { annotationPolicy } from '../policy.ts';
import type { AnnotationLoad } from './types.ts';

/** Reading them is a question of its own for all objects of a page together. */
const ANNOTATIONS_COST = 3;

/** Adds the fields. */
export function addAnnotationsOfTargets(builder: Builder, load: AnnotationLoad): void {
  const filter = addFilter(builder);
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
      args: { sort: t.arg({ type: spanSort }), filter: t.arg({ type: filter }) },
      resolve: async ({ rowId }, args, context) =>
        sortAnnotations(select(await read(context, 'span', rowId), args.filter), args.sort ?? BY_NAME),
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
      args: { sort: t.arg({ type: traceSort }), filter: t.arg({ type: filter }) },
      resolve: async ({ rowId }, args, context) =>
        sortAnnotations(select(await read(context, 'trace', rowId), args.filter), args.sort ?? NEWEST_FIRST),
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

function addFilter(builder: Builder) {
  const condition = builder.inputType('AnnotationFilterCondition', {
    description: 'Conditions narrow each other; values of one are alternatives.',
    fields: (t) => ({
      names: t.stringList(),
      sources: t.field({ type: ['AnnotationSource'] }),
      userIds: t.field({
        type: ['ID'],
        required: { list: false, items: false },
        description: 'Null stands for annotations without a user.',
      }),
    }),
  });
  return builder.inputType('AnnotationFilter', {
    fields: (t) => ({ include: t.field({ type: condition }), exclude: t.field({ type: condition }) }),
  });
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

interface Condition {
  readonly names?: readonly string[] | null | undefined;
  readonly sources?: readonly AnnotationSource[] | null | undefined;
  readonly userIds?: readonly (string | null | undefined)[] | null | undefined;
}

interface Filter {
  readonly include?: Condition | null | undefined;
  readonly exclude?: Condition | null | undefined;
}

function select(annotations: readonly Annotation[], filter: Filter | null | undefined): readonly Annotation[] {
  const includes = filter?.include == null ? null : conditionsOf(filter.include);
  const excludes = filter?.exclude == null ? [] : conditionsOf(filter.exclude);
  return annotations.filter(
    (annotation) =>
      (includes ?? []).every((holds) => holds(annotation)) && !excludes.some((holds) => holds(annotation)),
  );
}

/** One for each list that is given; an empty list holds for none. */
function conditionsOf({ names, sources, userIds }: Condition): readonly ((annotation: Annotation) => boolean)[] {
  const conditions: ((annotation: Annotation) => boolean)[] = [];
  if (names != null) {
    const wanted = new Set(names);
    conditions.push(({ name }) => wanted.has(name));
  }
  if (sources != null) {
    const wanted = new Set(sources);
    conditions.push(({ source }) => wanted.has(source));
  }
  if (userIds != null) {
    const wanted = new Set(userIds.map((id) => (id == null ? null : toRowId('User', id))));
    conditions.push(({ userRowId }) => wanted.has(userRowId));
  }
  return conditions;
}
