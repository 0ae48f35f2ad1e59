/** Asks sets about the spans, traces and sessions of one question. */
import type { SetReference } from '#filter/tree';
import type { Members } from './members.ts';
import { readSessionsOfTraces } from './owners.ts';
import type { RowSet } from './row-set.ts';
import { SetMembers, type SetScope } from './set-members.ts';
import { TextMembers, type TextParameters } from './text-members.ts';
import { TEXTS } from './text-sets.ts';

/** Row ids of what is asked about, each kind in any order. */
export interface AskedRows {
  readonly spans?: Iterable<number>;
  readonly traces?: Iterable<number>;
  readonly sessions?: Iterable<number>;
}

/** What sets say of the rows that were asked about; of other rows it says nothing. */
export interface Membership {
  isSpanIn(set: SetReference, spanRowId: number, traceRowId: number): boolean;
  isTraceIn(set: SetReference, traceRowId: number): boolean;
  isSessionIn(set: SetReference, sessionRowId: number): boolean;
}

/** Remembers for one question what sets have said. */
export class SetReader {
  readonly #scope: SetScope;
  readonly #members = new Map<string, Members>();
  readonly #bySet = new WeakMap<SetReference, Members>();

  constructor(scope: SetScope) {
    this.#scope = scope;
  }

  /** The members of a set; the same for two references that mean the same. */
  membersOf(set: SetReference): Members {
    let members = this.#bySet.get(set);
    if (members === undefined) {
      const key = JSON.stringify([set.name, set.parameters]);
      members = this.#members.get(key) ?? openMembers(this.#scope, set);
      this.#members.set(key, members);
      this.#bySet.set(set, members);
    }
    return members;
  }

  /** Asks each set about the rows that it can hold, and about the sessions of the traces. */
  async look(
    sets: readonly SetReference[],
    { spans = [], traces = [], sessions = [] }: AskedRows,
  ): Promise<Membership> {
    // Most questions name no set, and their rows need not be put in order.
    if (sets.length === 0) return new KnownMembership(new Map(), NO_SESSIONS);
    const asksSessions = sets.some(({ subject }) => subject === 'session');
    const sessionOf = asksSessions ? await readSessionsOfTraces(this.#scope, ascending(traces)) : NO_SESSIONS;
    const asked = {
      span: ascending(spans),
      trace: ascending(traces),
      session: ascending([...sessions, ...sessionOf.values()]),
    };
    const known = new Map<SetReference, RowSet>();
    for (const set of sets) known.set(set, await this.membersOf(set).look(asked[set.subject]));
    return new KnownMembership(known, sessionOf);
  }
}

function openMembers(scope: SetScope, set: SetReference): Members {
  return set.name === TEXTS ? new TextMembers(scope, set.parameters as TextParameters) : new SetMembers(scope, set);
}

const NO_SESSIONS: ReadonlyMap<number, number> = new Map();

function ascending(rowIds: Iterable<number>): readonly number[] {
  const given = [...rowIds];
  // Rows of a batch mostly come so, and putting thousands in order costs more than asking about them.
  for (let place = 1; place < given.length; place++)
    if ((given[place - 1] ?? 0) >= (given[place] ?? 0)) return [...new Set(given)].sort((a, b) => a - b);
  return given;
}

class KnownMembership implements Membership {
  readonly #known: ReadonlyMap<SetReference, RowSet>;
  readonly #sessionOf: ReadonlyMap<number, number>;

  constructor(known: ReadonlyMap<SetReference, RowSet>, sessionOf: ReadonlyMap<number, number>) {
    this.#known = known;
    this.#sessionOf = sessionOf;
  }

  isSpanIn(set: SetReference, spanRowId: number, traceRowId: number): boolean {
    return set.subject === 'span' ? this.#has(set, spanRowId) : this.isTraceIn(set, traceRowId);
  }

  isTraceIn(set: SetReference, traceRowId: number): boolean {
    if (set.subject === 'trace') return this.#has(set, traceRowId);
    if (set.subject === 'span') throw new Error(`no trace is in the set ${set.name} of spans: ask its spans`);
    const sessionRowId = this.#sessionOf.get(traceRowId);
    return sessionRowId !== undefined && this.isSessionIn(set, sessionRowId);
  }

  isSessionIn(set: SetReference, sessionRowId: number): boolean {
    if (set.subject !== 'session')
      throw new Error(`no session is in the set ${set.name} of ${set.subject}s: ask those`);
    return this.#has(set, sessionRowId);
  }

  #has(set: SetReference, rowId: number): boolean {
    const known = this.#known.get(set);
    if (known === undefined) throw new Error(`the set ${set.name} was not looked at`);
    return known.has(rowId);
  }
}
