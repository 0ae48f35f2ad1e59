/** Prices that people say, beside those that come with the product. */
import type { ModelPrice } from '#derive/cost/model-price';

/** What people say of a price. */
export type PriceValues = Pick<ModelPrice, 'name' | 'provider' | 'namePattern' | 'startUs' | 'prices'>;

/** A change of the prices that people say. */
export type PriceChange =
  | { readonly kind: 'create'; readonly values: PriceValues }
  | { readonly kind: 'update'; readonly rowId: number; readonly values: PriceValues }
  | { readonly kind: 'delete'; readonly rowId: number };

/** Reads and changes them. */
export interface PriceStore {
  /** Those that hold, by name. */
  listPrices(): Promise<readonly ModelPrice[]>;
  /**
   * The price after the change, or as it was before it was deleted. Spans that arrive from then on are priced by it;
   * those that are stored keep the price that they have.
   * @throws AppError `already_exists` where another one has the name, or prices the same models, for the same start time
   * @throws AppError `not_found`; `failed_precondition` where there are too many
   */
  changePrice(change: PriceChange): Promise<ModelPrice>;
}

/** Each is searched for in the name of every new model. */
export const MAX_CUSTOM_PRICES = 1000;
