/** What spans are counted by, as clients write it: a field or a path of attributes in the words of the filter language. */
import { AppError } from '#base/errors';
import { formatFilter } from '#filter/format';
import { parseFilter } from '#filter/parse-filter';
import type { Condition, FilterGrain, Literal } from '#filter/tree';
import type { Dimension, DimensionValue } from '#store/aggregates/port';
import { describeErrors } from '../../filters/operations.ts';

/** All of a list. @throws AppError `invalid_argument` where there are more than `most`, before any is read */
export function readDimensions(
  texts: readonly string[],
  most: number,
  grain: FilterGrain = 'span',
): readonly Dimension[] {
  if (texts.length <= most) return texts.map((text) => readDimension(text, grain));
  throw new AppError(
    'invalid_argument',
    `${NOUNS[grain]} can be counted by at most ${most} fields or attributes at once, not ${texts.length}.`,
  );
}

const NOUNS: Readonly<Record<FilterGrain, string>> = { span: 'Spans', trace: 'Traces', session: 'Sessions' };

const EXAMPLES: Readonly<Record<FilterGrain, string>> = {
  span: 'one field, such as span_kind, or one attribute, such as llm.model_name',
  trace: "one field, such as latency_ms, or one attribute, such as attributes['deployment.environment']",
  session: "one field, such as duration_ms, or one attribute, such as attributes['deployment.environment']",
};

/** @throws AppError `invalid_argument` where it is neither */
function readDimension(text: string, grain: FilterGrain): Dimension {
  const { condition, diagnostics } = parseFilter(grain, `${text.slice(0, MAX_LENGTH)} is None`);
  if (text.length <= MAX_LENGTH && condition?.kind === 'absent' && !condition.isNegated) {
    const { value } = condition;
    if (value.kind === 'field' || value.kind === 'attribute') return value;
  }
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  const why = describeErrors(diagnostics) ?? `name ${EXAMPLES[grain]}`;
  throw new AppError('invalid_argument', `${NOUNS[grain]} cannot be counted by ${shown}: ${why}.`);
}

/** More than any name of an attribute has that spans are told apart by. */
const MAX_LENGTH = 1024;

/** The filter that is true of the rows that have the value. */
export function formatValueFilter(grain: FilterGrain, dimension: Dimension, value: DimensionValue): string {
  const literal = toLiteral(value);
  const condition: Condition =
    literal === null
      ? { kind: 'absent', isNegated: false, value: dimension }
      : { kind: 'compare', operator: '==', left: dimension, right: literal, as: 'exact' };
  return formatFilter(grain, condition);
}

/** The value as JSON can carry it: an integer beyond 2^53 as its digits. */
export function presentValue({ value, text }: DimensionValue): DimensionValue['value'] {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value;
}

const MAX_SHOWN = 100;

function toLiteral({ value, text }: DimensionValue): Literal | null {
  switch (typeof value) {
    case 'string':
      return { kind: 'literal', type: 'text', value };
    case 'number':
      return { kind: 'literal', type: 'number', value, text };
    case 'boolean':
      return { kind: 'literal', type: 'boolean', value };
    default:
      return null;
  }
}
