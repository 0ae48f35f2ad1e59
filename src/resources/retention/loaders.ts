/** Retention policies, read for all that an answer names at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { ForCaller } from '#domain/caller';
import type { RetentionPolicy, RetentionStore } from '#store/retention/port';

/** The loaders; `undefined` where there is nothing. */
export interface RetentionLoaders {
  readonly policy: RowLoader<RetentionPolicy>;
  readonly policyOfProject: RowLoader<RetentionPolicy>;
}

/** The loaders on a store. */
export function createRetentionLoaders(policies: ForCaller<RetentionStore>): RetentionLoaders {
  return {
    policy: defineRowLoader((caller, rowIds) => policies(caller).findPolicies(rowIds)),
    policyOfProject: defineRowLoader((caller, rowIds) => policies(caller).findPoliciesOfProjects(rowIds)),
  };
}
