import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AnnotationTarget } from '#domain/annotation';
import { isInProject, isSpanInProject } from '../spans/rows/visible.ts';

/** The table that each kind of target is in. */
export const TARGET_TABLES = {
  span: 'spans',
  document: 'spans',
  trace: 'traces',
  session: 'sessions',
} as const satisfies Readonly<Record<AnnotationTarget, string>>;

/** Whether a target is shown, whose row id a column holds. Index: primary keys. */
export function isTargetShown(target: AnnotationTarget, column: string): RawBuilder<SqlBool> {
  const table = TARGET_TABLES[target];
  const isThere = table === 'spans' ? isSpanInProject : isInProject(table);
  return sql<SqlBool>`EXISTS (SELECT 1 FROM ${sql.table(table)}
    WHERE ${sql.ref(`${table}.id`)} = ${sql.ref(column)} AND ${isThere})`;
}
