/** When the entries of the price table were last needed. */
import type { Builder } from '#api/graphql/builder';
import { defineLoader } from '#api/graphql/loader';
import type { Caller, ForCaller } from '#domain/caller';
import type { AggregateAnswer, Aggregates, Dimension } from '#store/aggregates/port';
import { toPriceTable } from '#store/prices/load-price-table';
import { listCustomPrices } from '#store/prices/relational-prices';
import { relationalProjectBrowser } from '#store/projects/relational-projects';
import type { Services } from '../../slice.ts';
import { toSpanQuestion } from '../operations/questions.ts';
import { aggregatePolicy } from '../policy.ts';

/** What is read. */
interface UseParts {
  readonly aggregates: ForCaller<Aggregates>;
  readonly read: Services['read'];
}

/** Adds to models when they were last called. */
export function addModelUses(builder: Builder, parts: UseParts): void {
  // All models of an answer need one look through the projects.
  const loadLastUse = defineLoader(async (caller, rowIds: readonly number[]) => {
    const lastUses = await findLastUses(caller, parts);
    return rowIds.map((rowId) => lastUses.get(rowId) ?? null);
  });
  builder.objectField('GenerativeModel', 'lastUsedAt', (t) =>
    t.field({
      type: 'DateTime',
      nullable: true,
      access: aggregatePolicy.read,
      cost: LOOK_COST,
      description: `When the last call started that the price applies to, in the ${MAX_PROJECTS} projects of the latest activity, for the ${MAX_MODELS} models of each with the most calls; null where there was none.`,
      resolve: ({ rowId }, _args, context) => loadLastUse(context, rowId),
    }),
  );
}

/** Shared by the models of a page. */
const LOOK_COST = 5;

const MAX_PROJECTS = 50;
const MAX_MODELS = 100;

const MODEL: Dimension = { kind: 'attribute', path: 'llm.model_name', of: null };
const PROVIDER: Dimension = { kind: 'attribute', path: 'llm.provider', of: null };

/** Microseconds since 1970 by the row id of the price. */
async function findLastUses(caller: Caller, { aggregates, read }: UseParts): Promise<ReadonlyMap<number, number>> {
  const { db, dialect } = read(caller);
  const window = { offset: 0, limit: MAX_PROJECTS, sort: 'latest_trace', order: 'desc' } as const;
  const projects = await relationalProjectBrowser(db, dialect).browseProjects({}, window);
  const table = toPriceTable(await listCustomPrices(db));
  const lastUses = new Map<number, number>();
  // One after the other: each may take as long as a chart.
  for (const { rowId } of projects) {
    const { groups } = await aggregates(caller).aggregate({
      ...toSpanQuestion(rowId, {}),
      bucket: null,
      groupBy: [MODEL, PROVIDER],
      maxGroups: MAX_MODELS,
      measures: [{ kind: 'last_start' }],
    });
    for (const { name, provider, startUs } of toUses(groups)) {
      const price = table.find(name, provider, startUs);
      if (price !== undefined) lastUses.set(price.rowId, Math.max(lastUses.get(price.rowId) ?? startUs, startUs));
    }
  }
  return lastUses;
}

function toUses(groups: AggregateAnswer['groups']) {
  return groups.flatMap(({ key, values: [lastStarts] }) => {
    const [model, provider] = key ?? [];
    const startUs = lastStarts?.[0];
    if (typeof model?.value !== 'string' || startUs === undefined || Number.isNaN(startUs)) return [];
    return [{ name: model.value, provider: typeof provider?.value === 'string' ? provider.value : null, startUs }];
  });
}
