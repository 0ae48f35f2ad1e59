import { readAroundDamage } from '../../engine/around-damage.ts';
import { noteUnreadableSpans } from '../../engine/damage.ts';

/** The rows of spans that can be read, of these ids; what the engine cannot read is noted, and left out. */
export async function readReadableRows<Row>(
  rowIds: readonly number[],
  read: (rowIds: readonly number[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const around = await readAroundDamage(rowIds, read);
  noteUnreadableSpans(around);
  return around.rows;
}
