/** Retention policies, read for all that an answer names at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { RetentionPolicy } from '#domain/retention';
import type { Services } from '../slice.ts';
import { countProjectsByPolicy, findPolicies, findPoliciesOfProjects } from './queries.ts';

/** The loaders; `undefined` where there is nothing. */
export interface RetentionLoaders {
  readonly policy: RowLoader<RetentionPolicy>;
  readonly policyOfProject: RowLoader<RetentionPolicy>;
  /** How many projects a policy has; `undefined` without any. */
  readonly projectCount: RowLoader<number>;
}

/** The loaders on a handle. */
export function createRetentionLoaders(read: Services['read']): RetentionLoaders {
  return {
    policy: defineRowLoader((caller, rowIds) => findPolicies(read(caller), rowIds)),
    policyOfProject: defineRowLoader((caller, rowIds) => findPoliciesOfProjects(read(caller), rowIds)),
    projectCount: defineRowLoader((caller) => countProjectsByPolicy(read(caller))),
  };
}
