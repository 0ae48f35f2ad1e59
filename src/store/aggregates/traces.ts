/** Counts, latencies, tokens and cost of traces by their start. */
import type { NumberColumn } from '../columns/batch.ts';
import { readTokens } from '#derive/claimed';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { layOut } from './aggregate.ts';
import { type ClosedRange, findBucket } from './buckets.ts';
import { Budget } from '../query/budget.ts';
import { CellValues } from './cell-values.ts';
import { allRows, openOwners, SpanMatcher } from './matcher.ts';
import { NumberSet } from '#base/number-set';
import { type SpanRange, TOKEN_DETAILS, type TraceAnswer, type TraceQuestion } from './port.ts';
import { assertForward, closeRange } from './range.ts';
import { Scan, type ScanNeeds } from './scan.ts';
import { countTraces, readTraceRows, type TraceRows } from './trace-rows.ts';

/** Reads the rows of traces, and spans only where the question needs them. */
export async function aggregateTraces(
  scope: ReadScope,
  question: TraceQuestion,
  budgetMs: number,
): Promise<TraceAnswer> {
  assertForward(question);
  const budget = new Budget(budgetMs);
  const range = await closeRange(scope, 'traces', question);
  const buckets = layOut(question.bucket, range);
  const owners = openOwners(scope, question, budget);
  const parts: TraceRows[] = [];
  for await (const part of readTraceRows(scope, question.projectRowId, range, budget)) {
    await owners?.look(part.id);
    parts.push(part);
  }
  const read = { count: parts.reduce((count, { id }) => count + id.length, 0), isCut: budget.isExceeded };
  const spans = new SpansOfTraces(scope, question.projectRowId, spanRange(range, parts), budget);
  const matching = question.condition === null ? null : await spans.findTraces(question.condition);
  const table = new TraceTable(buckets.startsUs);
  const tests = [owners, matching].filter((test) => test !== null);
  for (const part of parts) table.add(part, tests);
  const tokenDetails = question.hasTokenDetails ? await spans.sumTokenDetails(table.bucketOf, table.size) : null;
  const total = read.isCut ? await countTraces(scope, question.projectRowId, range) : read.count;
  const share = (total === 0 ? 1 : Math.min(read.count / total, 1)) * spans.share;
  return { buckets, ...table.read(question.probabilities), tokenDetails, isPartial: budget.isExceeded, share };
}

/** What is asked of a trace beside its row. */
interface TraceTest {
  has(traceRowId: number): boolean;
}

/** Traces by bucket. */
class TraceTable {
  readonly #startsUs: Float64Array;
  readonly #latencies = new CellValues();
  readonly #counts: Float64Array;
  readonly #errorCounts: Float64Array;
  readonly #promptTokens: Float64Array;
  readonly #completionTokens: Float64Array;
  readonly #cost: { readonly total: Float64Array; readonly prompt: Float64Array; readonly completion: Float64Array };
  /** By trace row id. */
  readonly bucketOf = new Map<number, number>();

  constructor(startsUs: Float64Array) {
    const column = () => new Float64Array(startsUs.length);
    this.#startsUs = startsUs;
    this.#counts = column();
    this.#errorCounts = column();
    this.#promptTokens = column();
    this.#completionTokens = column();
    this.#cost = { total: column(), prompt: column(), completion: column() };
  }

  get size(): number {
    return this.#startsUs.length;
  }

