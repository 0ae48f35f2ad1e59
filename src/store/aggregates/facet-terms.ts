/** Which terms of a filter are a facet's own, so that the facet can count what they exclude. */
import type { Condition, Value } from '#filter/tree';
import type { Dimension } from './port.ts';

/** A filter in parts that must all hold. */
export interface FilterParts {
  /** What no facet leaves out. */
  readonly common: Condition | null;
  /** For each dimension its own terms, `null` where there are none. */
  readonly own: readonly (Condition | null)[];
}

/** Takes the terms that ask for one of the dimensions and nothing else out of a filter; `null` is a facet that leaves nothing out. */
export function takeOwnTerms(condition: Condition | null, dimensions: readonly (Dimension | null)[]): FilterParts {
  const terms = condition === null ? [] : condition.kind === 'and' ? condition.operands : [condition];
  const places = new Map(dimensions.map((dimension, place) => [dimension && keyOf(dimension), place]));
  const own: Condition[][] = dimensions.map(() => []);
  const common: Condition[] = [];
  for (const term of terms) {
    const place = places.get(soleDimension(term) ?? NO_DIMENSION);
    (place === undefined ? common : (own[place] ?? common)).push(term);
  }
  return { common: allOf(common), own: own.map(allOf) };
}

const NO_DIMENSION = '';

function allOf(terms: readonly Condition[]): Condition | null {
  const [first, ...others] = terms;
  if (first === undefined) return null;
  return others.length === 0 ? first : { kind: 'and', operands: terms };
}

function keyOf(dimension: Dimension): string {
  return dimension.kind === 'field' ? `field ${dimension.name}` : `attribute ${dimension.path}`;
}

/** The one dimension that a condition is about; `undefined` where it is about none, several, or anything else. */
function soleDimension(condition: Condition): string | undefined {
  const found = new Set<string>();
  return findDimensions(condition, found) && found.size === 1 ? found.values().next().value : undefined;
}

/** Gathers dimensions; `false` where there is something else. */
function findDimensions(condition: Condition, found: Set<string>): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.operands.every((operand) => findDimensions(operand, found));
    case 'compare':
      return isOfDimensions(condition.left, found) && isOfDimensions(condition.right, found);
    case 'member':
    case 'absent':
      return isOfDimensions(condition.value, found);
    case 'contains':
      return isOfDimensions(condition.text, found) && isOfDimensions(condition.part, found);
    default:
      return false;
  }
}

function isOfDimensions(value: Value, found: Set<string>): boolean {
  switch (value.kind) {
    case 'literal':
      return true;
    case 'field':
    case 'attribute':
      if (value.of !== null || (value.kind === 'field' && value.isOfParent)) return false;
      found.add(keyOf(value));
      return true;
    case 'convert':
    case 'negate':
      return isOfDimensions(value.operand, found);
    case 'arithmetic':
      return isOfDimensions(value.left, found) && isOfDimensions(value.right, found);
    default:
      return false;
  }
}
