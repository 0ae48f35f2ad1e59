/** What resolvers of costs wait for, read for all rows of an answer at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { ForCaller } from '#domain/caller';
import type { CostDetailSum, CostReader } from '#store/spans/cost-port';

/** Values are `undefined` where nothing that counts has a price. */
export interface CostLoaders {
  readonly traceCostDetails: RowLoader<readonly CostDetailSum[]>;
  readonly sessionCostDetails: RowLoader<readonly CostDetailSum[]>;
  /** By span row id. */
  readonly subtreeCostDetails: RowLoader<readonly CostDetailSum[]>;
}

/** The loaders on a store. */
export function createCostLoaders(costs: ForCaller<CostReader>): CostLoaders {
  return {
    traceCostDetails: defineRowLoader((caller, rowIds) => costs(caller).readTraceCostDetails(rowIds)),
    sessionCostDetails: defineRowLoader((caller, rowIds) => costs(caller).readSessionCostDetails(rowIds)),
    subtreeCostDetails: defineRowLoader((caller, rowIds) => costs(caller).readSubtreeCostDetails(rowIds)),
  };
}
