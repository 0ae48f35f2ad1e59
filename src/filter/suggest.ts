/** What can be written at the cursor of a filter bar. */
import { CATALOGUES } from './catalogue/all.ts';
import type { ElementCatalogue } from './catalogue/catalogue.ts';
import { ANY_TEXTS } from './catalogue/session.ts';
import { ANNOTATION_FIELDS } from './catalogue/annotation.ts';
import { functions } from './completion/functions.ts';
import { annotationMember, elementsOf, fieldOf, typeOf } from './completion/names.ts';
import { isCondition, operators } from './completion/operators.ts';
import { findCursorContext } from './completion/cursor-context.ts';
import type { Observed, Source } from './completion/source.ts';
import {
  annotation,
  attribute,
  collection,
  CONNECTIVES,
  field,
  keyword,
  type Suggestion,
} from './completion/suggestion.ts';
import { formatAttribute } from './format.ts';
import { quoteText } from './lex-text.ts';
import { own } from './own.ts';
import type { FilterGrain } from './tree.ts';

/** What can stand at the cursor. */
export interface Suggestions {
  /** What a suggestion replaces. */
  readonly start: number;
  readonly end: number;
  /** Best first, at most {@link MAX_SUGGESTIONS}. */
  readonly items: readonly Suggestion[];
  /** The field or attribute path whose values fit there, for callers that can look them up. */
  readonly valuesOf: string | null;
}

/** Suggestions shown at once. */
export const MAX_SUGGESTIONS = 50;

/** What can be written at the cursor. */
export function suggest(grain: FilterGrain, text: string, offset: number, observed: Observed = {}): Suggestions {
  const context = findCursorContext(text, offset);
  // A loop's variable is not there yet where its collection is chosen.
  const elements = elementsOf(grain, context.expected === 'collection' ? context.loops.slice(1) : context.loops);
  const source: Source = { grain, context, elements, observed };
  const items = rank(itemsAt(source), context.prefix);
  const takesValues = context.expected === 'value' || context.expected === 'list';
  const named = takesValues ? valueName(source) : null;
  return { ...context.range, items: items.slice(0, MAX_SUGGESTIONS), valuesOf: named };
}

function itemsAt(source: Source): readonly Suggestion[] {
  const { context } = source;
  switch (context.expected) {
    case 'operand':
      return context.isQuoted ? [] : [...names(source), ...functions(source), keyword('not', 'the opposite')];
    case 'operator':
      return [...operators(source), ...(isCondition(source) ? CONNECTIVES : [])];
    case 'value':
      return [...values(source), ...(context.isQuoted || context.prefix === '' ? [] : names(source))];
    case 'list':
      return lists(source);
    case 'constant':
      return [
        keyword('None', 'missing'),
        keyword('not None', 'not missing'),
        keyword('True', ''),
        keyword('False', ''),
      ];
    case 'connective':
      return context.loops.length > 0
        ? [...CONNECTIVES, keyword('for', 'a loop'), keyword('if', 'only matching elements')]
        : CONNECTIVES;
    case 'collection':
      return collections(source);
    case 'in':
      return [keyword('in', 'a list or a text')];
    case 'member':
      return members(source);
    case 'key':
      return keys(source);
    case 'variable':
      return [];
  }
}

function names({ grain, elements, observed }: Source): readonly Suggestion[] {
  if (elements.size > 0) return [...elements].flatMap(([variable, element]) => elementNames(variable, element));
  const { fields, hasParent, hasOpenNames, annotations } = CATALOGUES[grain];
  const parent = {
    kind: 'field',
    label: 'parent_span',
    insert: 'parent_span',
    detail: 'span',
    description: 'whether it has a stored parent',
  } as const;
  const paths = observed.attributePaths ?? [];
  return [
    ...fields.map(({ name, type, description }) => field(name, type, description)),
    ...(hasParent ? [parent] : []),
    ...(grain === 'session'
      ? Object.entries(ANY_TEXTS).map(([name, { description }]) => field(name, 'text', description))
      : []),
    ...paths
      .filter((path) => fieldOf(grain, elements, path) === undefined)
      .map((path) => attribute(formatAttribute(grain, path))),
    ...Object.entries(annotations).flatMap(([name, target]) =>
      name === 'evals'
        ? []
        : (observed.annotationNames?.[target] ?? []).map((known) => annotation(`${name}[${quoteText(known)}]`, target)),
    ),
    ...Object.entries(annotations).map(([name, target]) => ({
      ...annotation(`${name}['']`, target),
      label: `${name}['…']`,
      cursor: name.length + 2,
    })),
    {
      ...attribute("attributes['']"),
      label: "attributes['…']",
      cursor: 12,
      description: hasOpenNames ? 'an attribute by its key' : 'an attribute of the root span',
    },
  ];
}

