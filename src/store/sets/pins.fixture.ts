/** A table of pinned spans, traces and sessions, sets of those, and the same membership as plain data. */
import type { Kysely } from 'kysely';
import type { Condition, FilterGrain, SetReference } from '#filter/tree';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import type { Tables } from '../schema/tables.ts';
import { type DefinedSet, defineSet, type SetCatalogue, setCatalogue } from './define-set.ts';

interface Pin {
  readonly subject: FilterGrain;
  readonly label: string;
  readonly row_id: number;
}

/** What narrows a set of pinned rows. */
export interface PinParameters {
  readonly label: string;
}

/** By what is pinned. */
export const PINNED: Readonly<Record<FilterGrain, DefinedSet<PinParameters>>> = {
  span: pinned('span'),
  trace: pinned('trace'),
  session: pinned('session'),
};

/** For scopes of tests. */
export const PINNED_SETS: SetCatalogue = setCatalogue(Object.values(PINNED));

/** Index: pins_of_label. */
function pinned(subject: FilterGrain): DefinedSet<PinParameters> {
  return defineSet({
    name: `pinned ${subject}s`,
    subject,
    rowIdsIn: (db, _dialect, range, { label }) =>
      withPins(db)
        .selectFrom('pins')
        .select('row_id as id')
        .where('subject', '=', subject)
        .where('label', '=', label)
        .where(range.holds('row_id')),
  });
}

function withPins(db: Kysely<Tables>) {
  return db.withTables<{ pins: Pin }>();
}

/** What pins are called: of two rows, of some, of all, of rows that are not there, of none. */
export const LABELS = ['rare', 'some', 'all', 'gone', 'none'];

/** Filters of pinned rows, by a text that stands for them: what is pinned under `rare` is read by its row ids. */
export const PIN_FILTERS: ReadonlyMap<string, Condition> = new Map(
  Object.entries({
    'a rare span': PINNED.span.leaf({ label: 'rare' }),
    'some spans': PINNED.span.leaf({ label: 'some' }),
    'other spans': { ...PINNED.span.leaf({ label: 'some' }), isNegated: true },
    'a rare trace': PINNED.trace.leaf({ label: 'rare' }),
    'some traces': PINNED.trace.leaf({ label: 'some' }),
    'a rare session': PINNED.session.leaf({ label: 'rare' }),
    'other sessions': { ...PINNED.session.leaf({ label: 'some' }), isNegated: true },
  }),
);

/** The pins of a test, in the database and beside it. */
export class Pins {
  readonly #engine: Pick<TestEngine, 'db' | 'exec'>;
  readonly #held = new Set<string>();
  readonly #sessionOf = new Map<number, number | null>();

  private constructor(engine: Pick<TestEngine, 'db' | 'exec'>) {
    this.#engine = engine;
  }

  static async create(engine: Pick<TestEngine, 'db' | 'exec'>): Promise<Pins> {
    await engine.exec('CREATE TABLE pins (subject TEXT NOT NULL, label TEXT NOT NULL, row_id BIGINT NOT NULL)');
    await engine.exec('CREATE INDEX pins_of_label ON pins (subject, label, row_id)');
    return new Pins(engine);
  }

  /** Pins rows; one that is pinned already is pinned twice. */
  async add(subject: FilterGrain, label: string, rowIds: readonly number[]): Promise<void> {
    for (let start = 0; start < rowIds.length; start += 200) {
      const pins = rowIds.slice(start, start + 200).map((rowId): Pin => ({ subject, label, row_id: rowId }));
      await withPins(this.#engine.db).insertInto('pins').values(pins).execute();
    }
    for (const rowId of rowIds) this.#held.add(`${subject} ${label} ${rowId}`);
  }

  /** What is pinned under a label. */
  all(label: string): readonly { readonly subject: FilterGrain; readonly rowId: number }[] {
    return [...this.#held].flatMap((held) => {
      const [subject, of, rowId] = held.split(' ');
      return of === label && isGrain(subject) ? { subject, rowId: Number(rowId) } : [];
    });
  }

  async remove(subject: FilterGrain, label: string, rowId: number): Promise<void> {
    const pins = withPins(this.#engine.db).deleteFrom('pins').where('subject', '=', subject).where('label', '=', label);
    await pins.where('row_id', '=', rowId).execute();
    this.#held.delete(`${subject} ${label} ${rowId}`);
  }

  /** Pins spans, traces and sessions that are there under all of {@link LABELS}, some of them twice. */
  async addSome(): Promise<void> {
    const { db } = this.#engine;
    const rows = {
      span: await db.selectFrom('spans').select('id').orderBy('id').execute(),
      trace: await db.selectFrom('traces').select(['id', 'session_row_id']).orderBy('id').execute(),
      session: await db.selectFrom('sessions').select('id').orderBy('id').execute(),
    };
    for (const { id, session_row_id: rowId } of rows.trace) this.#sessionOf.set(id, rowId);
    for (const subject of ['span', 'trace', 'session'] as const) {
      const all = rows[subject].map(({ id }) => id);
      const some = all.filter((_rowId, place) => (place * 7) % 5 === 0 || place % 11 === 3);
      await this.add(subject, 'rare', [...all.slice(2, 3), ...all.slice(-3, -2)]);
      await this.add(subject, 'some', [...some, ...some.slice(2)]);
      await this.add(subject, 'all', all);
      await this.add(subject, 'gone', [900_001, 900_002, 9_000_000_001]);
    }
  }

  /** Whether a row of the set's own kind is pinned. */
  holds({ subject, parameters }: SetReference, rowId: number): boolean {
    const { label } = parameters as PinParameters;
    return this.#held.has(`${subject} ${label} ${rowId}`);
  }

  /** What the plain evaluator is told of a span; of traces there may be more since {@link addSome}, without a session. */
  isSpanIn(set: SetReference, { rowId, traceRowId }: { readonly rowId: number; readonly traceRowId: number }): boolean {
    return set.subject === 'span' ? this.holds(set, rowId) : this.isTraceIn(set, traceRowId);
  }

  isTraceIn(set: SetReference, traceRowId: number): boolean {
    return set.subject === 'trace'
      ? this.holds(set, traceRowId)
      : this.isSessionIn(set, this.#sessionOf.get(traceRowId) ?? null);
  }

  isSessionIn(set: SetReference, sessionRowId: number | null): boolean {
    return set.subject === 'session' && sessionRowId !== null && this.holds(set, sessionRowId);
  }
}

function isGrain(text: string | undefined): text is FilterGrain {
  return text === 'span' || text === 'trace' || text === 'session';
}