  /** Adds those that match. */
  add(traces: TraceRows, tests: readonly TraceTest[]): void {
    for (const [row, rowId] of traces.id.entries()) {
      if (!tests.every((test) => test.has(rowId))) continue;
      const startUs = traces.start_us[row] ?? 0;
      const bucket = findBucket(this.#startsUs, startUs);
      this.bucketOf.set(rowId, bucket);
      this.#latencies.add(bucket, (traces.end_us[row] ?? 0) - startUs);
      addTo(this.#counts, bucket, 1);
      addTo(this.#errorCounts, bucket, (traces.error_count[row] ?? 0) > 0 ? 1 : 0);
      addTo(this.#promptTokens, bucket, traces.prompt_tokens[row] ?? 0);
      addTo(this.#completionTokens, bucket, traces.completion_tokens[row] ?? 0);
      addTo(this.#cost.total, bucket, traces.cost_nanousd[row] ?? 0);
      addTo(this.#cost.prompt, bucket, traces.prompt_cost_nanousd[row] ?? 0);
      addTo(this.#cost.completion, bucket, traces.completion_cost_nanousd[row] ?? 0);
    }
  }

  read(probabilities: readonly number[]) {
    return {
      counts: this.#counts,
      errorCounts: this.#errorCounts,
      latenciesUs: this.#latencies.quantiles(this.size, probabilities),
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      cost: {
        total: toUsd(this.#cost.total),
        prompt: toUsd(this.#cost.prompt),
        completion: toUsd(this.#cost.completion),
      },
    };
  }
}

/** The spans of the traces of a question. */
export class SpansOfTraces {
  readonly #scope: ReadScope;
  readonly #spans: SpanRange;
  readonly #budget: Budget;
  /** Of the spans that were looked at. */
  share = 1;

  constructor(scope: ReadScope, projectRowId: number, { startUs, endUs }: ClosedRange, budget: Budget) {
    this.#scope = scope;
    this.#spans = { projectRowId, startTimeUs: startUs, endTimeUs: endUs };
    this.#budget = budget;
  }

  /** Row ids of the traces that own a matching span, and of others. */
  async findTraces(condition: NonNullable<TraceQuestion['condition']>): Promise<NumberSet> {
    const needs: ScanNeeds = { columns: new Set(['trace_row_id']), attributes: new Set() };
    const matcher = await SpanMatcher.open(this.#scope, condition, needs, this.#budget);
    const found = new NumberSet();
    const scan = new Scan(this.#scope, this.#spans, this.#budget);
    for await (const batch of scan.batches({ ...needs, ...matcher.screens })) {
      const { rows, count } = await matcher.narrow(batch, allRows(batch));
      const traces = batch.numbers('trace_row_id');
      for (let index = 0; index < count; index++) found.add(traces[rows[index] ?? 0] ?? 0);
    }
    this.share = scan.coverage.share;
    return found;
  }

  /** Of spans that count, by the bucket of their trace. */
  async sumTokenDetails(bucketOf: ReadonlyMap<number, number>, size: number): Promise<TraceAnswer['tokenDetails']> {
    const details = TOKEN_DETAILS.map((of) => ({ of, column: `${of}_tokens`, sums: new Float64Array(size) }) as const);
    const columns: NumberColumn[] = [
      'trace_row_id',
      'counted_prompt_tokens',
      'counted_completion_tokens',
      ...details.map(({ column }) => column),
    ];
    const needs: ScanNeeds = { columns: new Set(columns), attributes: new Set() };
    for await (const batch of new Scan(this.#scope, this.#spans, this.#budget).batches(needs)) {
      const traces = batch.numbers('trace_row_id');
      const [prompt, completion] = [batch.numbers('counted_prompt_tokens'), batch.numbers('counted_completion_tokens')];
      for (const { column, sums } of details) {
        for (const [row, claim] of batch.numbers(column).entries()) {
          if (Number.isNaN(claim) || (prompt[row] ?? 0) + (completion[row] ?? 0) === 0) continue;
          const bucket = bucketOf.get(traces[row] ?? 0);
          if (bucket !== undefined) addTo(sums, bucket, readTokens(claim));
        }
      }
    }
    return details.map(({ of, sums }) => ({ of, sums }));
  }
}

/** Spans of traces may start after the range of the traces, but not after the last of them has ended. */
export function spanRange({ startUs }: ClosedRange, parts: readonly TraceRows[]): ClosedRange {
  let endUs = startUs;
  for (const { end_us: ends } of parts) for (const end of ends) if (end >= endUs) endUs = end + 1;
  return { startUs, endUs };
}

function toUsd(nanoUsd: Float64Array): Float64Array {
  return nanoUsd.map((cost) => cost / 1e9);
}

function addTo(sums: Float64Array, place: number, value: number): void {
  sums[place] = (sums[place] ?? 0) + value;
}
