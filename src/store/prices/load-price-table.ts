import type { Kysely } from 'kysely';
import { builtInPrices } from '#derive/cost/built-in-list';
import type { ModelPrice } from '#derive/cost/model-price';
import { compilePattern } from '#derive/cost/name-pattern';
import { PriceTable } from '#derive/cost/price-table';
import type { Tables } from '../schema/tables.ts';
import { listCustomPrices } from './relational-prices.ts';

/** The table that calls are priced by. An entry that this version cannot read prices nothing. */
export async function loadPriceTable(db: Kysely<Tables>): Promise<PriceTable> {
  return toPriceTable(await listCustomPrices(db));
}

/** The same of people's own entries. */
export function toPriceTable(custom: readonly ModelPrice[]): PriceTable {
  return new PriceTable(custom.filter(isReadable), builtInPrices());
}

function isReadable({ namePattern }: ModelPrice): boolean {
  try {
    compilePattern(namePattern);
    return true;
  } catch {
    return false;
  }
}
