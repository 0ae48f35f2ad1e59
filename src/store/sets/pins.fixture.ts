/** A table of pinned spans, traces and sessions, sets of those, and the same membership as plain data. */
import type { Kysely } from 'kysely';
import type { FilterGrain, SetReference } from '#filter/tree';
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

/** Row ids that a row of a plain model has: its own, and those of its owners. */
export type OwnRowIds = Partial<Record<FilterGrain, number | null>>;

/** The pins of a test, in the database and beside it. */
export class Pins {
  readonly #engine: Pick<TestEngine, 'db' | 'exec'>;
  readonly #held = new Set<string>();

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

  async remove(subject: FilterGrain, label: string, rowId: number): Promise<void> {
    const pins = withPins(this.#engine.db).deleteFrom('pins').where('subject', '=', subject).where('label', '=', label);
    await pins.where('row_id', '=', rowId).execute();
    this.#held.delete(`${subject} ${label} ${rowId}`);
  }

  /** What the plain evaluator is told of a row. */
  isIn({ subject, parameters }: SetReference, own: OwnRowIds): boolean {
    const { label } = parameters as PinParameters;
    return this.#held.has(`${subject} ${label} ${own[subject] ?? 'none'}`);
  }
}
