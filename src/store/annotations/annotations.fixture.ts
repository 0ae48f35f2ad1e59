/** Annotations of all sorts in the table, and beside it as plain data. */
import type { Kysely } from 'kysely';
import type { PlainRow } from '#filter/plain-subject.fixture';
import type { AnnotationTarget } from '#filter/tree';
import { hashNumbers } from '../../../test/traffic/random.ts';
import type { Tables } from '../schema/tables.ts';
import type { AnnotationFields } from './annotation-subject.ts';
import { KnownAnnotations } from './read-annotations.ts';

/** An annotation as a test writes it. */
export interface TestAnnotation extends Partial<AnnotationFields> {
  readonly target: AnnotationTarget;
  readonly rowId: number;
  readonly name: string;
}

/** Names of annotations: of many rows, of some, of few, and of none. */
export const ANNOTATION_NAMES = ['quality', "it's", 'a b', 'é'];

/** The annotations of a test. */
export class TestAnnotations {
  readonly #db: Kysely<Tables>;
  readonly #projectRowId: number;
  readonly #held = new Map<AnnotationTarget, Map<number, AnnotationFields[]>>();

  constructor(db: Kysely<Tables>, projectRowId = 1) {
    this.#db = db;
    this.#projectRowId = projectRowId;
  }

  /** As the evaluator asks for them. */
  get known(): KnownAnnotations {
    return new KnownAnnotations(this.#held);
  }

  /** All of a row. */
  of(target: AnnotationTarget, rowId: number): readonly AnnotationFields[] {
    return this.#held.get(target)?.get(rowId) ?? [];
  }

  /** The same as elements of a collection. */
  elements(target: AnnotationTarget, rowId: number): readonly PlainRow[] {
    return this.of(target, rowId).map((fields) => ({ fields: { ...fields } }));
  }

  /** The same by target and name. */
  named(target: AnnotationTarget, rowId: number): NonNullable<PlainRow['annotations']> {
    const byName = Map.groupBy(this.of(target, rowId), ({ name }) => `${target} ${name}`);
    return Object.fromEntries(byName);
  }

  async add(annotations: readonly TestAnnotation[]): Promise<void> {
    const rows = annotations.map(({ target, rowId, ...given }) => {
      const fields = { ...EMPTY, document_position: target === 'document' ? 0 : -1, ...given };
      const ofTarget = this.#held.get(target) ?? new Map<number, AnnotationFields[]>();
      this.#held.set(target, ofTarget);
      ofTarget.set(rowId, [...(ofTarget.get(rowId) ?? []), fields]);
      return {
        ...fields,
        target,
        target_row_id: rowId,
        project_id: this.#projectRowId,
        annotator_kind: fields.annotator_kind as 'HUMAN',
        metadata: '{}',
        source: 'API' as const,
        created_at_us: 1,
        updated_at_us: 1,
      };
    });
    for (let start = 0; start < rows.length; start += 200) {
      await this.#db
        .insertInto('annotations')
        .values(rows.slice(start, start + 200))
        .execute();
    }
  }

  /** Annotates most of the spans, traces and sessions that are there, some several times, and others that are not. */
  async addSome(): Promise<void> {
    const rows = {
      span: await this.#db.selectFrom('spans').select('id').orderBy('id').execute(),
      trace: await this.#db.selectFrom('traces').select('id').orderBy('id').execute(),
      session: await this.#db.selectFrom('sessions').select('id').orderBy('id').execute(),
    };
    for (const target of ['span', 'document', 'trace', 'session'] as const) {
      const rowIds = rows[target === 'document' ? 'span' : target].map(({ id }) => id);
      const made = [...rowIds, 900_001, 9_000_000_001].flatMap((rowId, place) => someOf(target, rowId, place));
      await this.add(made);
    }
  }
}

const EMPTY = { score: null, label: null, explanation: null, identifier: '', annotator_kind: 'HUMAN' };

const SCORES = [null, 0, 0.5, 1, 2, -3, 12, 20, 0.1];
const LABELS = [null, '', 'a', 'A', '12', 'true', 'ΣΟΦΟΣ', 'LLM', '😀', "it's"];
const KINDS = ['HUMAN', 'LLM', 'CODE'];

function someOf(target: AnnotationTarget, rowId: number, place: number): readonly TestAnnotation[] {
  const pick = <Item>(items: readonly Item[], salt: number): Item =>
    items[hashNumbers(place + target.length * 1000, salt) % items.length] as Item;
  return ANNOTATION_NAMES.slice(0, 3).flatMap((name, which) => {
    // Of the first name most rows have one or several, of the last name two have one.
    if (which === 2 ? place % 40 !== 3 : pick([0, 1, 2], which) === 0) return [];
    const count = pick([1, 1, 2, 3], 10 + which);
    return Array.from(
      { length: count },
      (_, nth): TestAnnotation => ({
        target,
        rowId,
        name,
        identifier: nth === 0 ? '' : `r${nth}`,
        annotator_kind: pick(KINDS, 20 + nth + which),
        score: pick(SCORES, 30 + nth + which),
        label: pick(LABELS, 40 + nth + which),
        explanation: pick(LABELS, 50 + nth + which),
        ...(target === 'document' && { document_position: nth }),
      }),
    );
  });
}
