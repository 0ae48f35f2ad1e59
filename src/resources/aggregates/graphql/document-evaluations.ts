/** How well the spans of a project retrieved their documents, by what models say of these. */
import type { Builder } from '#api/graphql/builder';
import { hit, ndcg, precision, reciprocalRank } from '#domain/retrieval-metrics';
import type { AggregateLoaders } from '../loaders.ts';
import { toSpanQuestion } from '../operations/questions.ts';
import { aggregatePolicy } from '../policy.ts';
import { FILTER_DESCRIPTION } from './arguments.ts';

/** One list of scores for each span. */
interface Evaluations {
  readonly name: string;
  readonly scores: readonly (readonly number[])[];
}

declare module '#api/graphql/builder' {
  interface ObjectRows {
    DocumentEvaluationSummary: Evaluations;
  }
}

/** It opens the original of every span that was evaluated, which says how many documents there are. */
const EVALUATION_COST = 200;

/** Adds them to projects. */
export function addDocumentEvaluations(builder: Builder, load: Pick<AggregateLoaders, 'wholeDocuments'>): void {
  addType(builder);
  builder.objectField('Project', 'documentEvaluationSummary', (t) =>
    t.field({
      type: 'DocumentEvaluationSummary',
      nullable: true,
      access: aggregatePolicy.read,
      cost: EVALUATION_COST,
      description: 'Of the spans in the range that match; null if none of them has such an annotation.',
      args: {
        evaluationName: t.arg.string({ required: true }),
        timeRange: t.arg({ type: 'TimeRange' }),
        filterCondition: t.arg.string({ description: FILTER_DESCRIPTION }),
      },
      resolve: async ({ rowId }, { evaluationName: name, ...args }, context) => {
        const { scores } = await load.wholeDocuments(context, { ...toSpanQuestion(rowId, args), name });
        return scores.length === 0 ? null : { name, scores };
      },
    }),
  );
}

function addType(builder: Builder): void {
  const ranks = 'Ranks that count; all unless given.';
  builder.objectType('DocumentEvaluationSummary', {
    access: aggregatePolicy.read,
    description:
      'Means over spans, by the scores of annotations of kind LLM; a document without a score has 0. A count is the number of spans in the mean.',
    fields: (t) => ({
      evaluationName: t.exposeString('name'),
      averageNdcg: t.float({
        nullable: true,
        description: 'Spans with a negative score are left out.',
        args: { k: t.arg.int({ description: ranks }) },
        resolve: ({ scores }, { k }) => mean(measure(scores, (ofSpan) => ndcg(ofSpan, k))),
      }),
      countNdcg: t.int({
        args: { k: t.arg.int({ description: ranks }) },
        resolve: ({ scores }, { k }) => measure(scores, (ofSpan) => ndcg(ofSpan, k)).length,
      }),
      averagePrecision: t.float({
        nullable: true,
        description: 'Spans without documents are left out.',
        args: { k: t.arg.int({ description: ranks }) },
        resolve: ({ scores }, { k }) => mean(measure(scores, (ofSpan) => precision(ofSpan, k))),
      }),
      countPrecision: t.int({
        args: { k: t.arg.int({ description: ranks }) },
        resolve: ({ scores }, { k }) => measure(scores, (ofSpan) => precision(ofSpan, k)).length,
      }),
      meanReciprocalRank: t.float({
        nullable: true,
        resolve: ({ scores }) => mean(measure(scores, reciprocalRank)),
      }),
      countReciprocalRank: t.int({ resolve: ({ scores }) => scores.length }),
      hitRate: t.float({ nullable: true, resolve: ({ scores }) => mean(measure(scores, hit)) }),
      countHit: t.int({ resolve: ({ scores }) => scores.length }),
    }),
  });
}

/** The values of the spans that have one. */
function measure(
  scores: Evaluations['scores'],
  valueOf: (ofSpan: readonly number[]) => number | null,
): readonly number[] {
  return scores.flatMap((ofSpan) => valueOf(ofSpan) ?? []);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
