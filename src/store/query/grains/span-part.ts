/** Parts of filters that are of single spans, any of a row or its root: columns tell those. */
import type { Condition, Iteration, Value } from '#filter/tree';
import type { SpanBatch } from '../../columns/batch.ts';
import { narrowByTexts } from '../../sets/text-sets.ts';
import { type BatchFilter, compileForBatch } from '../compile-for-batch.ts';
import { COST_DETAILS } from '../cost-details.ts';
import type { LookedUp } from '../lookups.ts';
import { NO, narrow, UNCERTAIN, type Verdicts, YES } from '../verdicts.ts';
import type { Verdict } from '../partial-condition.ts';

/** `any` or `all` over spans, or what is asked of the root span, in terms of single spans. */
export interface SpanPart {
  /** Whether any span of the row decides it, or its root alone. */
  readonly of: 'any' | 'root';
  /** What is said of the row where one of them decides it, and where none does. */
  readonly ofDecided: Verdict;
  readonly ofOthers: Verdict;
  readonly columns: BatchFilter['columns'];
  readonly attributes: BatchFilter['attributes'];
  readonly lookups: BatchFilter['lookups'];
  readonly sets: BatchFilter['sets'];
  /** Whether a span decides it. */
  readonly decide: (batch: SpanBatch, lookedUp?: LookedUp) => Verdicts;
}

/** The part as such; `undefined` where a span does not suffice to decide it. */
export function toSpanPart(part: Condition): SpanPart | undefined {
  if (part.kind !== 'quantifier' || part.over.collection !== 'spans' || part.over.of !== null) return undefined;
  const { over, test, isNegated } = part;
  const names: Names = {
    variable: over.variable,
    field: (name) => (FIELDS.has(name) ? { kind: 'field', name, of: null, isOfParent: false } : undefined),
    attribute: () => undefined,
  };
  const tested = onSpan(test, names);
  const where = over.where === null ? null : onSpan(over.where, names);
  if (tested === undefined || where === undefined) return undefined;
  const isAny = part.quantifier === 'any';
  const [whether, which] = [compileForBatch(tested), where && compileForBatch(where)];
  return {
    of: 'any',
    ofDecided: isAny === isNegated ? NO : YES,
    ofOthers: isAny === isNegated ? YES : NO,
    columns: [...new Set([...whether.columns, ...(which?.columns ?? [])])],
    attributes: [],
    lookups: new Set([...whether.lookups, ...(which?.lookups ?? [])]),
    sets: [...whether.sets, ...(which?.sets ?? [])],
    decide(batch, lookedUp) {
      const verdicts = whether.decide(batch, lookedUp);
      if (!isAny) negate(verdicts);
      if (which !== null) narrow(verdicts, which.decide(batch, lookedUp));
      return verdicts;
    },
  };
}

/**
 * What is asked of the root span as such; `undefined` where anything else is asked for.
 * @param paths the attributes that fields stand for, by their names
 */
export function toRootPart(part: Condition, paths: ReadonlyMap<string, string>): SpanPart | undefined {
  const asked = onSpan(part, {
    variable: null,
    field: (name) => {
      const path = paths.get(name);
      return path === undefined ? undefined : { kind: 'attribute', path, of: null };
    },
    attribute: (path) => ({ kind: 'attribute', path, of: null }),
  });
  if (asked === undefined) return undefined;
  return { ...compileForBatch(narrowByTexts(asked)), of: 'root', ofDecided: YES, ofOthers: NO };
}

function negate(verdicts: Verdicts): void {
  for (let row = 0; row < verdicts.length; row++) {
    const verdict = verdicts[row];
    if (verdict !== UNCERTAIN) verdicts[row] = verdict === YES ? NO : YES;
  }
}

/** How names of a part are those of a span; `undefined` for what is not of the span alone. */
interface Names {
  /** The loop variable; `null` for the row itself. */
  readonly variable: string | null;
  readonly field: (name: string) => Value | undefined;
  readonly attribute: (path: string) => Value | undefined;
}

/** The condition as one on a span; `undefined` where it asks for other spans. */
function onSpan(condition: Condition, names: Names): Condition | undefined {
  switch (condition.kind) {
    case 'constant':
      return condition;
    case 'and':
    case 'or': {
      const operands = condition.operands.map((operand) => onSpan(operand, names));
      const known = operands.filter((operand) => operand !== undefined);
      return known.length === operands.length ? { ...condition, operands: known } : undefined;
    }
    case 'compare': {
      const [left, right] = [valueOfSpan(condition.left, names), valueOfSpan(condition.right, names)];
      return left && right && { ...condition, left, right };
    }
    case 'contains': {
      const [text, part] = [valueOfSpan(condition.text, names), valueOfSpan(condition.part, names)];
      return text && part && { ...condition, text, part };
    }
    case 'member':
    case 'absent': {
      const value = valueOfSpan(condition.value, names);
      return value && { ...condition, value };
    }
    case 'parentless':
      return names.variable !== null && condition.of === names.variable ? { ...condition, of: null } : undefined;
    case 'quantifier': {
      const { over } = condition;
      if (!isOfCosts(over, names)) return undefined;
      return isOf([over.where, condition.test], over.variable)
        ? { ...condition, over: { ...over, of: null } }
        : undefined;
    }
    case 'inSet':
      return names.variable !== null && condition.of === names.variable ? { ...condition, of: null } : undefined;
    case 'annotated':
      return undefined;
  }
}

function valueOfSpan(value: Value, names: Names): Value | undefined {
  switch (value.kind) {
    case 'literal':
      return value;
    case 'field':
      return value.of === names.variable && !value.isOfParent ? names.field(value.name) : undefined;
    case 'attribute':
      return value.of === names.variable ? names.attribute(value.path) : undefined;
    case 'arithmetic': {
      const [left, right] = [valueOfSpan(value.left, names), valueOfSpan(value.right, names)];
      return left && right && { ...value, left, right };
    }
    case 'negate':
    case 'convert': {
      const operand = valueOfSpan(value.operand, names);
      return operand && { ...value, operand };
    }
    case 'reduction': {
      const { over } = value;
      if (!isOfCosts(over, names)) return undefined;
      return isOf([over.where, value.value], over.variable) ? { ...value, over: { ...over, of: null } } : undefined;
    }
    case 'annotation':
      return undefined;
  }
}

function isOfCosts({ collection, of }: Iteration, { variable }: Names): boolean {
  return collection === COST_DETAILS && variable !== null && of === variable;
}

/** Fields of elements that columns hold; those of subtrees need other spans. */
const FIELDS: ReadonlySet<string> = new Set([
  'name',
  'parent_id',
  'user_id',
  'session_id',
  'span_kind',
  'model_name',
  'status_code',
  'start_time',
  'end_time',
  'latency_ms',
  'llm_token_count_prompt',
  'llm_token_count_completion',
  'llm_token_count_total',
]);

/** Whether trees name nothing but the loop variable. */
function isOf(nodes: readonly unknown[], variable: string): boolean {
  return nodes.every((node) => {
    if (typeof node !== 'object' || node === null) return true;
    if ('of' in node && node.of !== variable) return false;
    return isOf(Object.values(node), variable);
  });
}
