/** What traces and sessions can be told apart by: amounts of their rows, and attributes of their root spans. */
import { AppError } from '#base/errors';
import type { Vector } from '../query/vectors.ts';
import type { Dimension } from './port.ts';

/** An amount of rows, or `null` for an attribute of root spans. */
export type AmountReader<Row> = ((rows: readonly Row[]) => Vector) | null;

/** @throws AppError `invalid_argument` for what neither rows nor root spans tell */
export function openAmount<Row>(
  dimension: Dimension,
  { noun, amounts }: { readonly noun: string; readonly amounts: ReadonlyMap<string, (row: Row) => number> },
): AmountReader<Row> {
  if (dimension.kind === 'attribute' && dimension.of === null) return null;
  const amountOf = dimension.kind === 'field' && dimension.of === null ? amounts.get(dimension.name) : undefined;
  if (amountOf === undefined) {
    const name = dimension.kind === 'field' ? dimension.name : dimension.path;
    throw new AppError(
      'invalid_argument',
      `${noun} cannot be counted by ${name}: choose an attribute of the root span, or one of ${[...amounts.keys()].join(', ')}.`,
    );
  }
  return (rows) => ({ kind: 'numbers', values: Float64Array.from(rows, amountOf), uncertain: null });
}
