/** Finds what has arrived for the rules of review queues, part by part, in a reader's thread. */
import type { QueueTarget } from '#domain/annotation-queue';
import { isSampled } from '#domain/sample';
import { parseFilter } from '#filter/parse-filter';
import type { Condition } from '#filter/tree';
import { TARGET_TABLES } from '../records/shown-target.ts';
import { compileForSessions } from '../query/grains/sessions.ts';
import { readSessionsById } from '../query/grains/session-steps.ts';
import { readTracesById } from '../query/grains/trace-steps.ts';
import { compileForTraces } from '../query/grains/traces.ts';
import { matchingRows } from '../query/matching-rows.ts';
import { prepareFilter } from '../query/prepare-filter.ts';
import type { QueryScope } from '../queries/prepared-query.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';

/** Part of what has arrived for a rule. */
export interface RuleStep {
  readonly ruleRowId: number;
  /** Where the rule was when it was looked at. */
  readonly afterRowId: number;
  /** Rows below this one were looked at. */
  readonly upToRowId: number;
  /** Those of them that the queue is to have. */
  readonly rowIds: readonly number[];
  /** Why there are none. */
  readonly error: string | null;
}

/** Rules that have something to look at, oldest first. Index: the primary key of all three. */
export async function findDueRules({ db }: Pick<QueryScope, 'db'>): Promise<readonly number[]> {
  const nextRowIds = await db.selectFrom('row_ids').selectAll().execute();
  const next = new Map<string, number>(nextRowIds.map((row) => [row.table_name, row.next_id]));
  const rules = await selectRules(db).orderBy('annotation_queue_rules.id').execute();
  return rules
    .filter(
      ({ target, after_row_id: after, before_row_id: before }) =>
        after < before || before < (next.get(TARGET_TABLES[target]) ?? 0),
    )
    .map(({ id }) => id);
}

/** The next step of a rule; `undefined` where it is gone. Index: as {@link listArrived}, and what the filter takes. */
export async function planRuleStep(scope: ReadScope, ruleRowId: number): Promise<RuleStep | undefined> {
  const rule = await selectRules(scope.db).where('annotation_queue_rules.id', '=', ruleRowId).executeTakeFirst();
  if (rule === undefined) return undefined;
  const { target, queue_id: queueRowId, project_id: projectRowId, filter } = rule;
  const [afterRowId, beforeRowId] = [rule.after_row_id, rule.before_row_id];
  const step = { ruleRowId, afterRowId, upToRowId: beforeRowId, rowIds: [], error: null };
  if (afterRowId >= beforeRowId) return step;
  const condition = filter === null ? null : parseFilter(target, filter).condition;
  if (filter !== null && condition === null) {
    return { ...step, error: `This version cannot read the filter ${JSON.stringify(filter)}.` };
  }
  const arrived = await listArrived(scope, target, projectRowId, { fromRowId: afterRowId, endRowId: beforeRowId });
  const isLast = arrived.length < ROWS_A_STEP;
  const upToRowId = isLast ? beforeRowId : (arrived.at(-1) ?? 0) + 1;
  const sampled = arrived.filter((rowId) => isSampled(queueRowId, rowId, rule.sample_percent));
  if (condition === null || sampled.length === 0) return { ...step, upToRowId, rowIds: sampled };
  const matches = await MATCH[target](scope, condition, projectRowId, sampled);
  return { ...step, upToRowId, rowIds: sampled.filter((rowId) => matches.has(rowId)) };
}

/** Rows that one step looks at: deciding a filter for all of them takes less than a second, and adding them some 50 ms. */
const ROWS_A_STEP = 2000;

function selectRules(db: QueryScope['db']) {
  return db
    .selectFrom('annotation_queue_rules')
    .innerJoin('annotation_queues', 'annotation_queues.id', 'queue_id')
    .select([
      'annotation_queue_rules.id',
      'queue_id',
      'project_id',
      'target',
      'filter',
      'sample_percent',
      'after_row_id',
      'before_row_id',
    ]);
}

/** Rows of a project by arrival. Index: spans_by_arrival, sessions_by_arrival; of traces the primary key. */
async function listArrived(
  { db, dialect }: ReadScope,
  target: QueueTarget,
  projectRowId: number,
  { fromRowId, endRowId }: { readonly fromRowId: number; readonly endRowId: number },
): Promise<readonly number[]> {
  const project = target === 'trace' ? dialect.unindexed('project_id') : 'project_id';
  const rows = await db
    .selectFrom(TARGET_TABLES[target])
    .select('id')
    .where(project, '=', projectRowId)
    .where('id', '>=', fromRowId)
    .where('id', '<', endRowId)
    .orderBy('id')
    .limit(ROWS_A_STEP)
    .execute();
  return rows.map(({ id }) => id);
}

type Match = (
  scope: ReadScope,
  condition: Condition,
  projectRowId: number,
  rowIds: readonly number[],
) => Promise<ReadonlySet<number>>;

/** Of the rows, those that match. */
const MATCH: Readonly<Record<QueueTarget, Match>> = {
  span: async (scope, condition, _projectRowId, rowIds) =>
    matchingRows(scope, await prepareFilter(scope, condition), rowIds),
  trace: async (scope, condition, projectRowId, rowIds) => {
    const unhurried = { window: null, assertNotLost: () => undefined, onLooked: () => undefined };
    const decide = compileForTraces(scope, condition, { projectRowId, ...unhurried });
    return gather(decide(await readTracesById(scope, projectRowId, rowIds)));
  },
  session: async (scope, condition, projectRowId, rowIds) =>
    gather(compileForSessions(scope, condition)(await readSessionsById(scope, projectRowId, rowIds))),
};

async function gather(parts: AsyncIterable<{ readonly matches: ReadonlySet<number> }>): Promise<ReadonlySet<number>> {
  const all = new Set<number>();
  for await (const { matches } of parts) for (const rowId of matches) all.add(rowId);
  return all;
}
