/** Whether the tokens that spans claim count in sums, and if not, what stands for them. */
import { type SqlBool, sql } from 'kysely';
import { addUsage, CLAIMS, isClaiming, isSameUsage, NO_USAGE, SAME_CALL_WINDOW_US } from '#derive/usage';
import type { TokenCounting } from '../browse-port.ts';
import { fromKindColumn } from '../rows/columns.ts';
import { toClaim } from '../rows/cost-columns.ts';
import type { ReadScope } from '../rows/read-scope.ts';

/** By row id; spans that claim nothing are left out. Index: primary keys, those of trees, and calls_by_response. */
export async function readTokenCountings(
  scope: ReadScope,
  spanRowIds: readonly number[],
): Promise<ReadonlyMap<number, TokenCounting>> {
  const countings = new Map<number, TokenCounting>();
  for (const row of await selectClaims(scope, spanRowIds)) {
    const claim = toClaim(row);
    if (isSameUsage(claim, NO_USAGE)) continue;
    countings.set(row.id, await explain(scope, row));
  }
  return countings;
}

type ClaimRow = Awaited<ReturnType<typeof selectClaims>>[number];

function selectClaims({ db, dialect }: ReadScope, rowIds: readonly number[]) {
  return db
    .selectFrom('spans')
    .select([
      'id',
      'trace_row_id',
      'project_id',
      'kind',
      'start_us',
      'response_key',
      'prompt_tokens',
      'completion_tokens',
      'claimed_cost_nanousd',
      'claimed_prompt_cost_nanousd',
      'claimed_completion_cost_nanousd',
      'call_distance',
      'counted_prompt_tokens',
      'counted_completion_tokens',
      'counted_cost_nanousd',
    ])
    .where('id', 'in', dialect.numbersOf(rowIds))
    .execute();
}

async function explain(scope: ReadScope, row: ClaimRow): Promise<TokenCounting> {
  const kind = fromKindColumn(row.kind);
  const claim = toClaim(row);
  if (!isClaiming({ kind, claim })) {
    return { reason: 'other_kind', ...(await callsBelow(scope, row)) };
  }
  if (row.call_distance !== CLAIMS) return { reason: 'calls_below', ...(await callsBelow(scope, row)) };
  const isCounted = row.counted_prompt_tokens + row.counted_completion_tokens + row.counted_cost_nanousd > 0;
  if (isCounted) return { reason: 'counted', spanRowIds: [], surplus: 0 };
  return { reason: 'same_call', spanRowIds: await callBefore(scope, row), surplus: 0 };
}

/** The nearest calls below, and how many tokens more than they together the span claims. */
async function callsBelow(scope: ReadScope, row: ClaimRow): Promise<Pick<TokenCounting, 'spanRowIds' | 'surplus'>> {
  const tree = await scope.trees.treeOf(scope.db, row.trace_row_id);
  const spanRowIds = tree.nearestCalls(row.id, MAX_CALLS);
  if (spanRowIds.length === 0 || spanRowIds.length === MAX_CALLS) return { spanRowIds, surplus: 0 };
  const below = (await selectClaims(scope, spanRowIds)).map(toClaim);
  const sum = below.reduce((a, b) => addUsage(a, b), NO_USAGE);
  const claim = toClaim(row);
  const surplus =
    Math.max(claim.promptTokens - sum.promptTokens, 0) + Math.max(claim.completionTokens - sum.completionTokens, 0);
  return { spanRowIds, surplus };
}

/** Of a span that has more calls below it than that, these many are named. */
const MAX_CALLS = 1000;

/** The call that this one repeats: the one right before it with its response id. */
async function callBefore({ db }: ReadScope, row: ClaimRow): Promise<readonly number[]> {
  const part = Math.floor(row.start_us / SAME_CALL_WINDOW_US);
  const before = await db
    .selectFrom('spans')
    .select('id')
    .where(sql<number>`(start_us >> 22)`, 'in', [part, part - 1])
    .where('response_key', '=', row.response_key)
    .where('project_id', '=', row.project_id)
    .where('call_distance', '=', sql.lit(CLAIMS))
    .where(sql<SqlBool>`(start_us, id) < (${row.start_us}, ${row.id})`)
    .orderBy('start_us', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  return before.map(({ id }) => id);
}
