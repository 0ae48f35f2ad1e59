/** Expressions of JMESPath, which pick a value out of JSON. */
import { compile, type JSONValue, TreeInterpreter, tokenize } from '@jmespath-community/jmespath';
import { errorMessage } from './errors.ts';

/** A value of JSON, as expressions read and give it. */
export type { JSONValue } from '@jmespath-community/jmespath';

/** An expression that was checked. @see https://jmespath.org/specification.html */
export class Expression {
  readonly text: string;
  readonly #tree: ReturnType<typeof compile>;

  /** @throws Error with what is wrong with the text */
  constructor(text: string) {
    this.text = text;
    this.#tree = compile(text, OPTIONS);
    assertKeysAreQuoted(text);
    assertFunctionsExist(this.#tree);
  }

  /**
   * What the expression finds in a value; null where it finds nothing.
   * @throws Error where the value does not fit, such as a number that a function of texts is given
   */
  evaluate(value: JSONValue): JSONValue {
    return TreeInterpreter.search(this.#tree, value);
  }
}

/** A text between backticks need not be JSON: other libraries allow that, and documents of providers use it. */
const OPTIONS = { enable_legacy_literals: true };

/** The library calculates, which JMESPath does not: `my-client` would be a difference, and never the key that was meant. */
function assertKeysAreQuoted(text: string): void {
  const isDifference = tokenize(text, OPTIONS).some(({ type }) => String(type) === 'Minus');
  if (isDifference) throw new Error('a key with a dash needs double quotes');
}

/** The library looks for a function only when it is called, which may be long after the expression was written. */
function assertFunctionsExist(tree: ReturnType<typeof compile>): void {
  try {
    TreeInterpreter.search(tree, {});
  } catch (error) {
    if (/unknown function/i.test(errorMessage(error))) throw error;
  }
}
