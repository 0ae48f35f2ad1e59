/** A model with what its tokens cost. */
import type { Prices } from './rates.ts';

/** An entry of the price table. Times are in microseconds since the Unix epoch. */
export interface ModelPrice {
  readonly rowId: number;
  readonly name: string;
  /** In OpenInference's words where it has one; `null` for any. */
  readonly provider: string | null;
  /** A regular expression that is searched for in names, see `name-pattern.ts`. */
  readonly namePattern: string;
  /** Whether it comes with the product; people cannot change those, but entries of their own come first. */
  readonly isBuiltIn: boolean;
  /** Calls that started earlier have another price; `null` where it holds for all. */
  readonly startUs: number | null;
  readonly prices: Prices;
  readonly createdAtUs: number;
  readonly updatedAtUs: number;
}