function elementNames(variable: string, { fields, hasParent }: ElementCatalogue): readonly Suggestion[] {
  const own = fields.map(({ name, type, description }) => field(`${variable}.${name}`, type, description));
  return hasParent ? [...own, field(`${variable}.parent_span`, 'any', 'the stored parent, or one of its fields')] : own;
}

/** What values are looked up by: a field's name or an attribute's path. */
function valueName({ grain, elements, context }: Source): string | null {
  const { left } = context;
  if (left === null) return null;
  const known = fieldOf(grain, elements, left);
  if (known !== undefined) return elements.size === 0 ? (known.attributePath ?? known.name) : null;
  const key = /^attributes\[(['"])([^'"]*)\1\]$/.exec(left)?.[2];
  return key ?? (typeOf(grain, elements, left) === 'any' && /^[\w.]+$/.test(left) ? left : null);
}

function values(source: Source): readonly Suggestion[] {
  const { grain, elements, context, observed } = source;
  const left = context.left ?? '';
  const known = fieldOf(grain, elements, left) ?? annotationMember(left);
  const seen = observed.values?.get(valueName(source) ?? '') ?? [];
  const listed = [
    ...(known?.values ?? []),
    ...seen.filter((value) => !(known?.values ?? []).some((other) => other === value)),
  ];
  const truths = known?.type === 'boolean' ? [true, false] : [];
  return [...listed, ...truths].flatMap((value) => {
    if (value === null) return [];
    const insert =
      typeof value === 'string'
        ? quoteText(value)
        : typeof value === 'boolean'
          ? value
            ? 'True'
            : 'False'
          : String(value);
    return [
      {
        kind: 'value',
        label: String(value),
        insert,
        detail: typeof value === 'string' ? 'text' : typeof value,
        description: '',
      } as const,
    ];
  });
}

function lists(source: Source): readonly Suggestion[] {
  const { grain, elements, context, observed } = source;
  if (/^['"]/.test(context.left ?? '')) {
    const texts = names(source).filter(({ kind, detail }) => kind === 'attribute' || detail === 'text');
    const isUnknown = observed.attributePaths === undefined && elements.size === 0 && CATALOGUES[grain].hasOpenNames;
    return isUnknown ? [...texts, attribute('input.value'), attribute('output.value')] : texts;
  }
  const known = values(source);
  if (context.isInList) return known;
  const listed = known.map((value) => ({ ...value, insert: `[${value.insert}]`, cursor: value.insert.length + 1 }));
  return [...listed, EMPTY_LIST];
}

const EMPTY_LIST: Suggestion = {
  kind: 'operator',
  label: '[…]',
  insert: '[]',
  cursor: 1,
  detail: 'list',
  description: 'a list of values',
};

function collections({ grain, elements }: Source): readonly Suggestion[] {
  const nested = [...elements].flatMap(([variable, element]) =>
    element.collections.map(({ name, description }) => collection(`${variable}.${name}`, description)),
  );
  if (elements.size > 0) return nested;
  return CATALOGUES[grain].collections.map(({ name, description }) => collection(name, description));
}

function members({ context }: Source): readonly Suggestion[] {
  if (!/annotations\[|evals\[/.test(context.left ?? '')) return [];
  return ANNOTATION_FIELDS.map(({ name, type, description }) => field(name, type, description));
}

function keys({ grain, context, observed }: Source): readonly Suggestion[] {
  const root = context.left ?? '';
  const target = own(CATALOGUES[grain].annotations, root);
  if (target !== undefined)
    return (observed.annotationNames?.[target] ?? []).map((name) => annotation(quoteText(name), target));
  const paths = observed.attributePaths ?? [];
  const known =
    root === 'metadata' ? paths.filter((path) => path.startsWith('metadata.')).map((path) => path.slice(9)) : paths;
  return root === 'attributes' || root === 'metadata' ? known.map((path) => attribute(quoteText(path))) : [];
}

/** Those whose beginning, or else a part of which is written already; in their order. */
function rank(items: readonly Suggestion[], prefix: string): readonly Suggestion[] {
  const wanted = prefix.toLowerCase();
  if (wanted === '') return items;
  const plain = ({ label }: Suggestion) => label.toLowerCase().replace(/^['"]/, '');
  const first = items.filter((item) => plain(item).startsWith(wanted));
  return [...first, ...items.filter((item) => !first.includes(item) && plain(item).includes(wanted))];
}
