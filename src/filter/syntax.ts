/** What the text of a filter looks like, before names and types are known. */
import type { Range } from './diagnostic.ts';
import type { Literal } from './tree.ts';

/** A piece of a filter. Its range includes the parentheses around it. */
export type Syntax =
  | LiteralSyntax
  | NoneSyntax
  | PathSyntax
  | ListSyntax
  | CallSyntax
  | ComprehensionSyntax
  | SignedSyntax
  | ArithmeticSyntax
  | ComparisonSyntax
  | LogicalSyntax
  | NegationSyntax
  | InvalidSyntax;

/** A constant. */
export interface LiteralSyntax extends Range {
  readonly kind: 'literal';
  readonly literal: Exclude<Literal, { type: 'date' }>;
  /** Whether it is several words without quotes. */
  readonly isProse?: true;
}

/** `None`. */
export interface NoneSyntax extends Range {
  readonly kind: 'none';
}

/** A name and what hangs on it: `span.parent_span.name`, `attributes['llm'][0]`. */
export interface PathSyntax extends Range {
  readonly kind: 'path';
  readonly name: string;
  readonly nameRange: Range;
  readonly steps: readonly PathStep[];
}

/** What follows a name. */
export type PathStep = Range &
  (
    | { readonly kind: 'member'; readonly name: string }
    | { readonly kind: 'subscript'; readonly key: Syntax }
    /** A place in a list written with a dot, as in `tag.tags.0`. */
    | { readonly kind: 'place'; readonly place: string }
  );

/** A list, tuple or set. */
export interface ListSyntax extends Range {
  readonly kind: 'list';
  readonly items: readonly Syntax[];
}

/** A function and its argument. */
export interface CallSyntax extends Range {
  readonly kind: 'call';
  readonly name: string;
  readonly nameRange: Range;
  readonly args: readonly Syntax[];
}

/** `element for variable in iterable if where`. */
export interface ComprehensionSyntax extends Range {
  readonly kind: 'comprehension';
  readonly isList: boolean;
  readonly element: Syntax;
  readonly variable: string;
  readonly iterable: Syntax;
  readonly where: readonly Syntax[];
}

/** A sign before a number. */
export interface SignedSyntax extends Range {
  readonly kind: 'signed';
  readonly sign: '+' | '-';
  readonly operand: Syntax;
}

/** Two numbers with an operator between. */
export interface ArithmeticSyntax extends Range {
  readonly kind: 'arithmetic';
  readonly operator: '+' | '-' | '*' | '/' | '%';
  readonly left: Syntax;
  readonly right: Syntax;
}

/** How two values are compared, as it is written. */
export type ComparisonSign = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'is' | 'is not';

/** Values with an operator between each two: `0.5 < latency_ms < 1000`. */
export interface ComparisonSyntax extends Range {
  readonly kind: 'comparison';
  readonly first: Syntax;
  readonly rest: readonly ComparisonStep[];
}

/** An operator, and the value behind it. */
export interface ComparisonStep {
  readonly operator: ComparisonSign;
  readonly operatorRange: Range;
  readonly operand: Syntax;
}

/** Conditions, joined. */
export interface LogicalSyntax extends Range {
  readonly kind: 'and' | 'or';
  readonly operands: readonly Syntax[];
}

/** `not`. */
export interface NegationSyntax extends Range {
  readonly kind: 'not';
  readonly operand: Syntax;
}

/** What could not be read, and was reported. */
export interface InvalidSyntax extends Range {
  readonly kind: 'invalid';
}
