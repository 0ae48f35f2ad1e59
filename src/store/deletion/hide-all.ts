import type { TouchedProject } from '../engine/touched-project.ts';
import type { Deletion } from './deletion.ts';
import type { DeletionCalls } from './writer-calls.ts';

/** Hides what is left of a deletion, in short transactions; returns how it stands then. */
export async function hideAll(
  begun: Deletion,
  writer: Pick<DeletionCalls, 'hideNext'>,
  onTouched: (touched: readonly TouchedProject[]) => void,
): Promise<Deletion> {
  let deletion = begun;
  while (deletion.state === 'hiding') {
    const part = await writer.hideNext(deletion.rowId);
    if (part === undefined) return { ...deletion, state: 'finished' };
    if (part.touched.length > 0) onTouched(part.touched);
    deletion = part.deletion;
  }
  return deletion;
}
