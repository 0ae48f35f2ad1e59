/** Retention policies, read for all that an answer names at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { RetentionPolicy, RetentionStore } from '#store/retention/port';

/** The loaders; `undefined` where there is nothing. */
export interface RetentionLoaders {
  readonly policy: RowLoader<RetentionPolicy>;
  readonly policyOfProject: RowLoader<RetentionPolicy>;
}

/** The loaders on a store. */
export function createRetentionLoaders(policies: RetentionStore): RetentionLoaders {
  return {
    policy: defineRowLoader((rowIds) => policies.findPolicies(rowIds)),
    policyOfProject: defineRowLoader((rowIds) => policies.findPoliciesOfProjects(rowIds)),
  };
}
