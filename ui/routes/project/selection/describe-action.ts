/** What the page says of an action on many rows. */
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import type { ReadBulkAction } from './bulk-actions.ts';

type Told = Pick<
  ReadBulkAction,
  | 'kind'
  | 'rows'
  | 'state'
  | 'totalCount'
  | 'notedCount'
  | 'doneCount'
  | 'goneCount'
  | 'refusedCount'
  | 'error'
  | 'toProject'
>;

const NOUNS: Readonly<Record<string, string>> = { SPANS: 'spans', TRACES: 'traces', SESSIONS: 'sessions' };

/** One line: what happens, or what came of it. */
export function describeAction(action: Told): string {
  const { state, totalCount, doneCount, notedCount } = action;
  const noun = NOUNS[action.rows] ?? 'rows';
  const isMove = action.kind === 'MOVE';
  const where = action.toProject == null ? '' : ` to ${revealHidden(action.toProject.name)}`;
  const count = (value: number) => `${formatExact(value)} ${nounOf(value, noun)}`;
  const ended = `${isMove ? 'Moved' : 'Deleted'} ${count(doneCount)}${isMove ? where : ''}`;
  switch (state) {
    case 'DONE':
      return `${ended}.`;
    case 'CANCELLED':
      return `Cancelled. ${ended} before.`;
    case 'FAILED':
      return `${isMove ? 'Moving' : 'Deleting'} failed. ${ended} before. ${action.error ?? ''}`.trimEnd();
    default:
      if (totalCount == null)
        return `Finding ${noun} to ${isMove ? 'move' : 'delete'}: ${formatExact(notedCount)} so far`;
      return `${isMove ? 'Moving' : 'Deleting'} ${count(totalCount)}${isMove ? where : ''}: ${formatExact(doneCount)} done`;
  }
}

/** What came of the rows that were not changed; undefined where there are none. */
export function describeRest({ goneCount, refusedCount, kind }: Told): string | undefined {
  const verb = kind === 'MOVE' ? 'moved' : 'deleted';
  const parts = [
    goneCount > 0 ? `${formatExact(goneCount)} ${goneCount === 1 ? 'was' : 'were'} already gone.` : '',
    refusedCount > 0 ? `${formatExact(refusedCount)} could not be ${verb}.` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** How far it is, from 0 to 1; undefined while nobody knows. */
export function shareDone({ totalCount, doneCount, goneCount, refusedCount }: Told): number | undefined {
  if (totalCount == null || totalCount === 0) return undefined;
  return Math.min((doneCount + goneCount + refusedCount) / totalCount, 1);
}
