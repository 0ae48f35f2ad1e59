/** For how long the traces of projects are kept. */
import { AppError } from '#base/errors';
import { parseSchedule } from './schedule.ts';

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
  /** See `schedule.ts`. */
  readonly cron: string;
}

/** The policy of projects that have none of their own. */
export const DEFAULT_POLICY_ROW_ID = 0;

/** What people say of a policy; what is left out keeps its value. */
export interface PolicyChange {
  readonly name?: string | undefined;
  readonly cron?: string | undefined;
  readonly rule?: RetentionRule | undefined;
}

/** The values that the change sets. @throws AppError `invalid_argument` with the first fault */
export function checkPolicyChange({ name, cron, rule }: PolicyChange): Partial<Omit<RetentionPolicy, 'rowId'>> {
  return {
    ...(name !== undefined && { name: checkName(name) }),
    ...(cron !== undefined && { cron: checkCron(cron) }),
    ...(rule !== undefined && checkRule(rule)),
  };
}

/** All values of a new policy. @throws AppError `invalid_argument` with the first fault */
export function checkNewPolicy({ name, cron, rule }: Required<PolicyChange>): Omit<RetentionPolicy, 'rowId'> {
  return {
    name: checkName(name ?? ''),
    cron: checkCron(cron ?? ''),
    ...checkRule(rule ?? { maxDays: null, maxCount: null }),
  };
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH) {
    throw new AppError('invalid_argument', `A policy needs a name of at most ${MAX_NAME_LENGTH} characters.`);
  }
  if (UNPRINTABLE.test(trimmed)) {
    throw new AppError('invalid_argument', 'The name of a policy cannot have control characters.');
  }
  return trimmed;
}

const MAX_NAME_LENGTH = 200;

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

function checkCron(cron: string): string {
  const trimmed = cron.trim();
  if (parseSchedule(trimmed) === undefined) throw new AppError('invalid_argument', INVALID_CRON);
  return trimmed;
}

/** What a cron expression is. */
export const INVALID_CRON =
  'A schedule is a cron expression whose minute is 0 and whose day and month are *, such as 0 3 * * 0: hours and weekdays in UTC.';

function checkRule({ maxDays, maxCount }: RetentionRule): RetentionRule {
  if (maxDays !== null && !(maxDays >= 0 && maxDays <= MAX_DAYS)) {
    throw new AppError('invalid_argument', `Days are between 0, which keeps everything, and ${MAX_DAYS}.`);
  }
  if (maxCount !== null && !(maxCount >= 0)) {
    throw new AppError('invalid_argument', 'A number of traces is 0, which keeps all traces, or more.');
  }
  return { maxDays, maxCount };
}

/** A hundred years. */
const MAX_DAYS = 36_525;
