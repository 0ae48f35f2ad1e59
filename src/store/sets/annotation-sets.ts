/** The sets that filters of annotations ask for. */
import { sql, type SqlBool } from 'kysely';
import { ANNOTATION_SETS, type AnnotationParameters } from '#filter/annotated-leaf';
import { evaluate } from '#filter/evaluate';
import type { AnnotationTarget, Condition } from '#filter/tree';
import { AnnotationSubject } from '../annotations/annotation-subject.ts';
import { type SqlTest, testInSql } from '../annotations/annotation-test.ts';
import type { SqlDialect } from '../dialect/dialect.ts';
import { defineSet, type MemberTest, type SetCatalogue, setCatalogue } from './define-set.ts';

/** The sets of the store itself: rows that have an annotation. */
export const STORE_SETS: SetCatalogue = setCatalogue([
  annotated('span'),
  annotated('document'),
  annotated('trace'),
  annotated('session'),
]);

/** Index: annotations_of_name, or annotations_of_target for annotations of any name. */
function annotated(target: AnnotationTarget) {
  const { name: setName, subject } = ANNOTATION_SETS[target];
  return defineSet<AnnotationParameters>({
    name: setName,
    subject,
    rowIdsIn(db, dialect, range, { name, test, except }) {
      let query = db
        .selectFrom('annotations')
        .select('target_row_id as id')
        .where('target', '=', target)
        .where(range.holds('target_row_id'));
      if (name !== null) query = query.where('name', '=', name);
      const [wanted, unwanted] = [inSql(test, dialect), inSql(except, dialect)];
      if (wanted?.where != null) query = query.where(wanted.where);
      if (unwanted?.where != null && unwanted.isExact)
        query = query.where(sql<SqlBool>`(${unwanted.where}) IS NOT TRUE`);
      return isToldBySql(wanted, unwanted) ? query : query.select(TESTED_COLUMNS);
    },
    memberTest({ test, except }, dialect) {
      return isToldBySql(inSql(test, dialect), inSql(except, dialect)) ? null : testOf(test, except);
    },
  });
}

const TESTED_COLUMNS = [
  'name',
  'score',
  'label',
  'explanation',
  'identifier',
  'annotator_kind',
  'document_position',
] as const;

function inSql(condition: Condition | null, dialect: SqlDialect): SqlTest | null {
  return condition && testInSql(condition, dialect);
}

function isToldBySql(...tests: readonly (SqlTest | null)[]): boolean {
  return tests.every((test) => test?.isExact !== false);
}

function testOf(test: Condition | null, except: Condition | null): MemberTest {
  return (row) => {
    const subject = new AnnotationSubject({
      name: textOf(row['name']),
      score: numberOf(row['score']),
      label: textOrNull(row['label']),
      explanation: textOrNull(row['explanation']),
      identifier: textOf(row['identifier']),
      annotator_kind: textOf(row['annotator_kind']),
      document_position: numberOf(row['document_position']) ?? -1,
    });
    return (test === null || evaluate(test, subject)) && (except === null || !evaluate(except, subject));
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function textOf(value: unknown): string {
  return textOrNull(value) ?? '';
}
