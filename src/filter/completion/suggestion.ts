/** Suggestions, as a filter bar shows them. */
import type { FieldType } from '../catalogue/catalogue.ts';
import type { AnnotationName } from '../tree.ts';

/** What stands behind a suggestion. */
export type SuggestionKind =
  | 'field'
  | 'attribute'
  | 'annotation'
  | 'collection'
  | 'function'
  | 'operator'
  | 'keyword'
  | 'value';

/** Something that can be written. */
export interface Suggestion {
  readonly kind: SuggestionKind;
  readonly label: string;
  /** The text that replaces the range; the cursor then goes after it, or to its offset `cursor`. */
  readonly insert: string;
  readonly cursor?: number;
  /** A type or unit, in a word. */
  readonly detail: string;
  readonly description: string;
}

export function field(name: string, type: FieldType, description: string): Suggestion {
  return { kind: 'field', label: name, insert: name, detail: type, description };
}

export function attribute(text: string): Suggestion {
  return { kind: 'attribute', label: text, insert: text, detail: 'attribute', description: '' };
}

export function annotation(text: string, target: AnnotationName['target']): Suggestion {
  return {
    kind: 'annotation',
    label: text,
    insert: text,
    detail: 'annotation',
    description: `an annotation of the ${target}`,
  };
}

export function collection(name: string, description: string): Suggestion {
  return { kind: 'collection', label: name, insert: name, detail: 'collection', description };
}

export function operator(text: string, description: string): Suggestion {
  return { kind: 'operator', label: text, insert: text, detail: 'operator', description };
}

export function keyword(text: string, description: string): Suggestion {
  return { kind: 'keyword', label: text, insert: text, detail: 'keyword', description };
}

export const CONNECTIVES: readonly Suggestion[] = [keyword('and', 'both'), keyword('or', 'either one')];
