/** Random conditions as the checker makes them: what is joined is flat, and comparisons are of what can be compared. */
import fc from 'fast-check';
import { CATALOGUES } from './catalogue/all.ts';
import { ANNOTATION_FIELDS } from './catalogue/annotation.ts';
import type { CatalogueCollection, CatalogueField, ElementCatalogue, FieldType } from './catalogue/catalogue.ts';
import { ELEMENTS } from './catalogue/elements.ts';
import { joinConditions } from './check/join.ts';
import type { AnnotationName, Condition, FilterGrain, Iteration, Literal, SetReference, Value } from './tree.ts';

/** What can be named at a place. */
interface Place {
  readonly grain: FilterGrain;
  /** The loops around; names of the row can be named only outside of loops. */
  readonly loops: readonly { readonly variable: string; readonly element: ElementCatalogue }[];
  /** That can be asked for. */
  readonly sets: readonly SetReference[];
}

interface Typed {
  readonly type: FieldType;
  readonly value: Value;
  readonly values?: readonly string[];
}

/** Attribute paths: some plain, some that must be quoted, some that are fields too. */
const PATHS = [
  'llm.model_name',
  'a.b',
  'input.value',
  'name',
  'metadata.k',
  'tag.tags.0',
  'a-b.c d',
  "it's",
  'and.x',
  'ｎａｍｅ',
  'ü',
  'constructor',
  'toString.x',
  '__proto__',
];

/** A condition of the grain, at most so many levels deep; with sets, of which no text can be written. */
export function conditions(grain: FilterGrain, depth = 3, sets: readonly SetReference[] = []): fc.Arbitrary<Condition> {
  return conditionAt({ grain, loops: [], sets }, depth);
}

function conditionAt(place: Place, depth: number): fc.Arbitrary<Condition> {
  const leaf = fc.oneof(
    comparisons(place, depth),
    memberships(place),
    contained(place),
    absences(place, depth),
    asked(place),
    ...membershipsInSets(place),
  );
  if (depth === 0) return leaf;
  const joined = fc
    .tuple(
      fc.constantFrom<'and' | 'or'>('and', 'or'),
      fc.array(conditionAt(place, depth - 1), { minLength: 2, maxLength: 3 }),
    )
    .map(([kind, operands]) => joinConditions(kind, operands));
  return fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 2, arbitrary: joined }, ...quantifiers(place, depth - 1));
}

function quantifiers(place: Place, depth: number): readonly fc.Arbitrary<Condition>[] {
  const collections = collectionsAt(place);
  if (collections.length === 0) return [];
  return [
    fc
      .tuple(fc.constantFrom<'any' | 'all'>('any', 'all'), fc.boolean(), iterations(place, depth))
      .chain(([quantifier, isNegated, { over, inside }]) =>
        conditionAt(inside, depth).map((test) => ({ kind: 'quantifier', quantifier, isNegated, over, test }) as const),
      ),
  ];
}

function collectionsAt({ grain, loops }: Place): readonly { of: string | null; collection: CatalogueCollection }[] {
  if (loops.length === 0) return CATALOGUES[grain].collections.map((collection) => ({ of: null, collection }));
  return loops.flatMap(({ variable, element }) =>
    element.collections.map((collection) => ({ of: variable, collection })),
  );
}

function iterations(place: Place, depth: number): fc.Arbitrary<{ over: Iteration; inside: Place }> {
  const variable = `v${place.loops.length}`;
  return fc.constantFrom(...collectionsAt(place)).chain(({ of, collection }) => {
    const inside = { ...place, loops: [...place.loops, { variable, element: ELEMENTS[collection.element] }] };
    const where = depth > 0 ? fc.option(conditionAt(inside, 0)) : fc.constant(null);
    return where.map((condition) => ({
      over: { collection: collection.name, of, variable, where: condition },
      inside,
    }));
  });
}

