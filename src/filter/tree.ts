/**
 * What a filter means, after parsing and checking: names are resolved, chains of comparisons are taken apart, and every
 * comparison says as what its sides are compared. One shape for spans, traces and sessions, and for the discrete
 * parameters of REST. Missing values make comparisons false, `!=` and `not in` too. There is no node for `not`: the parser
 * carries a negation down to what it negates, so that `not (score == 1)` is `score != 1` and leaves missing scores out,
 * and every node is simply true or false.
 */

/** What one row of the answer is. */
export type FilterGrain = 'span' | 'trace' | 'session';

/** What is true or false of a row, or of an element of one of its collections. */
export type Condition =
  | { readonly kind: 'constant'; readonly value: boolean }
  | {
      readonly kind: 'and' | 'or';
      readonly operands: readonly Condition[];
      /** Whether the last operand alone says it all, and the others only spare asking it of some rows. */
      readonly isLastDecisive?: true;
    }
  | Comparison
  | {
      /** Whether the value is one of the list. Literals are of one type, and compared as that; of an empty list nothing is. */
      readonly kind: 'member';
      readonly isNegated: boolean;
      readonly value: Value;
      readonly list: readonly Literal[];
    }
  | {
      /** Whether a text holds another, whatever the case by Unicode's simple folding. */
      readonly kind: 'contains';
      readonly isNegated: boolean;
      readonly text: Value;
      readonly part: Value;
    }
  | {
      /** Whether a value is missing, or JSON null; or, where a `text` is asked for, anything else. No text of the language says that. */
      readonly kind: 'absent';
      readonly isNegated: boolean;
      readonly value: Value;
      readonly asked?: 'text';
    }
  | {
      /** Whether a span has no parent, or one that is not stored. */
      readonly kind: 'parentless';
      readonly isNegated: boolean;
      readonly of: string | null;
    }
  | {
      /** Whether there is an annotation of that name. */
      readonly kind: 'annotated';
      readonly isNegated: boolean;
      readonly annotation: AnnotationName;
    }
  | {
      /** Whether the row or element is in a set. Never missing. No text of the language says it by itself. */
      readonly kind: 'inSet';
      readonly isNegated: boolean;
      readonly set: SetReference;
      readonly of: string | null;
    }
  | {
      /** Of an empty collection `any` is false and `all` is true. A missing value fails `all`. Negated, it is the opposite. */
      readonly kind: 'quantifier';
      readonly isNegated: boolean;
      readonly quantifier: 'any' | 'all';
      readonly over: Iteration;
      readonly test: Condition;
    };

/** Two values in an order, or equal. */
export interface Comparison {
  readonly kind: 'compare';
  readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>=';
  readonly left: Value;
  readonly right: Value;
  /**
   * As what the sides are compared; a side that cannot be that is missing. `exact`: value and type of an attribute must
   * be those of the literal on the right, where an integer also equals a float of the same value (REST's discrete
   * parameters). `same`: two attributes, of which value and type must be the same, 1 and 1.0 being so.
   */
  readonly as: 'text' | 'number' | 'boolean' | 'date' | 'exact' | 'same';
}

/** Something that can be compared. */
export type Value =
  | Literal
  | {
      readonly kind: 'field';
      /** Of the row, or of an element of a collection: a name of the catalogue of the grain or collection. */
      readonly name: string;
      /** The loop variable whose element it is of; `null` is the row itself. */
      readonly of: string | null;
      /** Whether it is that of the stored parent in the same trace. */
      readonly isOfParent: boolean;
    }
  | {
      readonly kind: 'attribute';
      /** Dotted path, as `llm.model_name` or `tag.tags.0`; of a trace or session those of its root span. */
      readonly path: string;
      readonly of: string | null;
    }
  | { readonly kind: 'annotation'; readonly annotation: AnnotationName; readonly member: AnnotationMember }
  | {
      readonly kind: 'arithmetic';
      readonly operator: '+' | '-' | '*' | '/' | '%';
      readonly left: Value;
      readonly right: Value;
    }
  | { readonly kind: 'negate'; readonly operand: Value }
  /** `number` never fails: what is no number is missing. */
  | { readonly kind: 'convert'; readonly to: 'text' | 'number'; readonly operand: Value }
  | {
      /** Missing values are passed over; of nothing `len` and `sum` are 0, `max` and `min` missing. */
      readonly kind: 'reduction';
      readonly reduction: 'len' | 'sum' | 'max' | 'min';
      readonly over: Iteration;
      /** `null` for `len`. */
      readonly value: Value | null;
    };

/** Elements of a collection, those for which the condition holds. */
export interface Iteration {
  /** A name of the catalogue: `spans`, `cost_details`, `children` … */
  readonly collection: string;
  /** Whose collection it is: a loop variable, or `null` for the row. */
  readonly of: string | null;
  readonly variable: string;
  readonly where: Condition | null;
}

/** A set of spans, traces or sessions that is kept beside them: annotated ones, or those of a dataset. */
export interface SetReference {
  readonly name: string;
  /** What its members are. A span is also in the sets of its trace and of its session, and a trace in those of its session. */
  readonly subject: FilterGrain;
  /** What narrows it, in the terms of its definition. Plain data, since it crosses threads. */
  readonly parameters: object;
}

/** Of which things the annotation is, and its name. */
export interface AnnotationName {
  readonly target: AnnotationTarget;
  readonly name: string;
}

/** What annotations are about; a document is one of those that a span retrieved, and any of them is meant. */
export type AnnotationTarget = FilterGrain | 'document';

/** The fields of an annotation that can be compared. */
export type AnnotationMember = 'score' | 'label' | 'explanation' | 'identifier' | 'annotator_kind';

/** A constant. */
export type Literal =
  | { readonly kind: 'literal'; readonly type: 'text'; readonly value: string }
  /** `text` as it was written, for integers beyond 2^53. */
  | { readonly kind: 'literal'; readonly type: 'number'; readonly value: number; readonly text: string }
  | { readonly kind: 'literal'; readonly type: 'boolean'; readonly value: boolean }
  /** Microseconds since the Unix epoch. */
  | { readonly kind: 'literal'; readonly type: 'date'; readonly value: number };
