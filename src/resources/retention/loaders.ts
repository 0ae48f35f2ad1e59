/** Retention policies, read for all that an answer names at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { RetentionPolicy } from '#domain/retention';
import { findPolicies, findPoliciesOfProjects, type ReadHandle } from './queries.ts';

/** The loaders; `undefined` where there is nothing. */
export interface RetentionLoaders {
  readonly policy: RowLoader<RetentionPolicy>;
  readonly policyOfProject: RowLoader<RetentionPolicy>;
}

/** The loaders on a handle. */
export function createRetentionLoaders(read: ReadHandle): RetentionLoaders {
  return {
    policy: defineRowLoader((rowIds) => findPolicies(read, rowIds)),
    policyOfProject: defineRowLoader((rowIds) => findPoliciesOfProjects(read, rowIds)),
  };
}
