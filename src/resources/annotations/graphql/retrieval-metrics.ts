/** How well a span retrieved its documents, by what models say of them. */
import type { Builder } from '#api/graphql/builder';
import { loadOrThrow } from '#api/graphql/row-loader';
import type { Annotation } from '#domain/annotation';
import { hit, ndcg, precision, reciprocalRank, scoresByPosition } from '#domain/retrieval-metrics';
import { annotationPolicy } from '../policy.ts';
import type { AnnotationLoad } from './types.ts';

/** Scores of one name, by the position of the document. */
interface Scored {
  readonly name: string;
  readonly scores: readonly number[];
}

declare module '#api/graphql/builder' {
  interface ObjectRows {
    DocumentRetrievalMetrics: Scored;
  }
}

/** Opening the original of the span, which says how many documents there are. */
const METRICS_COST = 10;

/** Adds the field and its type. */
export function addRetrievalMetrics(builder: Builder, load: AnnotationLoad): void {
  builder.objectType('DocumentRetrievalMetrics', {
    access: annotationPolicy.read,
    description: 'By the scores of annotations of kind LLM; a document without a score has 0.',
    fields: (t) => ({
      evaluationName: t.exposeString('name'),
      ndcg: t.float({
        nullable: true,
        description: 'Null if a score is negative.',
        args: { k: t.arg.int({ description: 'Ranks that count; all unless given.' }) },
        resolve: ({ scores }, { k }) => ndcg(scores, k),
      }),
      precision: t.float({
        nullable: true,
        args: { k: t.arg.int({ description: 'Ranks that count; all unless given.' }) },
        resolve: ({ scores }, { k }) => precision(scores, k),
      }),
      reciprocalRank: t.float({ nullable: true, resolve: ({ scores }) => reciprocalRank(scores) }),
      hit: t.float({ nullable: true, resolve: ({ scores }) => hit(scores) }),
    }),
  });
  builder.objectField('Span', 'documentRetrievalMetrics', (t) =>
    t.field({
      type: ['DocumentRetrievalMetrics'],
      access: annotationPolicy.read,
      cost: METRICS_COST,
      description: 'One for each name of an evaluation, by name.',
      args: { evaluationName: t.arg.string() },
      resolve: async ({ rowId }, { evaluationName }, context) => {
        const annotations = (await load.annotationsOf.document(context, rowId)) ?? [];
        const scored = annotations.filter(
          ({ name, annotatorKind, score }) =>
            annotatorKind === 'LLM' && score !== null && (evaluationName == null || name === evaluationName),
        );
        if (scored.length === 0) return [];
        const loadReport = (known: typeof context, key: number) => load.spanPart(known, { rowId: key, part: 'report' });
        const documentCount = (await loadOrThrow(loadReport, context, rowId)).report?.documentCount ?? 0;
        return scoresByName(scored, documentCount);
      },
    }),
  );
}

/** Of several annotations of one document, the latest counts. */
function scoresByName(annotations: readonly Annotation[], documentCount: number): Scored[] {
  const byName = Map.groupBy(annotations, ({ name }) => name);
  return [...byName]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, ofName]) => {
      const scored = ofName
        .toSorted((a, b) => a.updatedAtUs - b.updatedAtUs)
        .map(({ documentPosition: position, score }) => ({ position, score }));
      return { name, scores: scoresByPosition(scored, documentCount) };
    });
}
