/** Figures of groups of traces, as rows of traces are added to them. */
import { CellValues } from './cell-values.ts';
import type { GroupFigure } from './port.ts';
import { noteStart } from './tallies.ts';
import type { TraceRows } from './trace-rows.ts';

/** By figure, a number for each group; NaN where there is nothing to compute it of. */
export type Figures = Readonly<Record<GroupFigure, Float64Array>>;

/** Adds up whole traces by their group. */
export class TraceFigures {
  readonly #size: number;
  readonly #counts: Float64Array;
  readonly #errors: Float64Array;
  readonly #tokens: Float64Array;
  readonly #costNanoUsd: Float64Array;
  readonly #firstStarts: Float64Array;
  readonly #lastStarts: Float64Array;
  readonly #latencies = new CellValues();

  constructor(size: number) {
    const column = () => new Float64Array(size);
    this.#size = size;
    this.#counts = column();
    this.#errors = column();
    this.#tokens = column();
    this.#costNanoUsd = column();
    this.#firstStarts = column().fill(Number.NaN);
    this.#lastStarts = column().fill(Number.NaN);
  }

  add(cell: number, part: TraceRows, row: number): void {
    const startUs = part.start_us[row] ?? 0;
    add(this.#counts, cell, 1);
    add(this.#errors, cell, (part.error_count[row] ?? 0) > 0 ? 1 : 0);
    add(this.#tokens, cell, (part.prompt_tokens[row] ?? 0) + (part.completion_tokens[row] ?? 0));
    add(this.#costNanoUsd, cell, part.cost_nanousd[row] ?? 0);
    this.#latencies.add(cell, (part.end_us[row] ?? 0) - startUs);
    noteStart(this.#firstStarts, cell, startUs, false);
    noteStart(this.#lastStarts, cell, startUs, true);
  }

  read(): Figures {
    const nothing = new Float64Array(this.#size);
    const [p50 = nothing, p95 = nothing] = this.#latencies.quantiles(this.#size, [0.5, 0.95]);
    return {
      count: this.#counts,
      error_rate: this.#errors.map((count, cell) => count / (this.#counts[cell] ?? 0)),
      latency_p50: p50,
      latency_p95: p95,
      tokens: this.#tokens,
      cost: this.#costNanoUsd.map((nanoUsd) => nanoUsd / 1e9),
      first_start: this.#firstStarts,
      last_start: this.#lastStarts,
    };
  }
}

function add(sums: Float64Array, cell: number, value: number): void {
  sums[cell] = (sums[cell] ?? 0) + value;
}
