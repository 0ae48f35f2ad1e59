import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from './conversation.ts';
import type { Random } from './random.ts';

/** The texts of the demo are data, in files below `content/`. The caller names the type that the file holds. */
export function readContent<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`content/${name}.json`, import.meta.url), 'utf8')) as T;
}

/** A picture as a PNG data URL. */
export function pictureUrl(name: string): string {
  return `data:image/png;base64,${readFileSync(new URL(`content/pictures/${name}.png`, import.meta.url), 'base64')}`;
}

/** What a text may name in double braces: `{{product.price}}` is looked up, `{{day -1}}` calls `day` with `'-1'`. */
export interface Facts {
  readonly [name: string]: JsonValue | ((...words: string[]) => JsonValue);
}

/** Facts that are drawn each time that a text names them. */
export function randomFacts(random: Random): Facts {
  return {
    int: (low, high) => random.int(Number(low), Number(high)),
    digits: (length) => random.digits(Number(length)),
    hex: (byteCount) => random.hex(Number(byteCount)),
    code: (length) => random.token(Number(length)).toUpperCase(),
  };
}

/**
 * A copy of the value in which every text has the facts that it names. A text that is nothing but a name becomes the
 * fact itself, which may be a number or a list.
 */
export function fill<T>(value: T, facts: Facts): T {
  const text = JSON.stringify(value).replace(
    /(?<!\\)"\{\{([^{}"]+)\}\}"|\{\{([^{}"]+)\}\}/g,
    (_, whole?: string, part = '') => {
      if (whole !== undefined) return JSON.stringify(lookUp(whole, facts));
      const fact = lookUp(String(part), facts);
      return JSON.stringify(typeof fact === 'string' ? fact : JSON.stringify(fact)).slice(1, -1);
    },
  );
  return JSON.parse(text) as T;
}

/** What people say in turn, with one of the alternatives where a text has several. */
export function fillTurns<T extends { readonly user: string | readonly string[] }>(
  turns: readonly T[],
  facts: Facts,
  random: Random,
): (T & { readonly user: string })[] {
  return fill(turns, facts).map((turn) => ({ ...turn, user: random.pick([turn.user].flat()) }));
}

/** The text of a prompt template; templates write variables in one pair of braces or in two. */
export function render(template: string, variables: Readonly<Record<string, string>>): string {
  return template.replace(/\{+(\w+)\}+/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`A template names ${name}, which is not among its variables.`);
    return value;
  });
}

function lookUp(expression: string, facts: Facts): JsonValue {
  const [path = '', ...words] = expression.split(' ');
  const [name = '', ...keys] = path.split('.');
  const named = facts[name];
  let fact: JsonValue | undefined = typeof named === 'function' ? named(...words) : named;
  for (const key of keys) fact = typeof fact === 'object' && fact !== null ? (fact as JsonObject)[key] : undefined;
  if (fact === undefined) throw new Error(`A text names ${expression}, which is not among its facts.`);
  return fact;
}
