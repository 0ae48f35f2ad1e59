/**
 * What a filter asks of annotations, as sets of annotated rows: one that its annotations alone decide is in a set or not. Only terms
 * that compare an annotation with the row, or with one of another name, are left to a reader of both, for rows that have one.
 */
import { annotatedLeaf } from './annotated-leaf.ts';
import { collectionsAsSets } from './annotation-collections.ts';
import { joinConditions } from './check/join.ts';
import { compileTest } from './compile.ts';
import { annotationKey } from './environment.ts';
import { mapValues } from './map-values.ts';
import { mentionsOf } from './mentions.ts';
import { withoutAnnotations, withAnnotation } from './assume-annotations.ts';
import type { FilterSubject } from './subject.ts';
import type { AnnotationName, Condition } from './tree.ts';

/** The condition with its annotations as sets; the same for the same condition. */
export function annotationsAsSets(condition: Condition): Condition {
  let rewritten = REWRITTEN.get(condition);
  if (rewritten === undefined) {
    rewritten = rewrite(collectionsAsSets(condition));
    REWRITTEN.set(condition, rewritten);
  }
  return rewritten;
}

const REWRITTEN = new WeakMap<Condition, Condition>();

/** Some choice of annotations fulfils an `or` where one fulfils an operand, and an `and` of independent operands where one fulfils each. */
function rewrite(condition: Condition): Condition {
  if (mentionsOf(condition).annotations.length === 0) return condition;
  if (condition.kind === 'or') return joinConditions('or', condition.operands.map(rewrite));
  return joinConditions('and', groupByNames(conjuncts(condition)).map(rewriteGroup));
}

function conjuncts(condition: Condition): readonly Condition[] {
  return condition.kind === 'and' ? condition.operands.flatMap(conjuncts) : [condition];
}

/** Conditions that name the same annotation, by one or by way of others. */
function groupByNames(conditions: readonly Condition[]): readonly (readonly Condition[])[] {
  let groups: { readonly names: ReadonlySet<string>; readonly members: readonly Condition[] }[] = [];
  for (const condition of conditions) {
    const own = new Set(mentionsOf(condition).annotations.map(annotationKey));
    const joined = groups.filter(({ names }) => [...names].some((name) => own.has(name)));
    groups = groups.filter((group) => !joined.includes(group));
    groups.push({
      names: new Set([...own, ...joined.flatMap(({ names }) => [...names])]),
      members: [...joined.flatMap(({ members }) => members), condition],
    });
  }
  return groups.map(({ members }) => members);
}

/** Conditions that one choice of annotations must fulfil together. */
function rewriteGroup(group: readonly Condition[]): Condition {
  const whole = joinConditions('and', group);
  const { annotations, fields, attributes, collections, sets, asksForParent } = mentionsOf(whole);
  const [name, ...others] = annotations;
  if (name === undefined) return whole;
  const isOfRow = fields.size + attributes.size + collections.size + sets.length > 0 || asksForParent;
  if (others.length === 0 && !isOfRow) return ofOneName(name, whole);
  const [only] = group;
  if (only?.kind === 'or' && group.length === 1) return rewrite(only);
  return ofSeveral(annotations, whole);
}

/** A condition of nothing but annotations of one name. */
function ofOneName(name: AnnotationName, condition: Condition): Condition {
  const test = withAnnotation(condition);
  const isAnnotated = leafOf(name, null);
  const fulfils =
    test.kind !== 'constant'
      ? leafOf(name, test)
      : test.value
        ? isAnnotated
        : ({ kind: 'constant', value: false } as const);
  const holdsWithout = compileTest(condition)({
    row: NO_ROW,
    elements: null,
    annotations: new Map([[annotationKey(name), null]]),
  });
  if (!holdsWithout) return fulfils;
  const isNotAnnotated: Condition = { ...isAnnotated, isNegated: true };
  return fulfils.kind === 'constant' ? isNotAnnotated : joinConditions('or', [isNotAnnotated, fulfils]);
}

/** Any other condition: it is read of rows that have one of the annotations; of the others it is known what it comes to. */
function ofSeveral(names: readonly AnnotationName[], condition: Condition): Condition {
  const isAnnotated = names.map((name) => leafOf(name, null));
  const isNot = isAnnotated.map((leaf): Condition => ({ ...leaf, isNegated: true }));
  return joinConditions('or', [
    joinConditions('and', [...isNot, withoutAnnotations(condition)]),
    joinConditions('and', [joinConditions('or', isAnnotated), condition]),
  ]);
}

function leafOf({ target, name }: AnnotationName, test: Condition | null): Condition & { readonly kind: 'inSet' } {
  return annotatedLeaf(target, { name, test: test && ofAnnotation(test), except: null });
}

/** A condition on members of one annotation, as one on its fields. */
function ofAnnotation(condition: Condition): Condition {
  const asked = mapValues(condition, (value) =>
    value.kind === 'annotation' ? { kind: 'field', name: value.member, of: null, isOfParent: false } : value,
  );
  if (asked === undefined) throw new Error('the condition asks for more than an annotation');
  return asked;
}

/** Where nothing is asked of the row. */
const NO_ROW: FilterSubject = {
  field: () => undefined,
  attribute: () => undefined,
  isParentless: () => true,
  isIn: () => false,
  collection: () => [],
};
