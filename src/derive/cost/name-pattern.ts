/**
 * Patterns of model names, matched by following all their paths at once: the time is that of the name times the pattern,
 * whatever either says.
 */
import { AppError } from '#base/errors';
import { type CharacterSet, parsePattern, type PatternNode } from './pattern-parser.ts';

/** A pattern that is ready to be searched for in names. */
export interface NamePattern {
  /** How much it says of the names that it matches: of two that match the one that says more is meant. */
  readonly specificity: number;
  /** Whether any part of the name matches. */
  matches(name: string): boolean;
}

/**
 * Makes a pattern ready.
 * @throws AppError `invalid_argument` for one that is none, or that needs more than linear time
 */
export function compilePattern(text: string): NamePattern {
  const { node, ignoresCase, specificity } = parsePattern(text);
  const program = new Program(node, ignoresCase);
  return { specificity, matches: (name) => program.isFoundIn(name) };
}

/** A step: takes a character, branches, needs an end of the name, or has matched. */
type Step =
  | { readonly kind: 'character'; readonly set: CharacterSet }
  | { readonly kind: 'start' | 'end' | 'match' }
  /** Goes on at another step, and at the next one too where it is a fork. */
  | { readonly kind: 'jump' | 'fork'; to: number };

/** Repetitions are written out, those of repetitions too. Each step is gone through for each letter of a name. */
const MAX_STEPS = 2048;

/** Longer names are no names of models. */
const MAX_NAME_LENGTH = 256;

class Program {
  readonly #steps: Step[] = [];
  readonly #ignoresCase: boolean;

  constructor(node: PatternNode, ignoresCase: boolean) {
    this.#ignoresCase = ignoresCase;
    this.#write(node);
    this.#add({ kind: 'match' });
  }

  isFoundIn(name: string): boolean {
    const characters = Array.from(name.slice(0, MAX_NAME_LENGTH));
    let current: number[] = [];
    for (let place = 0; place <= characters.length; place++) {
      const seen = new Uint8Array(this.#steps.length);
      const here: number[] = [];
      const bounds = { isStart: place === 0, isEnd: place === characters.length };
      for (const step of [...current, 0]) {
        if (this.#follow(step, bounds, seen, here)) return true;
      }
      const character = characters[place];
      if (character === undefined) return false;
      current = here.filter((step) => this.#takes(this.#steps[step], character)).map((step) => step + 1);
    }
    return false;
  }

  /** Gathers the steps that take a character and can be reached without one; says whether the end can. */
  #follow(
    from: number,
    { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean },
    seen: Uint8Array,
    here: number[],
  ): boolean {
    const waiting = [from];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (seen[at] === 1) continue;
      seen[at] = 1;
      const step = this.#steps[at] as Step;
      if (step.kind === 'match') return true;
      if (step.kind === 'character') here.push(at);
      else if (step.kind === 'jump') waiting.push(step.to);
      else if (step.kind === 'fork') waiting.push(at + 1, step.to);
      else if (step.kind === 'start' ? isStart : isEnd) waiting.push(at + 1);
    }
    return false;
  }

  #takes(step: Step | undefined, character: string): boolean {
    if (step?.kind !== 'character') return false;
    if (!this.#ignoresCase) return isIn(step.set, character);
    return [character, character.toLowerCase(), character.toUpperCase()].some((one) => isIn(step.set, one));
  }

  #write(node: PatternNode): void {
    if (node.kind === 'sequence') for (const item of node.items) this.#write(item);
    else if (node.kind === 'choice') this.#writeChoice(node.items);
    else if (node.kind === 'repeat') this.#writeRepeat(node);
    else if (node.kind === 'character') this.#add({ kind: 'character', set: node.set });
    else this.#add({ kind: node.kind });
  }

  #writeChoice(items: readonly PatternNode[]): void {
    const ends: { to: number }[] = [];
    for (const [place, item] of items.entries()) {
      const isLast = place === items.length - 1;
      const fork = isLast ? undefined : this.#add({ kind: 'fork', to: 0 });
      this.#write(item);
      if (!isLast) ends.push(this.#add({ kind: 'jump', to: 0 }));
      if (fork !== undefined) fork.to = this.#steps.length;
    }
    for (const end of ends) end.to = this.#steps.length;
  }

  #writeRepeat({ item, least, most }: Extract<PatternNode, { kind: 'repeat' }>): void {
    for (let count = 0; count < least; count++) {
      const before = this.#steps.length;
      this.#write(item);
      // What is empty once is empty as often as one likes.
      if (this.#steps.length === before) return;
    }
    if (most === null) {
      const start = this.#steps.length;
      const fork = this.#add({ kind: 'fork', to: 0 });
      this.#write(item);
      this.#add({ kind: 'jump', to: start });
      fork.to = this.#steps.length;
      return;
    }
    const forks = [];
    for (let count = least; count < most; count++) {
      forks.push(this.#add({ kind: 'fork', to: 0 }));
      this.#write(item);
    }
    for (const fork of forks) fork.to = this.#steps.length;
  }

  #add<Added extends Step>(step: Added): Added {
    if (this.#steps.length === MAX_STEPS) {
      throw new AppError('invalid_argument', 'The pattern of a model name repeats too much: make it shorter.');
    }
    this.#steps.push(step);
    return step;
  }
}

function isIn({ ranges, isNegated }: CharacterSet, character: string): boolean {
  const code = character.codePointAt(0) as number;
  return ranges.some(([first, last]) => code >= first && code <= last) !== isNegated;
}
