/** Adds to conditions on long texts what the index of words tells of them, so that few originals need be read. */
import { ESCAPES, placeBit, type SearchPlace } from '#derive/search/scope';
import { textPlace } from '#derive/search/searchable-texts';
import { wordTests } from '#derive/search/word-tests';
import { annotationsAsSets } from '#filter/annotation-sets';
import { foldCase } from '#filter/compare';
import type { Condition, FilterGrain, Literal, Value } from '#filter/tree';
import type { TextParameters } from './text-members.ts';

/** The condition with all that sets tell: of annotations and texts. It holds of the same rows. */
export function withSets(condition: Condition, grain: FilterGrain): Condition {
  return narrowByTexts(annotationsAsSets(condition), new Set(grain === 'span' ? [null] : []));
}

/** The name of the set of spans whose texts pass tests. */
export const TEXTS = 'texts';

/**
 * Every condition that holds of texts with certain words alone is joined to the set of those.
 * @param spans the loop variables that stand for spans; `null` for the row itself
 */
function narrowByTexts(condition: Condition, spans: ReadonlySet<string | null>): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { ...condition, operands: condition.operands.map((operand) => narrowByTexts(operand, spans)) };
    case 'quantifier': {
      const { over, test } = condition;
      const inside = over.collection === 'spans' ? new Set([...spans, over.variable]) : spans;
      const where = over.where === null ? null : narrowByTexts(over.where, inside);
      return { ...condition, over: { ...over, where }, test: narrowByTexts(test, inside) };
    }
    case 'contains':
      return condition.isNegated ? condition : join(condition, condition.text, [condition.part], spans);
    case 'member':
      return condition.isNegated ? condition : join(condition, condition.value, condition.list, spans);
    case 'compare': {
      const { operator, left, right, as } = condition;
      if (operator !== '==' || as === 'number' || as === 'boolean' || as === 'date') return condition;
      return left.kind === 'literal' ? join(condition, right, [left], spans) : join(condition, left, [right], spans);
    }
    default:
      return condition;
  }
}

function join(
  condition: Condition,
  value: Value,
  patterns: readonly Value[],
  spans: ReadonlySet<string | null>,
): Condition {
  const text = textOf(value, spans);
  if (text === undefined || patterns.length > MAX_PATTERNS || !patterns.every(isText)) return condition;
  const bit = placeBit(text.place);
  const tested = patterns.map((pattern) => wordTests(foldCase(pattern.value)));
  if (tested.length === 0 || tested.some(({ tests }) => tests.length === 0)) return condition;
  const parameters: TextParameters = {
    places: bit,
    doubts: tested.some(({ isForPlainJson }) => isForPlainJson) ? bit | ESCAPES : bit,
    anyOf: tested.map(({ tests }) => tests),
  };
  const set = { name: TEXTS, subject: 'span', parameters } as const;
  return { kind: 'and', operands: [{ kind: 'inSet', isNegated: false, set, of: text.of }, condition] };
}

const MAX_PATTERNS = 32;

function isText(value: Value): value is Extract<Literal, { readonly type: 'text' }> {
  return value.kind === 'literal' && value.type === 'text';
}

/** Of which span the value is, and where its texts stand; `undefined` where it is no text that is indexed. */
function textOf(
  value: Value,
  spans: ReadonlySet<string | null>,
): { readonly of: string | null; readonly place: SearchPlace } | undefined {
  if (value.kind !== 'attribute' && value.kind !== 'field') return undefined;
  if (!spans.has(value.of) || (value.kind === 'field' && value.isOfParent)) return undefined;
  const place =
    value.kind === 'attribute' ? textPlace(value.path) : value.name === 'status_message' ? 'errors' : undefined;
  return place && { of: value.of, place };
}
