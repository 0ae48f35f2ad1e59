import type { ModelPrice } from '#derive/cost/model-price';
import type { RelationalSpanWriter } from '../writer/writer.ts';
import { changePrice, type PriceChange } from './relational-prices.ts';

/** Changes a price as the command does. */
export async function changePriceOf(writer: RelationalSpanWriter, change: PriceChange): Promise<ModelPrice> {
  const price = await writer.change(({ db }) => changePrice(db, change, Date.now() * 1000));
  writer.forgetPrices();
  return price;
}
