/** Conditions on single annotations in SQL, as far as both engines compare as the evaluator does. */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Comparison, Condition, Literal, Value } from '#filter/tree';
import type { SqlDialect } from '../dialect/dialect.ts';

/** What SQL says of a condition. */
export interface SqlTest {
  /** Holds of all annotations that fulfil the condition; `null` where SQL says nothing. */
  readonly where: Expression<SqlBool> | null;
  /** Whether it holds of no others. */
  readonly isExact: boolean;
}

/** A condition of the fields of an annotation in SQL, on the columns of `annotations`. */
export function testInSql(condition: Condition, dialect: SqlDialect): SqlTest {
  const exact = inSql(condition, dialect);
  if (exact !== null) return { where: exact, isExact: true };
  const parts = condition.kind === 'and' ? condition.operands.map((operand) => testInSql(operand, dialect)) : [];
  const known = parts.flatMap(({ where }) => where ?? []);
  return { where: known.length === 0 ? null : join('AND', known), isExact: false };
}

/** `null` where SQL cannot say it. */
function inSql(condition: Condition, dialect: SqlDialect): Expression<SqlBool> | null {
  switch (condition.kind) {
    case 'constant':
      return condition.value ? sql<SqlBool>`1 = 1` : sql<SqlBool>`1 = 0`;
    case 'and':
    case 'or': {
      const operands = condition.operands.flatMap((operand) => inSql(operand, dialect) ?? []);
      const isWhole = operands.length === condition.operands.length;
      return isWhole ? join(condition.kind === 'and' ? 'AND' : 'OR', operands) : null;
    }
    case 'compare':
      return compareInSql(condition);
    case 'member':
      return memberInSql(condition, dialect);
    case 'absent': {
      const column = columnOf(condition.value);
      if (column === null) return null;
      return condition.isNegated ? sql<SqlBool>`${column.ref} IS NOT NULL` : sql<SqlBool>`${column.ref} IS NULL`;
    }
    default:
      return null;
  }
}

function compareInSql({ operator, left, right, as }: Comparison): Expression<SqlBool> | null {
  if (left.kind === 'literal') {
    const isSame = right.kind === 'literal';
    return isSame
      ? null
      : compareInSql({ kind: 'compare', operator: MIRRORED[operator], left: right, right: left, as });
  }
  const column = columnOf(left);
  if (column === null || right.kind !== 'literal' || !isComparable(right) || column.type !== as || right.type !== as)
    return null;
  // Texts are ordered by code points, which depends on the collation of a database.
  if (as === 'text' && operator !== '==' && operator !== '!=') return null;
  return sql<SqlBool>`${column.ref} ${sql.raw(SIGNS[operator])} ${right.value}`;
}

function memberInSql(
  { isNegated, value, list }: Condition & { readonly kind: 'member' },
  dialect: SqlDialect,
): Expression<SqlBool> | null {
  const column = columnOf(value);
  if (column === null || !list.every((literal) => literal.type === column.type && isComparable(literal))) return null;
  if (list.length === 0) return isNegated ? sql<SqlBool>`${column.ref} IS NOT NULL` : sql<SqlBool>`1 = 0`;
  const sign = sql.raw(isNegated ? 'NOT IN' : 'IN');
  if (column.type === 'text')
    return sql<SqlBool>`${column.ref} ${sign} ${dialect.textsOf(list.map((literal) => String(literal.value)))}`;
  return sql<SqlBool>`${column.ref} ${sign} (${sql.join(list.map((literal) => sql.val(Number(literal.value))))})`;
}

/** Texts that no column can hold, and integers whose digits a number loses, are left to the evaluator. */
function isComparable(literal: Literal): boolean {
  if (literal.type === 'text') return literal.value.isWellFormed() && !literal.value.includes('\0');
  return literal.type === 'number' && Math.abs(literal.value) < Number.MAX_SAFE_INTEGER;
}

function columnOf(value: Value) {
  const type = value.kind === 'field' && value.of === null ? COLUMNS.get(value.name) : undefined;
  if (type === undefined || value.kind !== 'field') return null;
  return { ref: sql.ref(`annotations.${value.name}`), type };
}

/** The names of fields are those of columns. */
const COLUMNS: ReadonlyMap<string, 'text' | 'number'> = new Map([
  ['name', 'text'],
  ['label', 'text'],
  ['score', 'number'],
  ['explanation', 'text'],
  ['identifier', 'text'],
  ['annotator_kind', 'text'],
  ['document_position', 'number'],
]);

const SIGNS = { '==': '=', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const;
const MIRRORED = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function join(by: 'AND' | 'OR', operands: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(operands, sql.raw(` ${by} `))})`;
}
