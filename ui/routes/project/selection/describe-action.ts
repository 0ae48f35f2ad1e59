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
  | 'annotationName'
>;

const NOUNS: Readonly<Record<string, string>> = { SPANS: 'spans', TRACES: 'traces', SESSIONS: 'sessions' };

/** What is done: `to move`, `Moving`, `Moved`, `could not be moved`. */
interface Verb {
  readonly base: string;
  readonly ing: string;
  readonly done: string;
}

const VERBS: Readonly<Record<string, Verb>> = {
  DELETE: { base: 'delete', ing: 'Deleting', done: 'Deleted' },
  MOVE: { base: 'move', ing: 'Moving', done: 'Moved' },
  ANNOTATE: { base: 'annotate', ing: 'Annotating', done: 'Annotated' },
  QUEUE: { base: 'queue', ing: 'Queueing', done: 'Queued' },
};

/** Of a kind that this page does not know yet. */
const ANY_VERB: Verb = { base: 'change', ing: 'Changing', done: 'Changed' };

function verbOf({ kind }: Pick<Told, 'kind'>): Verb {
  return VERBS[kind] ?? ANY_VERB;
}

/** ` to shop`, ` with correctness`; empty where there is nothing to say. */
function describeObject({ toProject, annotationName }: Told): string {
  if (toProject != null) return ` to ${revealHidden(toProject.name)}`;
  return annotationName == null ? '' : ` with ${revealHidden(annotationName)}`;
}

/** One line: what happens, or what came of it. */
export function describeAction(action: Told): string {
  const { state, totalCount, doneCount, notedCount } = action;
  const noun = NOUNS[action.rows] ?? 'rows';
  const { base, ing, done } = verbOf(action);
  const count = (value: number) => `${formatExact(value)} ${nounOf(value, noun)}${describeObject(action)}`;
  const ended = `${done} ${count(doneCount)}`;
  switch (state) {
    case 'DONE':
      return `${ended}.`;
    case 'CANCELLED':
      return `Cancelled. ${ended} before.`;
    case 'FAILED':
      return `${ing} failed. ${ended} before. ${action.error ?? ''}`.trimEnd();
    default:
      if (totalCount == null) return `Finding ${noun} to ${base}: ${formatExact(notedCount)} so far`;
      return `${ing} ${count(totalCount)}: ${formatExact(doneCount)} done`;
  }
}

/** What came of the rows that were not changed; undefined where there are none. */
export function describeRest(action: Told): string | undefined {
  const { goneCount, refusedCount } = action;
  const parts = [
    goneCount > 0 ? `${formatExact(goneCount)} ${goneCount === 1 ? 'was' : 'were'} already gone.` : '',
    refusedCount > 0 ? `${formatExact(refusedCount)} could not be ${verbOf(action).done.toLowerCase()}.` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** How far it is, from 0 to 1; undefined while nobody knows. */
export function shareDone({ totalCount, doneCount, goneCount, refusedCount }: Told): number | undefined {
  if (totalCount == null || totalCount === 0) return undefined;
  return Math.min((doneCount + goneCount + refusedCount) / totalCount, 1);
}