/** What can be compared at the place. */
function values(place: Place, depth: number): fc.Arbitrary<Typed> {
  const plain = fc.constantFrom(...namedAt(place));
  const more = place.loops.length === 0 ? [attributes(), annotationMembers(place.grain)] : [];
  const simple = fc.oneof(plain, ...more);
  // Of some elements nothing is a number.
  if (depth === 0 || !namedAt(place).some(({ type }) => type === 'number')) return simple;
  const numbers = simple.filter(({ type }) => type === 'number' || type === 'any');
  const calculated = fc
    .tuple(fc.constantFrom('+', '-', '*', '/', '%'), fc.oneof(numbers, numberLiterals()), numbers, fc.boolean())
    .map(([operator, a, b, isSwapped]): Typed => {
      const [left, right] = isSwapped ? [b.value, a.value] : [a.value, b.value];
      return { type: 'number', value: { kind: 'arithmetic', operator: operator as '+', left, right } };
    });
  const nested = fc.tuple(calculated, calculated, fc.constantFrom('-', '*', '%')).map(
    ([a, b, operator]): Typed => ({
      type: 'number',
      value: { kind: 'arithmetic', operator: operator as '-', left: a.value, right: b.value },
    }),
  );
  const negated = fc
    .oneof(numbers, calculated)
    .map(({ value }): Typed => ({ type: 'number', value: { kind: 'negate', operand: value } }));
  const converted = fc
    .tuple(
      simple.filter(({ type }) => type === 'any'),
      fc.constantFrom<'number' | 'text'>('number', 'text'),
    )
    .map(([{ value }, to]): Typed => ({ type: to, value: { kind: 'convert', to, operand: value } }));
  const isAny = place.loops.length === 0;
  return fc.oneof(simple, calculated, nested, negated, ...(isAny ? [converted] : []), ...reductions(place, depth - 1));
}

function reductions(place: Place, depth: number): readonly fc.Arbitrary<Typed>[] {
  if (collectionsAt(place).length === 0) return [];
  const counted = iterations(place, depth).map(
    ({ over }): Typed => ({ type: 'number', value: { kind: 'reduction', reduction: 'len', over, value: null } }),
  );
  const reduced = fc
    .tuple(fc.constantFrom<'sum' | 'max' | 'min'>('sum', 'max', 'min'), iterations(place, depth))
    .chain(([reduction, { over, inside }]) =>
      fc
        .constantFrom(...reducible(inside, reduction))
        .map(({ type, value }): Typed => ({ type, value: { kind: 'reduction', reduction, over, value } })),
    );
  const isReducible = collectionsAt(place).every(({ collection }) => collection.element !== 'rootSpan');
  return isReducible ? [counted, reduced] : [counted];
}

function reducible(place: Place, reduction: 'sum' | 'max' | 'min'): readonly Typed[] {
  return namedAt(place).filter(({ type }) => type === 'number' || (type === 'date' && reduction !== 'sum'));
}

function namedAt({ grain, loops }: Place): readonly Typed[] {
  if (loops.length === 0) return CATALOGUES[grain].fields.map((field) => typed(field, null, false));
  return loops.flatMap(({ variable, element }) => [
    ...element.fields.map((field) => typed(field, variable, false)),
    ...(element.hasParent ? element.fields.map((field) => typed(field, variable, true)) : []),
  ]);
}

function typed(
  { name, type, values: known, attributePath }: CatalogueField,
  of: string | null,
  isOfParent: boolean,
): Typed {
  const value: Value =
    attributePath === undefined
      ? { kind: 'field', name, of, isOfParent }
      : { kind: 'attribute', path: attributePath, of };
  return known === undefined ? { type, value } : { type, value, values: known };
}

function attributes(): fc.Arbitrary<Typed> {
  const path = fc.oneof(
    fc.constantFrom(...PATHS),
    fc
      .array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 3 })
      .map((keys) => keys.join('.')),
  );
  const isTyped = (candidate: string) =>
    Object.values(CATALOGUES).some(({ fields }) => fields.some(({ attributePath }) => attributePath === candidate));
  return path
    .filter((candidate) => !isTyped(candidate) && !candidate.includes('\0'))
    .map((candidate) => ({ type: 'any', value: { kind: 'attribute', path: candidate, of: null } }));
}

function annotationNames(grain: FilterGrain): fc.Arbitrary<AnnotationName> {
  const targets = [...new Set(Object.values(CATALOGUES[grain].annotations))];
  return fc.record({ target: fc.constantFrom(...targets), name: fc.constantFrom('quality', "it's", 'a b', 'é') });
}

function annotationMembers(grain: FilterGrain): fc.Arbitrary<Typed> {
  return fc
    .tuple(annotationNames(grain), fc.constantFrom(...ANNOTATION_FIELDS))
    .map(([annotation, { name, type, values: known }]) => ({
      type,
      value: { kind: 'annotation', annotation, member: name as 'score' },
      ...(known && { values: known }),
    }));
}

function numberLiterals(): fc.Arbitrary<{ value: Literal }> {
  const number = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom('1.0', '12345678901234567890', '-0', '1e300'),
  );
  return number.map((text) => ({ value: { kind: 'literal', type: 'number', value: Number(text), text } }));
}

