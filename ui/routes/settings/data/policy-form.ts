/** A retention policy as the fields of a form. */
import { parseSchedule } from '#domain/schedule';
import { NIGHTLY, readRule, type RetentionRule, toRuleInput, writeRule } from '../../retention/retention-rule.ts';

/** Schedules that are offered by name. */
export const SCHEDULES = [
  { id: NIGHTLY, label: 'Daily at 03:00 UTC' },
  { id: '0 0 * * 0', label: 'Sundays at 00:00 UTC' },
  { id: '0 * * * *', label: 'Every hour' },
] as const;

/** Stands for a schedule that is none of {@link SCHEDULES}. */
export const OWN_SCHEDULE = 'own';

/** A policy that is changed. */
export interface EditedPolicy {
  readonly id: string;
  readonly name: string;
  readonly cron: string;
  readonly rule: RetentionRule;
  /** Whether it is that of all projects without another one. */
  readonly isDefault: boolean;
}

/** What stands in the fields. */
export interface PolicyText {
  readonly name: string;
  readonly days: string;
  readonly count: string;
  /** One of {@link SCHEDULES}, or {@link OWN_SCHEDULE}. */
  readonly schedule: string;
  /** Read only for {@link OWN_SCHEDULE}. */
  readonly cron: string;
}

/** The fields of a policy; those of a new one without. */
export function writePolicy(policy: EditedPolicy | undefined): PolicyText {
  if (policy === undefined) return { name: '', days: '30', count: '', schedule: NIGHTLY, cron: NIGHTLY };
  const { name, cron, rule } = policy;
  const schedule = SCHEDULES.find(({ id }) => id === cron)?.id ?? OWN_SCHEDULE;
  return { name, ...writeRule(rule), schedule, cron };
}

/** A field, and what is wrong with what was typed. */
export interface PolicyFault {
  readonly field: 'name' | 'rule' | 'cron';
  readonly text: string;
}

/** What the server is sent; or the first fault. */
export function readPolicy({ name, days, count, schedule, cron }: PolicyText) {
  if (name.trim() === '') return { fault: { field: 'name', text: 'Enter a name.' } as PolicyFault };
  const rule = readRule({ days, count });
  if ('fault' in rule) return { fault: { field: 'rule', text: rule.fault } as PolicyFault };
  const cronExpression = schedule === OWN_SCHEDULE ? cron.trim() : schedule;
  if (parseSchedule(cronExpression) === undefined)
    return {
      fault: {
        field: 'cron',
        text: 'Enter hours and weekdays, such as 0 3 * * 1-5: the minute is 0, day and month are *.',
      } as PolicyFault,
    };
  return { input: { name: name.trim(), cronExpression, rule: toRuleInput(rule) } };
}

/** What is to be added and removed, so that the projects of a policy are these. */
export function changeProjects(
  before: readonly { readonly id: string }[],
  after: readonly { readonly id: string }[],
): { readonly addProjects: string[]; readonly removeProjects: string[] } {
  const isIn = (list: readonly { readonly id: string }[], id: string) => list.some((one) => one.id === id);
  return {
    addProjects: after.filter(({ id }) => !isIn(before, id)).map(({ id }) => id),
    removeProjects: before.filter(({ id }) => !isIn(after, id)).map(({ id }) => id),
  };
}
