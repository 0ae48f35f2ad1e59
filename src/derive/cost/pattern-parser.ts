/**
 * Reads the patterns that name models: regular expressions as far as they can be matched in linear time, which is all but
 * references back and looking around.
 */
import { AppError } from '#base/errors';

/** Characters, by their code points. */
export interface CharacterSet {
  readonly ranges: readonly (readonly [first: number, last: number])[];
  readonly isNegated: boolean;
}

/** What a pattern is made of. */
export type PatternNode =
  | { readonly kind: 'character'; readonly set: CharacterSet }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly item: PatternNode; readonly least: number; readonly most: number | null };

/** A pattern that was read. */
export interface ParsedPattern {
  readonly node: PatternNode;
  readonly ignoresCase: boolean;
  /** How much it says of the names that it matches; never below 1. */
  readonly specificity: number;
}

/** Characters of a pattern; names of models are shorter. */
export const MAX_PATTERN_LENGTH = 512;

/** Groups in groups. */
const MAX_DEPTH = 20;

const MAX_REPETITIONS = 256;

/** @throws AppError `invalid_argument` with what is wrong, and where */
export function parsePattern(text: string): ParsedPattern {
  if (text === '') throw new AppError('invalid_argument', 'The pattern of a model name is empty.');
  if (text.length > MAX_PATTERN_LENGTH) {
    throw new AppError('invalid_argument', `The pattern of a model name has at most ${MAX_PATTERN_LENGTH} characters.`);
  }
  return new Parser(text).parse();
}

class Parser {
  readonly #characters: readonly string[];
  #place = 0;
  #score = 0;
  #isAnchoredAtStart = false;
  #isAnchoredAtEnd = false;

  constructor(text: string) {
    this.#characters = Array.from(text);
  }

