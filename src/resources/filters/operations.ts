/** Filters as clients write them. */
import { AppError } from '#base/errors';
import type { Diagnostic } from '#filter/diagnostic';
import { MAX_FILTER_LENGTH } from '#filter/limits';
import { parseFilter } from '#filter/parse-filter';
import type { Condition, FilterGrain } from '#filter/tree';

/**
 * What a filter means; `undefined` where there is none, or an empty one.
 * @throws AppError `invalid_argument` that names what is wrong
 */
export function readFilter(grain: FilterGrain, text: string | null | undefined): Condition | undefined {
  if (text === null || text === undefined) return undefined;
  const { condition, diagnostics } = parseOnce(grain, text);
  const message = describeErrors(diagnostics);
  if (message !== null) throw new AppError('invalid_argument', `Invalid filter: ${message}`);
  return condition ?? undefined;
}

/**
 * The filter of a parameter of REST, where an empty text is none and blanks are a mistake.
 * @throws AppError `invalid_argument` that names what is wrong
 */
export function readFilterParameter(grain: FilterGrain, text: string | undefined): Condition | undefined {
  const condition = readFilter(grain, text);
  if (condition !== undefined || text === undefined || text === '') return condition;
  throw new AppError('invalid_argument', 'Invalid filter: it is blank; omit it, or write a condition.');
}

/**
 * What {@link parseFilter} says. A text that is given again and again, as by many fields of one operation, is read once:
 * a long one takes a tenth of a second.
 */
export function parseOnce(grain: FilterGrain, text: string): ReturnType<typeof parseFilter> {
  const key = `${grain} ${text}`;
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const result = parseFilter(grain, text);
  if (parsed.size >= MAX_PARSED) parsed.clear();
  if (text.length <= MAX_FILTER_LENGTH) parsed.set(key, result);
  return result;
}

const parsed = new Map<string, ReturnType<typeof parseFilter>>();

/** As many of the longest as a request can hold. */
const MAX_PARSED = 16;

/** All errors in one text, `null` for none. */
export function describeErrors(diagnostics: readonly Diagnostic[]): string | null {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return null;
  const told = errors.slice(0, MAX_TOLD).map(({ message, start }) => `${message} (at character ${start + 1})`);
  const untold = errors.length - told.length;
  return untold === 0 ? told.join('; ') : `${told.join('; ')}; and ${untold} more`;
}

/** Errors of one filter that are told in one message: the first ones often explain the others. */
const MAX_TOLD = 5;

/** Whether only spans without a parent, or without a stored one, can match. */
export function selectsRootsOnly(condition: Condition): boolean {
  switch (condition.kind) {
    case 'constant':
      return !condition.value;
    case 'and':
      return condition.operands.some(selectsRootsOnly);
    case 'or':
      return condition.operands.every(selectsRootsOnly);
    case 'parentless':
      return condition.of === null && !condition.isNegated;
    case 'absent':
      return !condition.isNegated && isParentId(condition.value);
    default:
      return false;
  }
}

function isParentId(value: Extract<Condition, { readonly kind: 'absent' }>['value']): boolean {
  return value.kind === 'field' && value.name === 'parent_id' && value.of === null && !value.isOfParent;
}
