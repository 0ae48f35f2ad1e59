/** Annotations of spans, traces and sessions by the row ids of those, as filters ask for them. */
import type { Kysely } from 'kysely';
import type { FilterAnnotation, FilterSubject } from '#filter/subject';
import type { AnnotationName, AnnotationTarget } from '#filter/tree';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import { type AnnotationFields, AnnotationSubject } from './annotation-subject.ts';

/** By target, the names that are asked for; `null` for all. */
export type AnnotationNeeds = ReadonlyMap<AnnotationTarget, ReadonlySet<string> | null>;

/** Row ids of what is asked about; of documents their spans. */
export interface AnnotatedRows {
  readonly spans?: Iterable<number>;
  readonly traces?: Iterable<number>;
  readonly sessions?: Iterable<number>;
}

/** The annotations of the rows that were asked about. */
export class KnownAnnotations {
  readonly #byTarget: ReadonlyMap<AnnotationTarget, ReadonlyMap<number, readonly AnnotationFields[]>>;

  constructor(byTarget: ReadonlyMap<AnnotationTarget, ReadonlyMap<number, readonly AnnotationFields[]>>) {
    this.#byTarget = byTarget;
  }

  /** Those of a name. */
  named({ target, name }: AnnotationName, rowId: number): readonly FilterAnnotation[] {
    return this.#of(target, rowId).filter((annotation) => annotation.name === name);
  }

  /** All of them, as elements of a collection. */
  elements(target: AnnotationTarget, rowId: number): readonly FilterSubject[] {
    return this.#of(target, rowId).map((fields) => new AnnotationSubject(fields));
  }

  #of(target: AnnotationTarget, rowId: number): readonly AnnotationFields[] {
    return this.#byTarget.get(target)?.get(rowId) ?? [];
  }
}

/** Where nothing is asked of annotations. */
export const NO_ANNOTATIONS = new KnownAnnotations(new Map());

/** Reads what is needed of the rows. Index: annotations_of_target. */
export async function readAnnotations(
  { db, dialect }: { readonly db: Kysely<Tables>; readonly dialect: SqlDialect },
  needs: AnnotationNeeds,
  { spans = [], traces = [], sessions = [] }: AnnotatedRows,
): Promise<KnownAnnotations> {
  if (needs.size === 0) return NO_ANNOTATIONS;
  const asked = { span: spans, document: spans, trace: traces, session: sessions };
  const byTarget = new Map<AnnotationTarget, Map<number, AnnotationFields[]>>();
  for (const [target, names] of needs) {
    const rowIds = [...new Set(asked[target])];
    const found = new Map<number, AnnotationFields[]>();
    for (let start = 0; start < rowIds.length; start += ROWS_AT_ONCE) {
      let query = db
        .selectFrom('annotations')
        .select(['target_row_id', 'name', 'score', 'label', 'explanation', 'identifier', 'annotator_kind'])
        .select('document_position')
        .where('target', '=', target)
        .where('target_row_id', 'in', dialect.numbersOf(rowIds.slice(start, start + ROWS_AT_ONCE)));
      if (names !== null) query = query.where('name', 'in', dialect.textsOf([...names]));
      for (const { target_row_id: rowId, ...fields } of await query.orderBy('id').execute()) {
        const others = found.get(rowId);
        if (others === undefined) found.set(rowId, [fields]);
        else others.push(fields);
      }
    }
    byTarget.set(target, found);
  }
  return new KnownAnnotations(byTarget);
}

/** Row ids in one statement. */
const ROWS_AT_ONCE = 4096;
