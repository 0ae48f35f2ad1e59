/** Decides conditions by part of what they name, in three-valued logic. */
import { mentionsOf } from '#filter/mentions';
import type { Condition } from '#filter/tree';
import { NO, UNCERTAIN, YES } from './verdicts.ts';

/** What a condition comes to for one row. */
export type Verdict = typeof NO | typeof YES | typeof UNCERTAIN;

/** Says it of a row. */
export type DecideRow<Row> = (row: Row) => Verdict;

/** Joins what is said of the parts of a condition: `ofPart` says it of all that is neither `and` nor `or`. */
export function compileParts<Row>(condition: Condition, ofPart: (part: Condition) => DecideRow<Row>): DecideRow<Row> {
  if (condition.kind !== 'and' && condition.kind !== 'or') return ofPart(condition);
  const parts = condition.operands.map((operand) => compileParts(operand, ofPart));
  const [end, other] = condition.kind === 'and' ? ([NO, YES] as const) : ([YES, NO] as const);
  return (row) => {
    let verdict: Verdict = other;
    for (const decide of parts) {
      const next = decide(row);
      if (next === end) return end;
      if (next === UNCERTAIN) verdict = UNCERTAIN;
    }
    return verdict;
  };
}

/** Whether the condition names nothing but fields of the row, and only those. */
export function isOfFields(condition: Condition, names: ReadonlySet<string>): boolean {
  const { fields, attributes, collections, annotations, sets, asksForParent } = mentionsOf(condition);
  if (attributes.size + collections.size + annotations.length + sets.length > 0 || asksForParent) return false;
  return [...fields].every((name) => names.has(name));
}

/** The names of all collections in the condition, those of elements too. */
export function collectionsIn(condition: Condition): ReadonlySet<string> {
  const names = new Set<string>();
  gather(condition, names);
  return names;
}

function gather(node: unknown, into: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'collection' && typeof value === 'string') into.add(value);
    else gather(value, into);
  }
}
