/** What the checker knows at a place of a filter. */
import type { CatalogueField, ElementCatalogue, FieldType, GrainCatalogue } from '../catalogue/catalogue.ts';
import { type DiagnosticList, quote, type Range } from '../diagnostic.ts';
import { MAX_ANNOTATION_NAMES } from '../limits.ts';
import type { Syntax } from '../syntax.ts';
import type { AnnotationName, Condition, Value } from '../tree.ts';

/** A loop around the place. */
export interface Loop {
  readonly variable: string;
  readonly element: ElementCatalogue;
  readonly outer: Loop | null;
}

/** What can be compared, asked for, or walked through. */
export type Operand = Range &
  (
    | ValueOperand
    | { readonly kind: 'none' }
    | { readonly kind: 'parent'; readonly of: string | null }
    | { readonly kind: 'annotation'; readonly annotation: AnnotationName }
    | { readonly kind: 'anyText'; readonly name: string; readonly field: string }
    | {
        readonly kind: 'collection';
        readonly name: string;
        readonly of: string | null;
        readonly element: ElementCatalogue;
      }
    | { readonly kind: 'condition'; readonly condition: Condition }
  );

/** A value and its type. */
export interface ValueOperand {
  readonly kind: 'value';
  readonly value: Value;
  readonly type: FieldType;
  /** What the catalogue says of it. */
  readonly field?: CatalogueField;
}

/** A value, and where it is written. */
export type PlacedValue = ValueOperand & Range;

/** The functions of the checker that call each other, so that their files need not. */
export interface CheckFunctions {
  /** `undefined` where it is none, which was reported. */
  condition(scope: Scope, syntax: Syntax, isNegated: boolean): Condition | undefined;
  operand(scope: Scope, syntax: Syntax): Operand | undefined;
}

/** The surroundings of a place. */
export class Scope {
  readonly text: string;
  readonly catalogue: GrainCatalogue;
  readonly diagnostics: DiagnosticList;
  readonly check: CheckFunctions;
  readonly loop: Loop | null;
  readonly #annotations: Set<string>;

  constructor(
    known: Pick<Scope, 'text' | 'catalogue' | 'diagnostics' | 'check'>,
    loop: Loop | null = null,
    annotations = new Set<string>(),
  ) {
    this.text = known.text;
    this.catalogue = known.catalogue;
    this.diagnostics = known.diagnostics;
    this.check = known.check;
    this.loop = loop;
    this.#annotations = annotations;
  }

  /** Inside a loop. */
  within(variable: string, element: ElementCatalogue): Scope {
    return new Scope(this, { variable, element, outer: this.loop }, this.#annotations);
  }

  /** What is written there. */
  source({ start, end }: Range): string {
    return this.text.slice(start, end);
  }

  /** What is written there, as messages quote it. */
  quote(range: Range): string {
    return quote(this.source(range));
  }

  /** Counts the name, and says when there are too many. */
  noteAnnotation({ target, name }: AnnotationName, range: Range): void {
    const before = this.#annotations.size;
    this.#annotations.add(`${target} ${name}`);
    if (this.#annotations.size === before || before !== MAX_ANNOTATION_NAMES) return;
    const message = `the filter names more than ${MAX_ANNOTATION_NAMES} annotations: ask for fewer at a time`;
    this.diagnostics.error('too_many_annotations', range, message);
  }
}
