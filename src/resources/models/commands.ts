/** Changes of the prices that people say. Spans that arrive after one are priced by it; stored ones keep what they cost. */
import type { ModelPrice } from '#derive/cost/model-price';
import { assertOwn, type PriceInput, toPriceValues } from '#derive/cost/price-input';
import { defineCommands, type TelemetryScope, telemetryCommand } from '#store/commands/command';
import { changePrice, type PriceChange } from '#store/prices/relational-prices';
import { modelPolicy } from './policy.ts';

/** The commands. Each gives the price after the change, or as it was before it was deleted. */
export const modelCommands = defineCommands(modelPolicy, {
  /** @throws AppError `invalid_argument` with what is wrong with it, `already_exists`; `failed_precondition` for too many */
  create: telemetryCommand((scope, _caller, input: PriceInput) =>
    change(scope, { kind: 'create', values: toPriceValues(input) }),
  ),

  /** Replaces everything about a price. @throws AppError as for a new one; `not_found` */
  update: telemetryCommand((scope, _caller, { rowId, ...input }: PriceInput & { readonly rowId: number }) => {
    const values = toPriceValues(input);
    assertOwn(rowId, 'changed');
    return change(scope, { kind: 'update', rowId, values });
  }),

  /** @throws AppError `not_found` */
  delete: telemetryCommand((scope, _caller, rowId: number) => {
    assertOwn(rowId, 'deleted');
    return change(scope, { kind: 'delete', rowId });
  }),
});

/** What callers in other threads get. */
export type ModelCommands = typeof modelCommands;

async function change(scope: TelemetryScope, wanted: PriceChange): Promise<ModelPrice> {
  const price = await changePrice(scope.db, wanted, scope.nowUs);
  scope.forgetPrices();
  scope.note({ object: { type: 'GenerativeModel', id: price.rowId, name: price.name } });
  return price;
}
