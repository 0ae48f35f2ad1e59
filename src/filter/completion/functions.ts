/** Functions that can begin a value or a condition. */
import { CATALOGUES } from '../catalogue/all.ts';
import type { Source } from './source.ts';
import type { Suggestion } from './suggestion.ts';

/** Functions over the collections available at the cursor, and those that convert attributes. */
export function functions({ grain, elements }: Source): readonly Suggestion[] {
  const conversions = elements.size === 0 ? CONVERSIONS : [];
  const collection = collectionAt({ grain, elements });
  return collection === undefined ? conversions : [...loops(collection, elements), ...conversions];
}

function collectionAt({ grain, elements }: Pick<Source, 'grain' | 'elements'>): string | undefined {
  if (elements.size === 0) return CATALOGUES[grain].collections[0]?.name;
  for (const [variable, element] of elements) {
    const [first] = element.collections;
    if (first !== undefined) return `${variable}.${first.name}`;
  }
  return undefined;
}

function loops(collection: string, elements: Source['elements']): readonly Suggestion[] {
  const variable = ['x', 'y', 'z', 'w'].find((letter) => !elements.has(letter)) ?? 'element';
  const rest = ` for ${variable} in ${collection}`;
  const written = LOOPS.map(([name, description]) => call(name, `${variable}.`, `${rest})`, description));
  const counted = call('len', `[${variable}${rest}`, '])', 'number of elements');
  return [...written, { ...counted, cursor: counted.insert.length }];
}

const LOOPS: readonly (readonly [name: string, description: string])[] = [
  ['any', 'whether any element matches'],
  ['all', 'whether all elements match'],
  ['sum', 'sum over the elements'],
  ['max', 'largest value of the elements'],
  ['min', 'smallest value of the elements'],
];

const CONVERSIONS: readonly Suggestion[] = [
  call('float', '', ')', 'an attribute as a number'),
  call('str', '', ')', 'an attribute as a text'),
];

/** A call with the cursor between both parts of its argument. */
function call(name: string, before: string, after: string, description: string): Suggestion {
  const begin = `${name}(${before}`;
  return {
    kind: 'function',
    label: `${name}(…)`,
    insert: begin + after,
    cursor: begin.length,
    detail: 'function',
    description,
  };
}
