/** Narrows spans and traces by a filter of the traces that own them, or of the sessions of those. */
import { NumberSet } from '#base/number-set';
import type { Condition } from '#filter/tree';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { readSessionsOfTraces } from '../../sets/owners.ts';
import { readSessionsById } from './session-steps.ts';
import { compileForSessions } from './sessions.ts';
import type { Window } from './span-verdicts.ts';
import { readTracesById } from './trace-steps.ts';
import { compileForTraces } from './traces.ts';

/** What must hold of the owners; nothing where neither is there. */
export interface OwnerConditions {
  /** Of traces. */
  readonly traceCondition?: Condition | null | undefined;
  /** Of sessions; a trace without a session matches none. */
  readonly sessionCondition?: Condition | null | undefined;
}

/** Where owners are looked at. */
export interface OwnerSurroundings {
  readonly projectRowId: number;
  /** As of traces that are decided, see `TraceSurroundings`. */
  readonly window: Window | null;
  readonly assertNotLost: () => void;
}

/** Decides each trace once. */
export interface OwnerVerdicts {
  /** Decides those of the traces that are not decided yet. */
  look(traceRowIds: Iterable<number>): Promise<void>;
  /** Whether a trace matches that was looked at. */
  has(traceRowId: number): boolean;
}

/** Looks at owners; `null` where nothing is asked of them. */
export function openOwnerVerdicts(
  scope: ReadScope,
  { traceCondition, sessionCondition }: OwnerConditions,
  surroundings: OwnerSurroundings,
): OwnerVerdicts | null {
  const finders: FindMatches[] = [];
  if (traceCondition != null) finders.push(ofTraces(scope, traceCondition, surroundings));
  if (sessionCondition != null) finders.push(ofSessions(scope, sessionCondition, surroundings));
  return finders.length === 0 ? null : new Verdicts(finders);
}

/** Row ids of the traces that match, of those of the project. */
type FindMatches = (traceRowIds: readonly number[]) => Promise<readonly number[]>;

class Verdicts implements OwnerVerdicts {
  readonly #finders: readonly FindMatches[];
  readonly #looked = new NumberSet();
  readonly #matches = new NumberSet();

  constructor(finders: readonly FindMatches[]) {
    this.#finders = finders;
  }

  async look(traceRowIds: Iterable<number>): Promise<void> {
    let left: readonly number[] = [...traceRowIds].filter((rowId) => this.#looked.add(rowId));
    for (const find of this.#finders) if (left.length > 0) left = await find(left);
    for (const rowId of left) this.#matches.add(rowId);
  }

  has(traceRowId: number): boolean {
    return this.#matches.has(traceRowId);
  }
}

function ofTraces(
  scope: ReadScope,
  condition: Condition,
  { projectRowId, window, assertNotLost }: OwnerSurroundings,
): FindMatches {
  const decide = compileForTraces(scope, condition, { projectRowId, window, assertNotLost, onLooked: () => {} });
  return async (traceRowIds) => {
    const found: number[] = [];
    const rows = await readTracesById(scope, projectRowId, traceRowIds);
    for await (const { matches } of decide(rows)) found.push(...matches);
    return found;
  };
}

function ofSessions(scope: ReadScope, condition: Condition, { projectRowId }: OwnerSurroundings): FindMatches {
  const decide = compileForSessions(scope, condition);
  const [looked, matching] = [new NumberSet(), new NumberSet()];
  return async (traceRowIds) => {
    const sessionOf = await readSessionsOfTraces(scope, traceRowIds);
    const fresh = new Set([...sessionOf.values()].filter((rowId) => looked.add(rowId)));
    const rows = fresh.size === 0 ? [] : await readSessionsById(scope, projectRowId, [...fresh]);
    for await (const { matches } of decide(rows)) for (const rowId of matches) matching.add(rowId);
    return [...sessionOf].flatMap(([traceRowId, rowId]) => (matching.has(rowId) ? traceRowId : []));
  };
}
