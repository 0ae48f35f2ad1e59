/**
 * What a filter asks of collections of annotations, as sets of annotated rows: `any` and `all` are in a set or not. What is counted
 * or summed up over annotations is left to a reader of them, for rows that have some.
 */
import { joinConditions } from './check/join.ts';
import { withoutElements } from './assume-annotations.ts';
import { type AnnotationParameters, annotatedLeaf } from './annotated-leaf.ts';
import { mapQuantifiers, mapValues, type Quantifier } from './map-values.ts';
import { mentionsOf } from './mentions.ts';
import { own } from './own.ts';
import type { AnnotationTarget, Condition, Iteration } from './tree.ts';

/** Of what the annotations are that a collection holds; those of the spans below a row are none of its own. */
export const ANNOTATION_COLLECTIONS: Readonly<Record<string, AnnotationTarget>> = {
  annotations: 'span',
  document_annotations: 'document',
  trace_annotations: 'trace',
  session_annotations: 'session',
};

/** The collection of the annotations of all spans below a row. */
export const SPAN_ANNOTATIONS = 'span_annotations';

/** The condition with what it asks of any or all annotations as sets. */
export function collectionsAsSets(condition: Condition): Condition {
  return guard(mapQuantifiers(condition, (quantifier) => asSet(quantifier) ?? quantifier));
}

/** Whether the collection holds annotations. */
function isOfAnnotations(collection: string): boolean {
  return collection === SPAN_ANNOTATIONS || own(ANNOTATION_COLLECTIONS, collection) !== undefined;
}

/** `undefined` where it asks for more than the annotations say themselves. */
function asSet({ quantifier, isNegated, over, test }: Quantifier): Condition | undefined {
  if (!isOfAnnotations(over.collection)) return undefined;
  const wanted = over.where === null ? ALWAYS : ofAnnotation(over.where, over.variable);
  const tested = ofAnnotation(test, over.variable);
  if (wanted === undefined || tested === undefined) return undefined;
  // All fulfil it unless there is one that does not.
  return quantifier === 'any'
    ? hasAny(over, joinConditions('and', [wanted, tested]), null, isNegated)
    : hasAny(over, wanted, tested, !isNegated);
}

const ALWAYS: Condition = { kind: 'constant', value: true };

/** The condition as one of the annotation that the variable stands for; `undefined` where it names anything else. */
function ofAnnotation(condition: Condition, variable: string): Condition | undefined {
  return mapValues(condition, (value) => {
    if (value.kind === 'literal') return value;
    return value.kind === 'field' && value.of === variable ? { ...value, of: null } : undefined;
  });
}

/** Whether there is an annotation that fulfils a test, and not another. */
function hasAny(
  { collection, of, variable }: Pick<Iteration, 'collection' | 'of' | 'variable'>,
  test: Condition,
  except: Condition | null,
  isNegated: boolean,
): Condition {
  const parameters = narrowByName(test, except);
  const target = own(ANNOTATION_COLLECTIONS, collection);
  if (target !== undefined) return { ...annotatedLeaf(target, parameters, of), isNegated };
  const isOnSpan = annotatedLeaf('span', parameters, variable);
  const spans: Iteration = { collection: 'spans', of, variable, where: null };
  return { kind: 'quantifier', quantifier: 'any', isNegated, over: spans, test: isOnSpan };
}

/** Takes the name out of the test, since an index leads to annotations of one name. */
function narrowByName(test: Condition, except: Condition | null): AnnotationParameters {
  const operands = (test.kind === 'and' ? test.operands : [test]).filter(
    (operand) => operand.kind !== 'constant' || !operand.value,
  );
  const [named] = operands.filter((operand) => nameIn(operand) !== undefined);
  const others = operands.filter((operand) => operand !== named);
  const name = (named && nameIn(named)) ?? null;
  return { name, test: others.length === 0 ? null : joinConditions('and', others), except };
}

function nameIn(condition: Condition): string | undefined {
  if (condition.kind !== 'compare' || condition.operator !== '==') return undefined;
  const { left, right } = condition;
  const [field, literal] = left.kind === 'literal' ? [right, left] : [left, right];
  const isName = field.kind === 'field' && field.name === 'name';
  return isName && literal.kind === 'literal' && literal.type === 'text' ? literal.value : undefined;
}

/** Conditions that count annotations of the row are read of rows that have some; of the others it is known what they come to. */
function guard(condition: Condition): Condition {
  if (condition.kind === 'and' || condition.kind === 'or') {
    return { ...condition, operands: condition.operands.map(guard) };
  }
  if (condition.kind === 'quantifier') return condition;
  const counted = [...mentionsOf(condition).collections].filter(isOfAnnotations);
  if (counted.length === 0) return condition;
  const has = (isNegated: boolean) => (collection: string) =>
    hasAny({ collection, of: null, variable: 'span' }, ALWAYS, null, isNegated);
  return joinConditions('or', [
    joinConditions('and', [...counted.map(has(true)), withoutElements(condition, isOfAnnotations)]),
    joinConditions('and', [joinConditions('or', counted.map(has(false))), condition]),
  ]);
}
