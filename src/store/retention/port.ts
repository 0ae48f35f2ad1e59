/** For how long the traces of projects are kept. */

/** Which traces stay. Where both are given, a trace goes that either of them lets go. */
export interface RetentionRule {
  /** Traces that started within so many days; 0 for all, `null` where age does not matter. */
  readonly maxDays: number | null;
  /** So many traces that started last; 0 for all, `null` where their number does not matter. */
  readonly maxCount: number | null;
}

/** A rule, and when it is applied. */
export interface RetentionPolicy extends RetentionRule {
  readonly rowId: number;
  readonly name: string;
  /** See `domain/schedule.ts`. */
  readonly cron: string;
}

/** The policy of projects that have none of their own. */
export const DEFAULT_POLICY_ROW_ID = 0;

/** Reads policies. */
export interface RetentionStore {
  countPolicies(): Promise<number>;
  /** In order of their rows. */
  listPolicies(window: { readonly offset: number; readonly limit: number }): Promise<readonly RetentionPolicy[]>;
  findPolicies(rowIds: readonly number[]): Promise<ReadonlyMap<number, RetentionPolicy>>;
  /** By row id of the project; the default one of those that have none of their own. */
  findPoliciesOfProjects(projectRowIds: readonly number[]): Promise<ReadonlyMap<number, RetentionPolicy>>;
  countProjectsOf(policyRowId: number): Promise<number>;
  /** Row ids, ascending. */
  listProjectsOf(
    policyRowId: number,
    window: { readonly offset: number; readonly limit: number },
  ): Promise<readonly number[]>;
}

/** Changes policies. A policy that was changed is applied when it is due the next time. */
export interface RetentionWriter {
  createPolicy(policy: Omit<RetentionPolicy, 'rowId'>): Promise<RetentionPolicy>;
  /** `undefined` where there is none. */
  patchPolicy(rowId: number, change: Partial<Omit<RetentionPolicy, 'rowId'>>): Promise<RetentionPolicy | undefined>;
  /** Its projects have the default policy then; `undefined` where there is none. */
  deletePolicy(rowId: number): Promise<RetentionPolicy | undefined>;
  /** Gives projects that policy. */
  assignPolicy(policyRowId: number, projectRowIds: readonly number[]): Promise<void>;
}
