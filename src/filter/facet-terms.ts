/**
 * Reads and changes the terms of a filter that a panel of facets stands for: `name == value` and `name in [values]`, joined
 * with the rest by `and`. All else of the text stays as it was written.
 */
import { formatLiteral } from './format.ts';
import { appendTerm, findTerm, readTerms, removeTerm, replaceTerm, type Term, valueOfName } from './terms.ts';
import type { Syntax } from './syntax.ts';
import type { Condition, FilterGrain, Literal } from './tree.ts';

/** What can be ticked; `null` stands for a missing value. */
export type FacetValue = string | number | boolean | null;

/**
 * The values that the filter leaves of a name, in its order; empty where it says nothing of it, or cannot be read.
 * @param name as it is written in a filter: a field, or an attribute as {@link formatAttribute} writes it
 */
export function facetValues(grain: FilterGrain, text: string, name: string): readonly FacetValue[] {
  return readFilter(grain, text, name)?.term?.found ?? [];
}

/** The filter that leaves this value of the name too; `null` where the text has errors. */
export function addFacetValue(grain: FilterGrain, text: string, name: string, value: FacetValue): string | null {
  const filter = readFilter(grain, text, name);
  if (filter === null) return null;
  const { term, syntax } = filter;
  if (term?.found.includes(value)) return text;
  if (term !== undefined) return replaceTerm(text, term, formatTerm(name, [...term.found, value]));
  return appendTerm(text, syntax, formatTerm(name, [value]));
}

/** The filter that no longer leaves this value of the name; `null` where the text has errors. */
export function removeFacetValue(grain: FilterGrain, text: string, name: string, value: FacetValue): string | null {
  const filter = readFilter(grain, text, name);
  if (filter === null) return null;
  const { term } = filter;
  if (!term?.found.includes(value)) return text;
  const rest = term.found.filter((other) => other !== value);
  return rest.length > 0 ? replaceTerm(text, term, formatTerm(name, rest)) : removeTerm(text, term);
}

interface ReadFilter {
  readonly syntax: Syntax | null;
  readonly term: Term<readonly FacetValue[]> | undefined;
}

function readFilter(grain: FilterGrain, text: string, name: string): ReadFilter | null {
  const syntax = readTerms(grain, text);
  if (syntax === undefined) return null;
  const value = valueOfName(grain, name);
  if (value === undefined) return { syntax, term: undefined };
  const key = JSON.stringify(value);
  return { syntax, term: findTerm(grain, text, syntax, (condition) => valuesLeft(condition, key)) };
}

/** What a condition leaves of a value, where it says nothing else. */
function valuesLeft(condition: Condition, value: string): readonly FacetValue[] | undefined {
  switch (condition.kind) {
    case 'compare': {
      const { operator, left, right } = condition;
      if (operator !== '==' || right.kind !== 'literal' || right.type === 'date') return undefined;
      return JSON.stringify(left) === value ? [right.value] : undefined;
    }
    case 'member':
      return !condition.isNegated && JSON.stringify(condition.value) === value
        ? condition.list.map((literal) => literal.value)
        : undefined;
    case 'absent':
      return !condition.isNegated && JSON.stringify(condition.value) === value ? [null] : undefined;
    case 'or': {
      const parts = condition.operands.map((operand) => valuesLeft(operand, value));
      const known = parts.filter((part) => part !== undefined);
      return known.length === parts.length ? known.flat() : undefined;
    }
    default:
      return undefined;
  }
}

/** Lists are of one type, so that values of several types become several comparisons. */
function formatTerm(name: string, values: readonly FacetValue[]): string {
  const comparisons = (['string', 'number', 'boolean'] as const).flatMap((type) => {
    const literals = values.filter((value) => typeof value === type).map(formatValue);
    if (literals.length === 0) return [];
    return literals.length === 1 ? [`${name} == ${literals[0] ?? ''}`] : [`${name} in [${literals.join(', ')}]`];
  });
  if (values.includes(null)) comparisons.push(`${name} is None`);
  const [first = ''] = comparisons;
  return comparisons.length === 1 ? first : `(${comparisons.join(' or ')})`;
}

function formatValue(value: FacetValue): string {
  return formatLiteral(literalOf(value));
}

function literalOf(value: FacetValue): Literal {
  if (typeof value === 'number') return { kind: 'literal', type: 'number', value, text: String(value) };
  if (typeof value === 'boolean') return { kind: 'literal', type: 'boolean', value };
  return { kind: 'literal', type: 'text', value: value ?? '' };
}
