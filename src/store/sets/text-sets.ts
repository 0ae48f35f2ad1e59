/** Adds to conditions on long texts what the index of words tells of them, so that few originals need be read. */
import { ESCAPES, placeBit, type SearchPlace } from '#derive/search/scope';
import { textPlace } from '#derive/search/searchable-texts';
import { wordTests } from '#derive/search/word-tests';
import { foldCase } from '#filter/compare';
import type { Condition, Literal, Value } from '#filter/tree';
import type { TextParameters } from './text-members.ts';

/** The name of the set of spans whose texts pass tests. */
export const TEXTS = 'texts';

/**
 * The condition on spans with every part that holds of texts with certain words alone joined to the set of those. It holds of the same
 * spans.
 */
export function narrowByTexts(condition: Condition): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { ...condition, operands: condition.operands.map(narrowByTexts) };
    case 'contains':
      return condition.isNegated ? condition : join(condition, condition.text, [condition.part]);
    case 'member':
      return condition.isNegated ? condition : join(condition, condition.value, condition.list);
    case 'compare': {
      const { operator, left, right, as } = condition;
      if (operator !== '==' || as === 'number' || as === 'boolean' || as === 'date') return condition;
      return left.kind === 'literal' ? join(condition, right, [left]) : join(condition, left, [right]);
    }
    default:
      return condition;
  }
}

function join(condition: Condition, value: Value, patterns: readonly Value[]): Condition {
  const place = placeOf(value);
  if (place === undefined || patterns.length > MAX_PATTERNS || !patterns.every(isText)) return condition;
  const bit = placeBit(place);
  const tested = patterns.map((pattern) => wordTests(foldCase(pattern.value)));
  if (tested.length === 0 || tested.some(({ tests }) => tests.length === 0)) return condition;
  const parameters: TextParameters = {
    places: bit,
    doubts: tested.some(({ isForPlainJson }) => isForPlainJson) ? bit | ESCAPES : bit,
    anyOf: tested.map(({ tests }) => tests),
  };
  const set = { name: TEXTS, subject: 'span', parameters } as const;
  return { kind: 'and', operands: [{ kind: 'inSet', isNegated: false, set, of: null }, condition] };
}

const MAX_PATTERNS = 32;

function isText(value: Value): value is Extract<Literal, { readonly type: 'text' }> {
  return value.kind === 'literal' && value.type === 'text';
}

/** Where the texts of a value of the span stand; `undefined` where it is no text that is indexed. */
function placeOf(value: Value): SearchPlace | undefined {
  if (value.kind === 'attribute' && value.of === null) return textPlace(value.path);
  const isMessage = value.kind === 'field' && value.of === null && !value.isOfParent && value.name === 'status_message';
  return isMessage ? 'errors' : undefined;
}
