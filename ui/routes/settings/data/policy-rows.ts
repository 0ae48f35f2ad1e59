/** Policies as the page shows them. */
import { DEFAULT_POLICY_ROW_ID } from '#domain/retention';
import { type PolicyRule, toRule } from '../../retention/retention-rule.ts';
import type { EditedPolicy } from './policy-form.ts';

/** A row of the table. */
export interface PolicyRow extends EditedPolicy {
  readonly projectCount: number;
}

/** A policy as the API answers it. */
export interface AnsweredPolicy {
  readonly id: string;
  readonly name: string;
  readonly cronExpression: unknown;
  readonly projectCount: number;
  readonly rule: PolicyRule;
}

/** The global id of the policy that all projects without another one have. */
const DEFAULT_POLICY_ID = btoa(`ProjectTraceRetentionPolicy:${DEFAULT_POLICY_ROW_ID}`);

/** A policy as the API answers it, as a row. */
export function toPolicyRow({ id, name, cronExpression, projectCount, rule }: AnsweredPolicy): PolicyRow {
  return {
    id,
    name,
    cron: String(cronExpression),
    projectCount,
    rule: toRule(rule),
    isDefault: id === DEFAULT_POLICY_ID,
  };
}
