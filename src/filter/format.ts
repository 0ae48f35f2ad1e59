/** Writes a condition as a text that is read back as the same condition. */
import { formatTimestamp } from '#domain/timestamp';
import { CATALOGUES } from './catalogue/all.ts';
import { rowNames } from './check/report-name.ts';
import { quoteText } from './lex-text.ts';
import { own } from './own.ts';
import { isName, KEYWORDS } from './token.ts';
import type { AnnotationName, Condition, FilterGrain, Iteration, Literal, Value } from './tree.ts';

/**
 * The condition in the filter language. `exact` comparisons, which only programs make, are written as plain ones.
 * @param grain of what the condition is: names are written differently for spans, traces and sessions
 */
export function formatFilter(grain: FilterGrain, condition: Condition): string {
  return new Writer(grain).condition(condition, LOOSEST);
}

/** An attribute in the filter language: `llm.model_name`, or `attributes['a-b']` where its path is no name. */
export function formatAttribute(grain: FilterGrain, path: string): string {
  return new Writer(grain).value({ kind: 'attribute', path, of: null });
}

/** How tightly the places of conditions bind. */
const LOOSEST = 0;
const IN_OR = 1;
const IN_AND = 2;

/** How tightly operators of values bind. */
const SUM = 1;
const PRODUCT = 2;
const SIGN = 3;

const LEVELS = { '+': SUM, '-': SUM, '*': PRODUCT, '/': PRODUCT, '%': PRODUCT } as const;

class Writer {
  readonly #grain: FilterGrain;
  readonly #reserved: ReadonlySet<string>;

  constructor(grain: FilterGrain) {
    this.#grain = grain;
    this.#reserved = new Set(rowNames(CATALOGUES[grain]));
  }

  condition(condition: Condition, level: number): string {
    switch (condition.kind) {
      case 'constant':
        return condition.value ? 'True' : 'False';
      case 'and':
      case 'or':
        return this.#joined(condition.kind, condition.operands, level);
      case 'compare':
        return `${this.value(condition.left)} ${condition.operator} ${this.value(condition.right)}`;
      case 'member': {
        const list = condition.list.map((literal) => this.value(literal)).join(', ');
        return `${this.value(condition.value)} ${negated(condition, 'not ')}in [${list}]`;
      }
      case 'contains':
        return `${this.value(condition.part)} ${negated(condition, 'not ')}in ${this.value(condition.text)}`;
      case 'absent':
        return `${this.value(condition.value)} is ${negated(condition, 'not ')}None`;
      case 'parentless':
        return `${prefix(condition.of)}parent_span is ${negated(condition, 'not ')}None`;
      case 'annotated':
        return negated(condition, 'not ') + this.#annotation(condition.annotation);
      case 'inSet':
        throw new Error(`a filter cannot be written that asks for the set ${condition.set.name}`);
      case 'quantifier': {
        const test = this.condition(condition.test, LOOSEST);
        return `${negated(condition, 'not ')}${condition.quantifier}(${test}${this.#iteration(condition.over)})`;
      }
    }
  }

  /** Nothing joined by `and` is true, by `or` false. */
  #joined(kind: 'and' | 'or', operands: readonly Condition[], level: number): string {
    const [first] = operands;
    if (first === undefined) return kind === 'and' ? 'True' : 'False';
    if (operands.length === 1) return this.condition(first, level);
    const own = kind === 'or' ? IN_OR : IN_AND;
    const text = operands.map((operand) => this.condition(operand, own)).join(` ${kind} `);
    return level < own ? text : `(${text})`;
  }

  value(value: Value, level = 0): string {
    switch (value.kind) {
      case 'literal':
        return formatLiteral(value);
      case 'field':
        return `${prefix(value.of)}${value.isOfParent ? 'parent_span.' : ''}${value.name}`;
      case 'attribute':
        return prefix(value.of) + this.#attribute(value.path);
      case 'annotation':
        return `${this.#annotation(value.annotation)}.${value.member}`;
      case 'arithmetic': {
        const own = LEVELS[value.operator];
        const text = `${this.value(value.left, own)} ${value.operator} ${this.value(value.right, own + 1)}`;
        return level <= own ? text : `(${text})`;
      }
      case 'negate':
        return `-${this.value(value.operand, SIGN)}`;
      case 'convert':
        return `${value.to === 'text' ? 'str' : 'float'}(${this.value(value.operand)})`;
      case 'reduction': {
        const { reduction, over, value: reduced } = value;
        if (reduced === null) return `${reduction}([${over.variable}${this.#iteration(over)}])`;
        return `${reduction}(${this.value(reduced)}${this.#iteration(over)})`;
      }
    }
  }

  #iteration({ collection, of, variable, where }: Iteration): string {
    const condition = where === null ? '' : ` if ${this.condition(where, LOOSEST)}`;
    return ` for ${variable} in ${prefix(of)}${collection}${condition}`;
  }

  #annotation({ target, name }: AnnotationName): string {
    return `${target === this.#grain && target === 'span' ? 'annotations' : `${target}_annotations`}[${quoteText(name)}]`;
  }

  #attribute(path: string): string {
    const isPlain = CATALOGUES[this.#grain].hasOpenNames
      ? isPlainPath(path) && !this.#isTaken(path)
      : path === 'user.id';
    return isPlain ? path : `attributes[${quoteText(path)}]`;
  }

  /** Whether the path as it stands means something else. */
  #isTaken(path: string): boolean {
    const { fields, annotations } = CATALOGUES[this.#grain];
    const isField = fields.some(({ attributePath }) => attributePath === path);
    const [first = ''] = path.split('.', 1);
    return (
      !isField &&
      (this.#reserved.has(path) ||
        own(annotations, first) !== undefined ||
        ['attributes', 'parent_span'].includes(first))
    );
  }
}

function isPlainPath(path: string): boolean {
  return path
    .split('.')
    .every((segment) => isName(segment) && segment.normalize('NFKC') === segment && !isKeyword(segment));
}

function isKeyword(segment: string): boolean {
  return KEYWORDS.some((keyword) => keyword.toLowerCase() === segment.toLowerCase());
}

/** A constant in the filter language. */
export function formatLiteral(literal: Literal): string {
  switch (literal.type) {
    case 'text':
      return quoteText(literal.value);
    case 'number':
      return literal.text;
    case 'boolean':
      return literal.value ? 'True' : 'False';
    case 'date':
      return quoteText(formatTimestamp(literal.value));
  }
}

function prefix(variable: string | null): string {
  return variable === null ? '' : `${variable}.`;
}

function negated({ isNegated }: { readonly isNegated: boolean }, text: string): string {
  return isNegated ? text : '';
}
