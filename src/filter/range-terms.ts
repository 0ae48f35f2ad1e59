/** Reads and changes the least and the most that a filter leaves of a number: `name >= min and name < max`. */
import { appendTerm, findTerm, readTerms, removeTerm, replaceTerm, valueOfName } from './terms.ts';
import type { Condition, FilterGrain } from './tree.ts';

/** One end of a range. */
export interface NumberBound {
  readonly value: number;
  /** Whether the value itself is outside. */
  readonly isExclusive: boolean;
}

/** Bounds of a number; `null`: none. */
export interface NumberRange {
  readonly min: NumberBound | null;
  readonly max: NumberBound | null;
}

type Side = keyof NumberRange;

/**
 * The bounds that the filter sets for a name by terms of their own.
 * @param name as it is written in a filter: a field, or an attribute as `formatAttribute` writes it
 */
export function numberRange(grain: FilterGrain, text: string, name: string): NumberRange {
  return {
    min: findBound(grain, text, name, 'min')?.found ?? null,
    max: findBound(grain, text, name, 'max')?.found ?? null,
  };
}

/** The filter with these bounds in place of those that it had; `null` where the text has errors. */
export function setNumberRange(grain: FilterGrain, text: string, name: string, range: NumberRange): string | null {
  const withMin = setBound(grain, text, name, 'min', range.min);
  return withMin === null ? null : setBound(grain, withMin, name, 'max', range.max);
}

function setBound(
  grain: FilterGrain,
  text: string,
  name: string,
  side: Side,
  bound: NumberBound | null,
): string | null {
  const syntax = readTerms(grain, text);
  if (syntax === undefined) return null;
  const term = findBound(grain, text, name, side);
  if (bound === null) return term === undefined ? text : removeTerm(text, term);
  if (term?.found.value === bound.value && term.found.isExclusive === bound.isExclusive) return text;
  const written = `${name} ${side === 'min' ? '>' : '<'}${bound.isExclusive ? '' : '='} ${bound.value}`;
  return term === undefined ? appendTerm(text, syntax, written) : replaceTerm(text, term, written);
}

function findBound(grain: FilterGrain, text: string, name: string, side: Side) {
  const syntax = readTerms(grain, text);
  const value = valueOfName(grain, name);
  if (syntax == null || value === undefined) return undefined;
  const key = JSON.stringify(value);
  return findTerm(grain, text, syntax, (condition) => boundOf(condition, key, side));
}

function boundOf(condition: Condition, value: string, side: Side): NumberBound | undefined {
  if (condition.kind !== 'compare') return undefined;
  const { operator, left, right } = condition;
  const [inclusive, exclusive] = side === 'min' ? (['>=', '>'] as const) : (['<=', '<'] as const);
  const isSide = operator === inclusive || operator === exclusive;
  if (!isSide || right.kind !== 'literal' || right.type !== 'number') return undefined;
  return JSON.stringify(left) === value ? { value: right.value, isExclusive: operator === exclusive } : undefined;
}
