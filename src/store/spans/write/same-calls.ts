/**
 * Finds model calls that describe what another instrumentation describes beside them: the rule is `isSameCall` in
 * `derive/usage.ts`. Whether a call repeats another depends on the one right before it alone, so what arrives or goes can
 * change itself and the one right after it.
 */
import { CLAIMS, isSameCall, type SpanFacts } from '#derive/usage';
import type { MeasuredSpan } from './call-distances.ts';
import type { QueryScope } from '../../queries/prepared-query.ts';
import { partOf, type ResponseKeys } from './response-keys.ts';
import { loadCallsAround } from './stored-calls.ts';
import type { KnownSpan } from './stored-trace.ts';

/** What finding works with. */
export interface SameCallScope extends QueryScope {
  readonly responseKeys: ResponseKeys;
}

/** What is found. */
export interface Repeats {
  /** Row ids of the calls that repeat another, among those that arrive and their stored neighbours. */
  readonly rowIds: ReadonlySet<number>;
  /** Stored calls that have another before them now. */
  readonly neighbours: readonly KnownSpan[];
}

/** What of a project's calls is new and what is gone. */
export interface CallEdit {
  readonly projectIds: ReadonlyMap<number, number>;
  readonly measured: readonly MeasuredSpan[];
  readonly removed: readonly KnownSpan[];
}

/** A call among those with its response id, or where one was. */
interface Call {
  readonly projectId: number;
  readonly responseKey: number;
  readonly facts: SpanFacts;
  readonly state: 'new' | 'gone' | 'stored';
  readonly stored: KnownSpan | undefined;
}

/** Finds the calls among those that are new, and next to what is new or gone. */
export async function findRepeats(scope: SameCallScope, edit: CallEdit): Promise<Repeats> {
  const edited = listEdited(edit);
  const places = await findShared(scope, edited);
  const except = [...edit.removed, ...edit.measured.flatMap(({ stored }) => stored ?? [])];
  const around = await loadCallsAround(
    scope,
    places.map(({ projectId, responseKey, facts: { startUs, rowId } }) => ({
      projectId,
      responseKey,
      startUs,
      rowId,
    })),
    except.map(({ facts }) => facts.rowId),
  );
  const calls = [...edited, ...around.flatMap((span) => toCall(span.projectId, span.facts, 'stored', span))];
  const repeats = new Set<number>();
  const neighbours: KnownSpan[] = [];
  for (const ofAnswer of Map.groupBy(calls, ({ projectId, responseKey }) => `${projectId} ${responseKey}`).values()) {
    let before: Call | undefined;
    let isNextToEdit = false;
    for (const call of ofAnswer.toSorted(compareCalls)) {
      const { state, stored, facts } = call;
      if (state === 'new' || (state === 'stored' && isNextToEdit)) {
        if (before !== undefined && isSameCall(before.facts, facts)) repeats.add(facts.rowId);
        if (stored !== undefined && state === 'stored') neighbours.push(stored);
      }
      if (state !== 'gone') before = call;
      isNextToEdit = state !== 'stored';
    }
  }
  return { rowIds: repeats, neighbours };
}

/** Of the calls those whose response id a stored call of about the same time may have. */
async function findShared(scope: SameCallScope, edited: readonly Call[]): Promise<readonly Call[]> {
  const { responseKeys } = scope;
  const around = edited.map(({ facts }) => {
    const part = partOf(facts.startUs);
    return [part - 1, part, part + 1];
  });
  await responseKeys.load(scope, new Set(around.flat()));
  const shared = edited.filter(({ responseKey }, place) =>
    around[place]?.some((part) => responseKeys.mayHave(part, responseKey)),
  );
  for (const { state, responseKey, facts } of edited) {
    if (state === 'new') responseKeys.add(partOf(facts.startUs), responseKey);
  }
  return shared;
}

function listEdited({ projectIds, measured, removed }: CallEdit): Call[] {
  const calls: Call[] = [];
  for (const { traceRowId, facts, distance, stored } of measured) {
    const projectId = projectIds.get(traceRowId);
    if (projectId === undefined) continue;
    if (distance === CLAIMS) calls.push(...toCall(projectId, facts, 'new', stored));
    else if (stored?.callDistance === CLAIMS) calls.push(...toCall(projectId, facts, 'gone', stored));
  }
  for (const span of removed) {
    if (span.callDistance === CLAIMS) calls.push(...toCall(span.projectId, span.facts, 'gone', span));
  }
  return calls;
}

function toCall(projectId: number, facts: SpanFacts, state: Call['state'], stored: KnownSpan | undefined): Call[] {
  const { responseKey } = facts;
  return responseKey === null ? [] : [{ projectId, responseKey, facts, state, stored }];
}

/** By start; of calls that start in the same microsecond, the one that arrived first. */
function compareCalls({ facts: a }: Call, { facts: b }: Call): number {
  return a.startUs - b.startUs || a.rowId - b.rowId;
}
