/** Finds the rows that a bulk action is about, part by part, in a reader's thread. */
import { parseFilter } from '#filter/parse-filter';
import type { Condition, FilterGrain } from '#filter/tree';
import { Budget } from '../query/budget.ts';
import { chooseSessions } from '../query/grains/search-sessions.ts';
import { chooseTraces } from '../query/grains/search-traces.ts';
import type { Place } from '../query/place.ts';
import { ofProject } from '../query/spans/batch-source.ts';
import { searchSpans } from '../query/spans/search-spans.ts';
import { conditionOf, narrowingOf } from '../query/spans/span-scope.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { findJobs } from '../jobs/job-rows.ts';
import type { BulkInput, BulkJob, BulkMatch, BulkProgress } from './bulk-action.ts';
import { findLastRank, shareOf } from './sample-rows.ts';

/** Part of the rows. */
export interface ChosenRows {
  readonly rowIds: readonly number[];
  /** After which place the rest is; `null` where there is none. */
  readonly next: Place | null;
}

/** What a bulk action has to do next. */
export type BulkPlan = { readonly job: BulkJob } & (
  | { readonly next: 'note'; readonly chosen: ChosenRows }
  /** Rows up to this rank are wanted. */
  | { readonly next: 'sample'; readonly lastRank: number }
  | { readonly next: 'act' }
  /** No other step can ever come of it. */
  | { readonly next: 'fail'; readonly fault: string }
);

/** Plans the next step of a job; `undefined` where nobody may work on it. */
export async function planBulkAction(scope: ReadScope, jobId: number): Promise<BulkPlan | undefined> {
  const [job] = await findJobs<BulkInput, BulkProgress>(scope, 'bulk', [jobId]);
  if (job?.projectRowId == null || job.state !== 'running') return undefined;
  const { phase, after, sampled } = job.progress;
  if (phase === 'acting') return { job, next: 'act' };
  if (phase === 'sampling') {
    return { job, next: 'sample', lastRank: sampled?.lastRank ?? (await findLastRank(scope, job)) };
  }
  const fault = findUnreadable(job.input);
  if (fault !== null) return { job, next: 'fail', fault };
  return { job, next: 'note', chosen: await chooseRows(scope, job.projectRowId, job.input, after) };
}

/** Filters were read when the action was asked for, maybe by another version of the program, whose language knew other words. */
function findUnreadable({ rows, matching }: BulkInput): string | null {
  const filters = [
    [rows, matching?.filter ?? ''],
    ['trace', matching?.traceFilter ?? ''],
  ] as const;
  const text = filters.find(
    ([grain, filter]) => !isBlank(filter) && parseFilter(grain, filter).condition === null,
  )?.[1];
  return text === undefined ? null : `This version cannot read the filter ${JSON.stringify(text)}.`;
}

/** The rows that match after a place, as many as a transaction can note. */
async function chooseRows(
  scope: ReadScope,
  projectRowId: number,
  input: BulkInput,
  after: Place | null,
): Promise<ChosenRows> {
  const { rows, matching, below } = input;
  if (matching === null) return { rowIds: [], next: null };
  const { places, next } = await CHOOSE[rows](scope, { ...matching, projectRowId, endRowId: below[rows] }, after);
  const except = new Set(matching.exceptRowIds);
  const found = places.map(({ rowId }) => rowId).filter((rowId) => rowId < below[rows] && !except.has(rowId));
  // Spans and sessions come by arrival: whatever follows the last that had arrived came later.
  const isPast = rows !== 'trace' && next !== null && next.rowId >= below[rows];
  return { rowIds: shareOf(input, found), next: isPast ? null : next };
}

/** Rows that are noted in one transaction. */
const ROWS_A_STEP = 2000;

/** How long a part is looked for, in milliseconds. */
const STEP_MS = 300;

type Choose = (
  scope: ReadScope,
  match: BulkMatch & { readonly projectRowId: number; readonly endRowId: number },
  after: Place | null,
) => Promise<{ readonly places: readonly Place[]; readonly next: Place | null }>;

const CHOOSE: Readonly<Record<BulkInput['rows'], Choose>> = {
  span: (scope, { filter, traceFilter, ...spans }, after) => {
    const which = { ...spans, condition: read('span', filter), traceCondition: read('trace', traceFilter) };
    const part = { column: null, direction: 'asc', limit: ROWS_A_STEP, after } as const;
    return searchSpans(scope, ofProject(which), conditionOf(which), part, narrowingOf(which));
  },
  trace: (scope, { filter, ...traces }, after) => {
    const which = { ...boundsOf(traces), condition: read('trace', filter) ?? EVERYTHING };
    return chooseTraces(scope, which, { after, limit: ROWS_A_STEP }, new Budget(STEP_MS));
  },
  session: (scope, { filter, ...sessions }, after) => {
    const which = { ...boundsOf(sessions), condition: read('session', filter) ?? EVERYTHING };
    return chooseSessions(scope, which, { after, limit: ROWS_A_STEP }, new Budget(STEP_MS));
  },
};

const EVERYTHING: Condition = { kind: 'constant', value: true };

function boundsOf({ projectRowId, startTimeUs, endTimeUs }: Omit<BulkMatch, 'filter'> & { projectRowId: number }) {
  return { projectRowId, startTimeUs, endTimeUs };
}

function read(grain: FilterGrain, text: string | null): Condition | undefined {
  if (text === null || isBlank(text)) return undefined;
  const { condition } = parseFilter(grain, text);
  // An action must not be about more than was meant.
  if (condition === null) throw new Error(`the filter of a bulk action cannot be read: ${text}`);
  return condition;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
