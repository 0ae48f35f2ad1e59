/** The aggregate that SQLite lacks: the value below which a share of the others lies. */
import type { Database } from 'better-sqlite3';

/**
 * Adds `quantile(value, probability)`, interpolated between the two nearest values, as `percentile_cont` of standard SQL
 * is. Nulls do not count; without values it is null. Sorting in place takes half the time of a window over ranks.
 */
export function addQuantile(database: Database): void {
  database.aggregate('quantile', {
    start: (): Quantile => new Quantile(),
    // The driver hands over as many arguments as the function takes; its types know one.
    step: ((quantile: Quantile, value: number | null, probability: number) =>
      quantile.add(value, probability)) as never,
    result: (quantile) => quantile.result(),
    deterministic: true,
    directOnly: true,
  });
}

class Quantile {
  #values = new Float64Array(1024);
  #count = 0;
  #probability = 0;

  add(value: number | null, probability: number): this {
    if (value === null) return this;
    if (this.#count === this.#values.length) {
      const grown = new Float64Array(this.#count * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#count++] = value;
    this.#probability = probability;
    return this;
  }

  result(): number | null {
    if (this.#count === 0) return null;
    const sorted = this.#values.subarray(0, this.#count).sort();
    const rank = this.#probability * (this.#count - 1);
    const below = sorted[Math.floor(rank)] as number;
    const above = sorted[Math.ceil(rank)] as number;
    return below + (above - below) * (rank - Math.floor(rank));
  }
}
