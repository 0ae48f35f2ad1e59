/**
 * What stored spans carry, by digests. A span may come again at any time, changed or not; what it has said before is not stored again, so
 * that an annotation which was deleted since stays deleted.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { CarriedAnnotation } from '#derive/carried-annotations';
import type { RecordHandle } from '../../records/hooks.ts';
import type { CarriedAnnotationsTable } from '../../schema/annotation-tables.ts';

/** Digests of annotations, by the row id of the span that carries them. */
export type CarriedDigests = ReadonlyMap<number, ReadonlySet<string>>;

/** The same for annotations that say the same of the same target. */
export function digestOfCarried(annotation: CarriedAnnotation): string {
  const { target, of, name, identifier, annotatorKind, label, score, explanation, metadata } = annotation;
  const said = JSON.stringify([target, of, name, identifier, annotatorKind, label, score, explanation, metadata]);
  return createHash('sha256').update(said).digest('base64url').slice(0, DIGEST_LENGTH);
}

/** So many bits that two annotations of a span are never alike by chance. */
const DIGEST_LENGTH = 16;

/** What the spans carried when they were last stored. Index: primary key. */
export async function readCarried(
  { db, dialect }: RecordHandle,
  spanRowIds: readonly number[],
): Promise<CarriedDigests> {
  const rows = await db
    .selectFrom('carried_annotations')
    .selectAll()
    .where('span_row_id', 'in', dialect.numbersOf(spanRowIds))
    .execute();
  return new Map(rows.map((row) => [row.span_row_id, new Set(JSON.parse(row.digests) as string[])]));
}

/** Notes what the spans carry now. */
export async function noteCarried({ db, dialect }: RecordHandle, carried: CarriedDigests): Promise<void> {
  const tuples = JSON.stringify([...carried].map(([rowId, digests]) => [rowId, JSON.stringify([...digests])]));
  await db
    .insertInto('carried_annotations')
    .columns(COLUMNS)
    .expression(
      db
        .selectFrom(dialect.tuplesOfJson(tuples, TUPLE).$castTo<CarriedAnnotationsTable>().as('carried'))
        .select(COLUMNS)
        // SQLite takes ON CONFLICT for a condition of a join where none comes before it.
        .where(sql<boolean>`TRUE`),
    )
    .onConflict((conflict) =>
      conflict.column('span_row_id').doUpdateSet((row) => ({ digests: row.ref('excluded.digests') })),
    )
    .execute();
}

const TUPLE = { span_row_id: 'number', digests: 'text' } as const;

const COLUMNS = Object.keys(TUPLE) as readonly (keyof typeof TUPLE)[];
