/** Operators that can follow a value, by its type. */
import { typeOf } from './names.ts';
import type { Source } from './source.ts';
import { operator, type Suggestion } from './suggestion.ts';

/** Whether what is before is true or false by itself. */
export function isCondition({ grain, elements, context }: Source): boolean {
  const type = typeOf(grain, elements, context.left ?? '');
  return type === 'annotation' || type === 'boolean' || /^(?:any|all)\(|^(?:True|False)$/.test(context.left ?? '');
}

/** What can compare the value before. */
export function operators({ grain, elements, context }: Source): readonly Suggestion[] {
  const left = context.left ?? '';
  const type = typeOf(grain, elements, left);
  const absence = [operator('is None', 'missing'), operator('is not None', 'not missing')];
  if (type === 'parent') return absence;
  if (type === 'annotation' || /^(?:any|all)\(/.test(left)) return [];
  const isText = /^['"]/.test(left);
  if (isText || type === 'texts')
    return [operator('in', 'contained in a text'), operator('not in', 'not contained in a text')];
  const equality = [operator('==', 'equal'), operator('!=', 'not equal')];
  if (type === 'boolean') return equality;
  const order = ['<', '<=', '>', '>='].map((sign) => operator(sign, ORDERS[sign] ?? ''));
  const lists = [operator('in', 'in a list'), operator('not in', 'not in a list')];
  return type === 'number' || type === 'date'
    ? [...order, ...equality, ...lists, ...absence]
    : [...equality, ...lists, ...absence, ...(type === 'text' ? [] : order)];
}

const ORDERS: Readonly<Record<string, string>> = {
  '<': 'less',
  '<=': 'less than or equal',
  '>': 'greater',
  '>=': 'greater than or equal',
};