function literals(type: FieldType, known: readonly string[] | undefined): fc.Arbitrary<Literal> {
  switch (type) {
    case 'number':
      return numberLiterals().map(({ value }) => value);
    case 'boolean':
      return fc.boolean().map((value) => ({ kind: 'literal', type: 'boolean', value }));
    case 'date':
      return fc.integer({ min: -1e12, max: 4e15 }).map((value) => ({ kind: 'literal', type: 'date', value }));
    case 'text':
    case 'any': {
      const text = fc.string({ unit: 'binary' }).filter((candidate) => !candidate.includes('\0'));
      return (known === undefined ? text : fc.constantFrom(...known)).map((value) => ({
        kind: 'literal',
        type: 'text',
        value,
      }));
    }
  }
}

const EQUALITIES = ['==', '!='] as const;
const OPERATORS = ['==', '!=', '<', '<=', '>', '>='] as const;

function comparisons(place: Place, depth: number): fc.Arbitrary<Condition> {
  return values(place, Math.min(depth, 1)).chain((left) => {
    const type =
      left.type === 'any' ? fc.constantFrom<FieldType>('text', 'number', 'boolean', 'any') : fc.constant(left.type);
    return type.chain((as) => {
      const isOrdered = as !== 'boolean' && (as !== 'text' || left.values === undefined);
      const operator = fc.constantFrom(...(isOrdered ? OPERATORS : EQUALITIES));
      const right = as === 'any' ? attributes().map(({ value }) => value) : literals(as, left.values);
      return fc.tuple(operator, right).map(([sign, value]): Condition => {
        const isEquality = sign === '==' || sign === '!=';
        const comparedAs = as === 'any' ? (isEquality ? 'same' : 'number') : as;
        return { kind: 'compare', operator: sign, left: left.value, right: value, as: comparedAs };
      });
    });
  });
}

function memberships(place: Place): fc.Arbitrary<Condition> {
  return values(place, 0).chain(({ type, value, values: known }) =>
    fc
      .tuple(fc.boolean(), fc.array(literals(type, known), { maxLength: 3 }))
      .map(([isNegated, list]) => ({ kind: 'member', isNegated, value, list })),
  );
}

function contained(place: Place): fc.Arbitrary<Condition> {
  const text = values(place, 0).filter(({ type }) => type === 'text' || type === 'any');
  const part = fc.oneof(
    literals('text', undefined),
    text.map(({ value }) => value),
  );
  if (!namedAt(place).some(({ type }) => type === 'text')) return absences(place, 0);
  return fc
    .tuple(fc.boolean(), text, part)
    .map(([isNegated, { value }, wanted]) => ({ kind: 'contains', isNegated, text: value, part: wanted }));
}

function absences(place: Place, depth: number): fc.Arbitrary<Condition> {
  return fc
    .tuple(fc.boolean(), values(place, Math.min(depth, 1)))
    .map(([isNegated, { value }]) => ({ kind: 'absent', isNegated, value }));
}

/** Of the row, or of any element around that is a span or trace. */
function membershipsInSets({ grain, loops, sets }: Place): readonly fc.Arbitrary<Condition>[] {
  const rows = [
    { of: null, name: grain },
    ...loops.flatMap(({ variable, element: { name } }) =>
      name === 'span' || name === 'trace' ? [{ of: variable, name }] : [],
    ),
  ];
  const asked = rows.flatMap(({ of, name }) =>
    sets.filter(({ subject }) => GRAINS.indexOf(subject) >= GRAINS.indexOf(name)).map((set) => ({ set, of })),
  );
  if (asked.length === 0) return [];
  return [
    fc
      .tuple(fc.boolean(), fc.constantFrom(...asked))
      .map(([isNegated, { set, of }]): Condition => ({ kind: 'inSet', isNegated, set, of })),
  ];
}

/** Each is owned by the next. */
const GRAINS: readonly FilterGrain[] = ['span', 'trace', 'session'];

/** What is asked for by itself. */
function asked({ grain, loops }: Place): fc.Arbitrary<Condition> {
  const constant = fc.boolean().map((value): Condition => ({ kind: 'constant', value }));
  const of = loops.filter(({ element }) => element.hasParent).map(({ variable }) => variable);
  const parents = loops.length === 0 && CATALOGUES[grain].hasParent ? [null] : of;
  const parentless = fc
    .tuple(fc.boolean(), fc.constantFrom(...parents, null))
    .map(([isNegated, variable]): Condition => ({ kind: 'parentless', isNegated, of: variable }));
  const annotated = fc
    .tuple(fc.boolean(), annotationNames(grain))
    .map(([isNegated, annotation]): Condition => ({ kind: 'annotated', isNegated, annotation }));
  return fc.oneof(
    constant,
    ...(parents.length > 0 && loops.length === 0 ? [parentless] : []),
    ...(loops.length === 0 ? [annotated] : []),
  );
}
