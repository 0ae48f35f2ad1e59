/** Counts, durations and cost of sessions by their start. */
import { namedRows } from '../query/candidates.ts';
import { compileForSessions } from '../query/grains/sessions.ts';
import { countAllSessions, readSessionStep, type SessionStepRow } from '../query/grains/session-steps.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { layOut } from './aggregate.ts';
import { findBucket } from './buckets.ts';
import { Budget } from '../query/budget.ts';
import { CellValues } from './cell-values.ts';
import type { SessionAnswer, SessionQuestion } from './port.ts';
import { assertForward, closeRange } from './range.ts';

/** Reads rows of sessions, the last ones to arrive first, and what is below them only where the filter asks for it. */
export async function aggregateSessions(
  scope: ReadScope,
  question: SessionQuestion,
  budgetMs: number,
): Promise<SessionAnswer> {
  assertForward(question);
  const budget = new Budget(budgetMs);
  const range = await closeRange(scope, 'sessions', question);
  const buckets = layOut(question.bucket, range);
  const table = new SessionTable(buckets.startsUs, question.bucket === null ? -Infinity : range.startUs);
  let lookedCount = 0;
  for await (const { rows, matches } of decideSessions(scope, question, budget)) {
    lookedCount += rows.length;
    table.add(rows.filter(({ rowId }) => matches.has(rowId)));
  }
  const isPartial = budget.isExceeded;
  const total = isPartial ? await countAllSessions(scope, toSteps(question)) : lookedCount;
  const share = total === 0 ? 1 : Math.min(lookedCount / total, 1);
  return { buckets, ...table.read(question.probabilities), isPartial, share };
}

/** Sessions of the question, decided, until there are no more or the budget is over. */
export async function* decideSessions(scope: ReadScope, question: SessionQuestion, budget: Budget) {
  const decide = question.condition === null ? null : compileForSessions(scope, question.condition);
  const named = question.condition === null ? null : await namedRows(scope, question.condition, 'session')();
  const steps = { ...toSteps(question), rowIds: named };
  for (let after: SessionStepRow['place'] | null = null; ; ) {
    const rows: readonly SessionStepRow[] = await readSessionStep(scope, steps, after, ROWS_AT_ONCE);
    if (decide === null) yield { rows, matches: new Set(rows.map(({ rowId }) => rowId)) };
    else {
      for await (const part of decide(rows)) {
        yield part;
        if (part.rows.at(-1) !== rows.at(-1) && budget.isOver) return;
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE || budget.isOver) return;
    after = last.place;
  }
}

function toSteps({ projectRowId, startTimeUs, endTimeUs }: SessionQuestion) {
  return { projectRowId, startTimeUs, endTimeUs, sort: 'id', direction: 'desc' } as const;
}

/** A few milliseconds. */
const ROWS_AT_ONCE = 4096;

/** Sessions by bucket. */
class SessionTable {
  readonly #startsUs: Float64Array;
  readonly #fromUs: number;
  readonly #durations = new CellValues();
  readonly #counts: Float64Array;
  readonly #errorCounts: Float64Array;
  readonly #totalDurationUs: Float64Array;
  readonly #traceCounts: Float64Array;
  readonly #promptTokens: Float64Array;
  readonly #completionTokens: Float64Array;
  readonly #costNanoUsd: Float64Array;
  #earlierCount = 0;

  /** @param fromUs what starts before is in no bucket */
  constructor(startsUs: Float64Array, fromUs: number) {
    const column = () => new Float64Array(startsUs.length);
    this.#startsUs = startsUs;
    this.#fromUs = fromUs;
    this.#counts = column();
    this.#errorCounts = column();
    this.#totalDurationUs = column();
    this.#traceCounts = column();
    this.#promptTokens = column();
    this.#completionTokens = column();
    this.#costNanoUsd = column();
  }

  add(sessions: readonly SessionStepRow[]): void {
    for (const { startTimeUs, endTimeUs, traceCount, errorCount, ...row } of sessions) {
      if (startTimeUs < this.#fromUs) {
        this.#earlierCount++;
        continue;
      }
      const bucket = findBucket(this.#startsUs, startTimeUs);
      this.#durations.add(bucket, endTimeUs - startTimeUs);
      addTo(this.#counts, bucket, 1);
      addTo(this.#errorCounts, bucket, errorCount > 0 ? 1 : 0);
      addTo(this.#totalDurationUs, bucket, endTimeUs - startTimeUs);
      addTo(this.#traceCounts, bucket, traceCount);
      addTo(this.#promptTokens, bucket, row.promptTokenCount);
      addTo(this.#completionTokens, bucket, row.completionTokenCount);
      addTo(this.#costNanoUsd, bucket, row.costNanoUsd);
    }
  }

  read(probabilities: readonly number[]): Omit<SessionAnswer, 'buckets' | 'isPartial' | 'share'> {
    return {
      counts: this.#counts,
      errorCounts: this.#errorCounts,
      durationsUs: this.#durations.quantiles(this.#startsUs.length, probabilities),
      totalDurationUs: this.#totalDurationUs,
      traceCounts: this.#traceCounts,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      cost: this.#costNanoUsd.map((cost) => cost / 1e9),
      earlierCount: this.#earlierCount,
    };
  }
}

function addTo(sums: Float64Array, place: number, value: number): void {
  sums[place] = (sums[place] ?? 0) + value;
}
