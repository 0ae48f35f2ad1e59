/** What is computed of the spans of each cell, where a cell is a bucket of a group. Each batch is looked at once. */
import { readTokens } from '#derive/claimed';
import type { NumberColumn, SpanBatch, TextColumn } from '../columns/batch.ts';
import type { CellRows } from './cell-values.ts';
import { DistinctTexts, DistinctTraces } from './distinct-tallies.ts';
import type { CostPart, Measure, TokenPart } from './port.ts';
import { ClaimTally, LatencyTally, StartTally, StatusTally, SumTally, type Tally } from './tallies.ts';

/** Numbers that are held for percentiles and distinct values: some 100 MB at most. */
const MAX_HELD_NUMBERS = 4_194_304;

/** The measures of one question. */
export class MeasureTable {
  readonly #cellCount: number;
  readonly #measures: readonly Measure[];
  readonly #tallies = new Map<string, Tally>();

  constructor(measures: readonly Measure[], cellCount: number) {
    this.#cellCount = cellCount;
    this.#measures = measures;
    for (const measure of measures) {
      const key = tallyKey(measure);
      if (!this.#tallies.has(key)) this.#tallies.set(key, createTally(measure, cellCount));
    }
  }

  /** The columns that batches must have. */
  get columns(): readonly (NumberColumn | TextColumn)[] {
    return [...new Set([...this.#tallies.values()].flatMap((tally) => tally.columns))];
  }

  /** Whether nothing more may be added. */
  get isFull(): boolean {
    return this.#tallies.values().some((tally) => (tally.heldCount ?? 0) > MAX_HELD_NUMBERS);
  }

  add(batch: SpanBatch, at: CellRows): void {
    for (const tally of this.#tallies.values()) tally.add(batch, at);
  }

  /** For each measure, in their order, its value by cell. */
  read(): readonly Float64Array[] {
    const latencies = this.#measures.filter((measure) => measure.kind === 'latency');
    const quantiles = this.#latencies?.quantiles(latencies.map(({ probability }) => probability)) ?? [];
    return this.#measures.map((measure) => {
      if (measure.kind === 'latency') return quantiles[latencies.indexOf(measure)] ?? new Float64Array(this.#cellCount);
      return this.#tallies.get(tallyKey(measure))?.read(measure) ?? new Float64Array(this.#cellCount);
    });
  }

  get #latencies(): LatencyTally | undefined {
    const tally = this.#tallies.get('latency');
    return tally instanceof LatencyTally ? tally : undefined;
  }
}

function tallyKey(measure: Measure): string {
  switch (measure.kind) {
    case 'count':
    case 'error_rate':
      return 'count';
    case 'latency':
    case 'first_start':
    case 'last_start':
      return measure.kind;
    case 'cost':
    case 'tokens':
    case 'distinct':
      return `${measure.kind} ${measure.of}`;
  }
}

function createTally(measure: Measure, cellCount: number): Tally {
  switch (measure.kind) {
    case 'count':
    case 'error_rate':
      return new StatusTally(cellCount);
    case 'latency':
      return new LatencyTally(cellCount);
    case 'first_start':
      return new StartTally(cellCount, false);
    case 'last_start':
      return new StartTally(cellCount, true);
    case 'cost':
      return createCostTally(measure.of, cellCount);
    case 'tokens':
      return createTokenTally(measure.of, cellCount);
    case 'distinct':
      return measure.of === 'traces' ? new DistinctTraces(cellCount) : new DistinctTexts(cellCount, TEXTS[measure.of]);
  }
}

const TEXTS = { sessions: 'session_id', users: 'user_id' } as const;

function createTokenTally(of: TokenPart, cellCount: number): Tally {
  switch (of) {
    case 'prompt':
      return new SumTally(cellCount, ['counted_prompt_tokens']);
    case 'completion':
      return new SumTally(cellCount, ['counted_completion_tokens']);
    case 'total':
      return new SumTally(cellCount, ['counted_prompt_tokens', 'counted_completion_tokens']);
    default:
      return new ClaimTally(cellCount, `${of}_tokens`, readTokens);
  }
}

function createCostTally(of: CostPart, cellCount: number): Tally {
  switch (of) {
    case 'total':
      return new SumTally(cellCount, ['counted_cost_nanousd'], NANOS);
    case 'prompt':
    case 'completion':
      return new SumTally(cellCount, [`counted_${of}_cost_nanousd`], NANOS);
    default:
      return new ClaimTally(cellCount, `${of}_cost_nanousd`, (cost) => cost, NANOS);
  }
}

/** Billionths of a dollar in one. */
const NANOS = 1e9;
