/** Adds to conditions on long texts what the index of words tells of them, so that few originals need be read. */
import { ESCAPES, placeBit } from '#derive/search/scope';
import { type TextPlace, textPlace } from '#derive/search/searchable-texts';
import { wordTests } from '#derive/search/word-tests';
import { MAX_NARROW_TEXT } from '#derive/narrow-row';
import { type ComparedAs, foldCase } from '#filter/compare';
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
      return join(condition, condition.isNegated, condition.text, [condition.part]);
    case 'member':
      return letColumnsDecide(join(condition, condition.isNegated, condition.value, condition.list), condition.list);
    case 'compare': {
      const { operator, left, right, as } = condition;
      if ((operator !== '==' && operator !== '!=') || !AS_TEXTS.has(as)) return condition;
      const isNegated = operator === '!=';
      // What is neither a text nor a number is exactly different from nothing.
      if (isNegated && as !== 'text') return condition;
      const [literal, value] = left.kind === 'literal' ? [left, right] : [right, left];
      return letColumnsDecide(join(condition, isNegated, value, [literal]), [literal]);
    }
    default:
      return condition;
  }
}

/**
 * Columns hold all short texts, so that they tell most rows which are equal to one. The index is asked where they do not, and where it
 * knows of few rows.
 */
function letColumnsDecide(joined: Condition, texts: readonly Value[]): Condition {
  const areShort = texts.every((text) => isText(text) && text.value.length <= MAX_NARROW_TEXT);
  return areShort && (joined.kind === 'and' || joined.kind === 'or') ? { ...joined, isLastDecisive: true } : joined;
}

/** What the columns of a segment are asked before the index: the condition without what only spares reading originals. */
export function leaveToColumns(condition: Condition): Condition {
  if (condition.kind !== 'and' && condition.kind !== 'or') return condition;
  const last = condition.isLastDecisive ? condition.operands.at(-1) : undefined;
  return last ?? { ...condition, operands: condition.operands.map(leaveToColumns) };
}

/** How texts are compared with texts. */
const AS_TEXTS: ReadonlySet<ComparedAs> = new Set(['text', 'exact', 'same']);

function join(condition: Condition, isNegated: boolean, value: Value, patterns: readonly Value[]): Condition {
  const found = placeOf(value);
  if (found === undefined || patterns.length > MAX_PATTERNS || !patterns.every(isText)) return condition;
  const bit = placeBit(found.place);
  const tested = patterns.map((pattern) => wordTests(foldCase(pattern.value)));
  if (tested.length === 0 || tested.some(({ tests }) => tests.length === 0)) return condition;
  const parameters: TextParameters = {
    places: bit,
    doubts: tested.some(({ isForPlainJson }) => isForPlainJson) ? bit | ESCAPES : bit,
    anyOf: tested.map(({ tests }) => tests),
  };
  const isIn = { kind: 'inSet', set: { name: TEXTS, subject: 'span', parameters }, of: null } as const;
  const isNoText = { kind: 'absent', value, asked: 'text' } as const;
  if (isNegated) {
    const isOther = {
      kind: 'and',
      operands: [
        { ...isNoText, isNegated: true },
        { ...isIn, isNegated: true },
      ],
    } as const;
    return value.kind === 'attribute' ? { kind: 'or', operands: [isOther, condition] } : condition;
  }
  const mayHold: Condition = { ...isIn, isNegated: false };
  if (found.isText) return { kind: 'and', operands: [mayHold, condition] };
  const isOpen: Condition = { kind: 'or', operands: [{ ...isNoText, isNegated: false }, mayHold] };
  return { kind: 'and', operands: [isOpen, condition] };
}

const MAX_PATTERNS = 32;

function isText(value: Value): value is Extract<Literal, { readonly type: 'text' }> {
  return value.kind === 'literal' && value.type === 'text';
}

/** Where the texts of a value of the span stand; `undefined` where it is no text that is indexed. */
function placeOf(value: Value): TextPlace | undefined {
  if (value.kind === 'attribute' && value.of === null) return textPlace(value.path);
  const isMessage = value.kind === 'field' && value.of === null && !value.isOfParent && value.name === 'status_message';
  return isMessage ? { place: 'errors', isText: true } : undefined;
}