  parse(): ParsedPattern {
    const ignoresCase = this.#takes('(?i)');
    const node = this.#choice(0);
    if (this.#place < this.#characters.length) this.#fail('this parenthesis closes nothing');
    const anchors = Number(this.#isAnchoredAtStart) + Number(this.#isAnchoredAtEnd);
    const specificity = Math.max(this.#score + anchors * ANCHOR_SCORE + 2 * this.#characters.length, 1);
    return { node, ignoresCase, specificity };
  }

  #choice(depth: number): PatternNode {
    if (depth > MAX_DEPTH) this.#fail(`groups can be ${MAX_DEPTH} deep at most`);
    const items = [this.#sequence(depth)];
    while (this.#takes('|')) {
      this.#score += SCORES.alternative;
      items.push(this.#sequence(depth));
    }
    return items.length === 1 ? (items[0] as PatternNode) : { kind: 'choice', items };
  }

  #sequence(depth: number): PatternNode {
    const items: PatternNode[] = [];
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek()) {
      items.push(this.#repeated(this.#item(depth)));
    }
    return { kind: 'sequence', items };
  }

  #item(depth: number): PatternNode {
    const character = this.#next();
    switch (character) {
      case '(':
        return this.#group(depth);
      case '[':
        return { kind: 'character', set: this.#bracketed() };
      case '.':
        this.#score += SCORES.anyCharacter;
        return { kind: 'character', set: NOT_A_LINE_BREAK };
      case '^':
        this.#isAnchoredAtStart = true;
        return { kind: 'start' };
      case '$':
        this.#isAnchoredAtEnd = true;
        return { kind: 'end' };
      case '*':
      case '+':
      case '?':
        this.#place--;
        return this.#fail(`there is nothing for ${character} to repeat; write \\${character} for the character itself`);
      case '\\':
        return { kind: 'character', set: this.#escaped() };
      default:
        this.#score += SCORES.literal;
        return { kind: 'character', set: only(character) };
    }
  }

  #group(depth: number): PatternNode {
    if (this.#peek() === '?' && !this.#takes('?:') && !this.#takesName()) {
      this.#fail(
        'only (…), (?:…) and named groups are understood: what looks ahead, behind or back is not matched here',
      );
    }
    const node = this.#choice(depth + 1);
    if (!this.#takes(')')) this.#fail('a group is not closed');
    return node;
  }

  #takesName(): boolean {
    const rest = this.#characters.slice(this.#place, this.#place + MAX_NAME_LENGTH).join('');
    const name = /^\?P?<[A-Za-z_]\w*>/.exec(rest)?.[0];
    if (name !== undefined) this.#place += name.length;
    return name !== undefined;
  }

  #repeated(item: PatternNode): PatternNode {
    let bounds: { readonly least: number; readonly most: number | null } | undefined;
    if (this.#takes('*')) bounds = this.#scored({ least: 0, most: null }, SCORES.many);
    else if (this.#takes('+')) bounds = this.#scored({ least: 1, most: null }, SCORES.many);
    else if (this.#takes('?')) bounds = this.#scored({ least: 0, most: 1 }, SCORES.optional);
    else bounds = this.#counted();
    if (bounds === undefined) return item;
    // How eagerly it repeats makes no difference to whether it matches.
    this.#takes('?');
    if (['*', '+', '?'].includes(this.#peek() ?? '') || this.#counted() !== undefined)
      this.#fail('what is repeated already cannot be repeated again');
    return { kind: 'repeat', item, ...bounds };
  }

  #counted(): { readonly least: number; readonly most: number | null } | undefined {
    const rest = this.#characters.slice(this.#place, this.#place + MAX_COUNT_LENGTH).join('');
    const [text, first, comma, last] = /^\{(\d+)(,)?(\d*)\}/.exec(rest) ?? [];
    if (text === undefined || first === undefined || (comma === undefined && last !== '')) return undefined;
    this.#place += text.length;
    const least = Number(first);
    const most = comma === undefined ? least : last === '' ? null : Number(last);
    if (most !== null && most < least) this.#fail(`${text} ends below where it begins`);
    if (Math.max(least, most ?? 0) > MAX_REPETITIONS)
      this.#fail(`nothing can be repeated more than ${MAX_REPETITIONS} times`);
    return this.#scored({ least, most }, comma === undefined ? SCORES.counted : 2 * SCORES.counted);
  }

  #scored<T>(value: T, score: number): T {
    this.#score += score;
    return value;
  }

  #bracketed(): CharacterSet {
    const isNegated = this.#takes('^');
    this.#score += isNegated ? SCORES.negatedSet : SCORES.set;
    const ranges: (readonly [number, number])[] = [];
    let isFirst = true;
    for (;;) {
      const character = this.#peek();
      if (character === undefined) return this.#fail('a set of characters is not closed');
      this.#place++;
      if (character === ']' && !isFirst) return { ranges, isNegated };
      isFirst = false;
      const shorthand = character === '\\' ? this.#shorthand() : undefined;
      if (shorthand !== undefined) {
        if (shorthand.isNegated) this.#fail('a negated shorthand cannot stand in a set of characters');
        ranges.push(...shorthand.ranges);
        continue;
      }
      const first = character === '\\' ? this.#escapedCharacter() : character;
      const isRange = this.#peek() === '-' && ![']', undefined].includes(this.#characters[this.#place + 1]);
      if (isRange) this.#place++;
      const end = isRange ? this.#next() : first;
      const last = end === '\\' && isRange ? this.#escapedCharacter() : end;
      if (codeOf(last) < codeOf(first)) this.#fail(`the range ${first}-${last} ends before it begins`);
      ranges.push([codeOf(first), codeOf(last)]);
    }
  }

  #escaped(): CharacterSet {
    const shorthand = this.#shorthand();
    if (shorthand !== undefined) {
      this.#score += shorthand.isNegated ? SCORES.negatedShorthand : SCORES.shorthand;
      return shorthand;
    }
    this.#score += SCORES.escaped;
    return only(this.#escapedCharacter());
  }

  #shorthand(): CharacterSet | undefined {
    const character = this.#peek();
    const ranges = SHORTHANDS[character?.toLowerCase() ?? ''];
    if (ranges === undefined || character === undefined) return undefined;
    this.#place++;
    return { ranges, isNegated: character !== character.toLowerCase() };
  }

  #escapedCharacter(): string {
    const character = this.#peek();
    if (character === undefined) return this.#fail('it ends in a backslash');
    if (/[A-Za-z0-9]/.test(character)) this.#fail(`\\${character} is not understood here`);
    this.#place++;
    return character;
  }

  #peek(): string | undefined {
    return this.#characters[this.#place];
  }

  #next(): string {
    return this.#characters[this.#place++] ?? this.#fail('it ends too early');
  }

  #takes(text: string): boolean {
    if (this.#characters.slice(this.#place, this.#place + text.length).join('') !== text) return false;
    this.#place += text.length;
    return true;
  }

  #fail(what: string): never {
    throw new AppError(
      'invalid_argument',
      `The pattern of a model name cannot be read: ${what} (at character ${this.#place + 1}).`,
    );
  }
}

const MAX_NAME_LENGTH = 64;
const MAX_COUNT_LENGTH = 16;

const ANCHOR_SCORE = 5000;

const SCORES = {
  literal: 1000,
  escaped: 950,
  set: 500,
  shorthand: 400,
  negatedSet: 300,
  negatedShorthand: 250,
  counted: -50,
  optional: -100,
  many: -150,
  anyCharacter: -200,
  alternative: -300,
} as const;

type Ranges = CharacterSet['ranges'];

const DIGITS: Ranges = [[48, 57]];
const SHORTHANDS: Readonly<Record<string, Ranges>> = {
  d: DIGITS,
  w: [...DIGITS, [65, 90], [95, 95], [97, 122]],
  s: [
    [9, 13],
    [32, 32],
    [160, 160],
  ],
};

const NOT_A_LINE_BREAK: CharacterSet = { ranges: [[10, 10]], isNegated: true };

function only(character: string): CharacterSet {
  const code = codeOf(character);
  return { ranges: [[code, code]], isNegated: false };
}

function codeOf(character: string): number {
  return character.codePointAt(0) as number;
}
