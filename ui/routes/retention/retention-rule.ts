/** Which traces a policy keeps, as fields of a form and in words. */
import { formatExact } from '#ui/lib/format.ts';

/** As the API gives and takes it; null: that it does not limit. */
export interface RetentionRule {
  readonly maxDays: number | null;
  readonly maxCount: number | null;
}

/** Every night, when few people wait for something. */
export const NIGHTLY = '0 3 * * *';

/** As the API answers it. */
export interface PolicyRule {
  readonly __typename: string;
  readonly maxDays?: number;
  readonly maxCount?: number;
}

/** The rule of a policy, of whichever of its three types it is. */
export function toRule(rule: PolicyRule): RetentionRule {
  return { maxDays: rule.maxDays ?? null, maxCount: rule.maxCount ?? null };
}

/** What was typed into the fields; empty where there is no limit. */
export interface RuleText {
  readonly days: string;
  readonly count: string;
}

/** The rule that two texts mean. Or why they mean none. */
export function readRule({ days, count }: RuleText): RetentionRule | { readonly fault: string } {
  const maxDays = readLimit(days);
  const maxCount = readLimit(count);
  if (maxDays === undefined)
    return { fault: 'Enter days as a number, such as 30 or 0.5. For no limit, enter 0 or leave the field empty.' };
  if (maxCount === undefined || (maxCount !== null && !(Number.isSafeInteger(maxCount) && maxCount <= MAX_COUNT)))
    return {
      fault: 'Enter traces as a whole number, such as 100,000. For no limit, enter 0 or leave the field empty.',
    };
  return { maxDays, maxCount };
}

/** The fields of a rule. */
export function writeRule({ maxDays, maxCount }: RetentionRule): RuleText {
  const write = (limit: number | null) => (limit === null || limit === 0 ? '' : String(limit));
  return { days: write(maxDays), count: write(maxCount) };
}

/** `30 days, at most 1,000 traces`; `everything`. */
export function describeRule({ maxDays, maxCount }: RetentionRule): string {
  const parts = [
    ...(maxDays === null || maxDays === 0 ? [] : [`${formatExact(maxDays)} ${maxDays === 1 ? 'day' : 'days'}`]),
    ...(maxCount === null || maxCount === 0
      ? []
      : [`at most ${formatExact(maxCount)} ${maxCount === 1 ? 'trace' : 'traces'}`]),
  ];
  return parts.length === 0 ? 'everything' : parts.join(', ');
}

/** The rule as the input of a mutation; no limit at all is 0 days, which keep everything. */
export function toRuleInput({ maxDays, maxCount }: RetentionRule) {
  if (maxCount === null) return { maxDays: { maxDays: maxDays ?? 0 } };
  return maxDays === null ? { maxCount: { maxCount } } : { maxDaysOrCount: { maxDays, maxCount } };
}

/** The API's integers end there. */
const MAX_COUNT = 2_147_483_647;

/** Null: no limit, which 0 is to the API, too. */
function readLimit(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!/^(?:\d{1,3}(?:,\d{3})+|\d{1,10})(?:\.\d{1,6})?$/.test(trimmed)) return undefined;
  const limit = Number(trimmed.replaceAll(',', ''));
  return limit === 0 ? null : limit;
}
