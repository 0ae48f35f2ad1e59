/** Prices that people say, on a relational engine. */
import type { Kysely } from 'kysely';
import { AppError } from '#base/errors';
import type { ModelPrice } from '#derive/cost/model-price';
import type { PriceValues } from '#derive/cost/price-input';
import type { Prices } from '#derive/cost/rates';
import type { ModelPricesTable, Tables } from '../schema/tables.ts';

/** A change of the prices that people say. */
export type PriceChange =
  | { readonly kind: 'create'; readonly values: PriceValues }
  | { readonly kind: 'update'; readonly rowId: number; readonly values: PriceValues }
  | { readonly kind: 'delete'; readonly rowId: number };

/** Each is searched for in the name of every new model. */
const MAX_CUSTOM_PRICES = 1000;

/** Those that hold. The table is small. */
export async function listCustomPrices(db: Kysely<Tables>): Promise<readonly ModelPrice[]> {
  const rows = await db
    .selectFrom('model_prices')
    .selectAll()
    .where('deleted_at_us', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(toModelPrice);
}

/**
 * Applies a change inside a transaction; gives the price after the change, or as it was before it was deleted.
 * @throws AppError `already_exists` where another one has the name, or prices the same models, for the same start time
 * @throws AppError `not_found`; `failed_precondition` where there are too many
 */
export async function changePrice(db: Kysely<Tables>, change: PriceChange, nowUs: number): Promise<ModelPrice> {
  switch (change.kind) {
    case 'create':
      await assertFree(db, change.values, null);
      await assertRoom(db);
      return toModelPrice(
        await db
          .insertInto('model_prices')
          .values({ ...toColumns(change.values), created_at_us: nowUs, updated_at_us: nowUs })
          .returningAll()
          .executeTakeFirstOrThrow(),
      );
    case 'update':
      await assertFree(db, change.values, change.rowId);
      return setColumns(db, change.rowId, { ...toColumns(change.values), updated_at_us: nowUs });
    case 'delete':
      return setColumns(db, change.rowId, { deleted_at_us: nowUs });
  }
}

async function setColumns(db: Kysely<Tables>, rowId: number, columns: Partial<Row>): Promise<ModelPrice> {
  const row = await db
    .updateTable('model_prices')
    .set(columns)
    .where('id', '=', rowId)
    .where('deleted_at_us', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw noSuchPrice();
  return toModelPrice(row);
}

function noSuchPrice(): AppError {
  return new AppError('not_found', 'There is no such price.');
}

async function assertFree(db: Kysely<Tables>, values: PriceValues, exceptRowId: number | null): Promise<void> {
  const all = await listCustomPrices(db);
  if (exceptRowId !== null && all.every(({ rowId }) => rowId !== exceptRowId)) throw noSuchPrice();
  const others = all.filter(({ rowId, startUs }) => rowId !== exceptRowId && startUs === values.startUs);
  const moment = values.startUs === null ? '' : ' for the same start time';
  if (others.some(({ name }) => name === values.name)) {
    throw new AppError('already_exists', `A price named ${values.name}${moment} already exists.`);
  }
  const alike = others.find(
    ({ namePattern, provider }) => namePattern === values.namePattern && provider === values.provider,
  );
  if (alike !== undefined) {
    throw new AppError(
      'already_exists',
      `The price ${alike.name} already covers the same models and provider${moment}.`,
    );
  }
}

async function assertRoom(db: Kysely<Tables>): Promise<void> {
  if ((await listCustomPrices(db)).length < MAX_CUSTOM_PRICES) return;
  throw new AppError(
    'failed_precondition',
    `There are already ${MAX_CUSTOM_PRICES} prices, which is the limit: delete some, or use patterns that match several models.`,
  );
}

type Row = { readonly [Column in keyof ModelPricesTable]: Column extends 'id' ? number : ModelPricesTable[Column] };

function toColumns({ name, provider, namePattern, startUs, prices }: PriceValues) {
  return { name, provider, name_pattern: namePattern, start_us: startUs, prices: JSON.stringify(prices) };
}

function toModelPrice(row: Row): ModelPrice {
  return {
    rowId: row.id,
    name: row.name,
    provider: row.provider,
    namePattern: row.name_pattern,
    isBuiltIn: false,
    startUs: row.start_us,
    prices: JSON.parse(row.prices) as Prices,
    createdAtUs: row.created_at_us,
    updatedAtUs: row.updated_at_us,
  };
}
