/** The models that cost most, and that use most tokens, as entries of the price table. */
import type { Builder, TimeRange } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { toRowId } from '#api/graphql/nodes';
import type { ModelPrice } from '#derive/cost/model-price';
import type { Dimension } from '#store/aggregates/port';
import { toPriceTable } from '#store/prices/load-price-table';
import { listCustomPrices } from '#store/prices/relational-prices';
import { COUNTED_MEASURES, NO_SUMS, toCountedSums } from '../../costs/operations.ts';
import { type CountedSums, summarizeSums } from '../../costs/present.ts';
import type { Services } from '../../slice.ts';
import type { AggregateLoaders } from '../loaders.ts';
import { toSpanQuestion } from '../operations/questions.ts';
import { aggregatePolicy } from '../policy.ts';
import { CHART_COST } from './arguments.ts';

/** What is read. */
interface ModelParts {
  readonly load: AggregateLoaders;
  readonly read: Services['read'];
}

/** A model with what its calls come to. */
interface UsedModel {
  readonly price: ModelPrice;
  readonly sums: CountedSums;
}

/** Adds them to projects, and what a model costs to models. */
export function addTopModels(builder: Builder, parts: ModelParts): void {
  /** What the models of a list cost in the range that the list is of. */
  const listed = new WeakMap<ModelPrice, CountedSums>();
  builder.objectFields('Project', (t) => {
    const top = (description: string, by: (sums: CountedSums) => number) =>
      t.field({
        type: ['GenerativeModel'],
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description: `For the spans that started in the range: ${description}. Models without a price are left out.`,
        args: { timeRange: t.arg({ type: 'TimeRange', required: true }) },
        resolve: async ({ rowId }, { timeRange }, context) => {
          const used = await findUsedModels(parts, context, rowId, timeRange);
          return used
            .filter(({ sums }) => by(sums) > 0)
            .toSorted((a, b) => by(b.sums) - by(a.sums))
            .map(({ price, sums }) => {
              // A row of its own, since another list may be of another range.
              const row = { ...price };
              listed.set(row, sums);
              return row;
            });
        },
      });
    return {
      topModelsByCost: top('the most expensive first', ({ costNanoUsd }) => costNanoUsd),
      topModelsByTokenCount: top(
        'those with the most tokens first',
        ({ promptTokenCount, completionTokenCount }) => promptTokenCount + completionTokenCount,
      ),
    };
  });
  builder.objectField('GenerativeModel', 'costSummary', (t) =>
    t.field({
      type: 'SpanCostSummary',
      cost: COST_OF_MODEL,
      description:
        'In a project and time range; within a list of top models, without arguments, in those of the list; otherwise nothing.',
      args: { projectId: t.arg.id(), timeRange: t.arg({ type: 'TimeRange' }) },
      resolve: async (model, { projectId, timeRange }, context) => {
        const inList = timeRange == null ? listed.get(model) : undefined;
        if (inList !== undefined || projectId == null) return summarizeSums(inList ?? NO_SUMS);
        const used = await findUsedModels(parts, context, toRowId('Project', projectId), timeRange);
        return summarizeSums(used.find(({ price }) => price.rowId === model.rowId)?.sums ?? NO_SUMS);
      },
    }),
  );
}

/** All models of an answer are read at once. */
const COST_OF_MODEL = 20;

const MODEL: Dimension = { kind: 'attribute', path: 'llm.model_name', of: null };
const PROVIDER: Dimension = { kind: 'attribute', path: 'llm.provider', of: null };

/** Models of one answer. */
const MAX_MODELS = 100;

/** The models of a project that have a price, those of most calls. */
async function findUsedModels(
  { load, read }: ModelParts,
  context: GraphqlContext,
  projectRowId: number,
  timeRange: TimeRange | null | undefined,
): Promise<readonly UsedModel[]> {
  const { groups } = await load.wholeAggregate(context, {
    ...toSpanQuestion(projectRowId, { timeRange }),
    bucket: null,
    groupBy: [MODEL, PROVIDER],
    maxGroups: MAX_MODELS,
    measures: COUNTED_MEASURES,
  });
  const table = toPriceTable(await listCustomPrices(read(context.caller).db));
  const atUs = timeRange?.end ?? Number.MAX_SAFE_INTEGER;
  const used = new Map<number, UsedModel>();
  for (const { key, values } of groups) {
    const [model, provider] = key ?? [];
    const price =
      typeof model?.value === 'string' ? table.find(model.value, toText(provider?.value), atUs - 1) : undefined;
    if (price === undefined) continue;
    const sums = toCountedSums(values.map((ofMeasure) => ofMeasure[0] ?? 0));
    const before = used.get(price.rowId)?.sums ?? NO_SUMS;
    used.set(price.rowId, { price, sums: addSums(before, sums) });
  }
  return [...used.values()];
}

function toText(value: string | number | boolean | null | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function addSums(a: CountedSums, b: CountedSums): CountedSums {
  return {
    promptTokenCount: a.promptTokenCount + b.promptTokenCount,
    completionTokenCount: a.completionTokenCount + b.completionTokenCount,
    costNanoUsd: a.costNanoUsd + b.costNanoUsd,
    promptCostNanoUsd: a.promptCostNanoUsd + b.promptCostNanoUsd,
    completionCostNanoUsd: a.completionCostNanoUsd + b.completionCostNanoUsd,
  };
}
