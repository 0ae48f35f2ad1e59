/** Several words where a condition is expected: what people write who look for a text. */
import { matchAt } from './scan.ts';
import type { Token } from './token.ts';

/** All of `I want a refund`, as one text without its quotes; `undefined` where what follows may be a condition. */
export function readProse(text: string, start: number, tokens: readonly Token[]): Token | undefined {
  if (!beginsCondition(tokens)) return undefined;
  const run = matchAt(RUN, text, start);
  if (run === undefined || PREFIXED.test(run) || !isProse(run)) return undefined;
  return { kind: 'text', value: run, isClosed: true, isProse: true, start, end: start + run.length };
}

function beginsCondition(tokens: readonly Token[]): boolean {
  const before = tokens.at(-1);
  if (before === undefined) return true;
  if (before.kind === 'sign') return before.sign === '(' && tokens.at(-2)?.kind !== 'name';
  const word = before.kind === 'keyword' ? before.word : before.kind === 'name' ? before.name : '';
  return /^(?:and|or|not)$/i.test(word);
}

/** Whether two words stand side by side of which none is an operator, here or elsewhere, or the marks are those of a sentence. */
function isProse(run: string): boolean {
  const words = run.split(/[\s.,;:?!]+/);
  if (/^not$/i.test(words[0] ?? '') || words.some((word) => ELSEWHERE.test(word))) return false;
  const isPair = words.some((word, place) => {
    const next = words[place + 1] ?? '';
    return next !== '' && !HERE.test(word) && !HERE.test(next);
  });
  return isPair || SENTENCE.test(run);
}

/** `r'salt`: a text in quotes begins within the run, in a filter that is not complete. */
const PREFIXED = /(?:^|\s)[rubft]{1,2}'/i;
const HERE = /^(?:in|is|not|for|if)$/i;
const ELSEWHERE = /^(?:between|i?contains|includes|i?like|lambda|else)$/i;
const SENTENCE = /\p{L}['’]\p{L}|[?!]$/u;

const WORD = String.raw`[\p{ID_Continue}]{1,50}(?:['’-][\p{ID_Continue}]{1,50}){0,4}`;
const JOINED = String.raw`(?:and|or)(?:\s|$)`;
/** `in output.value`: what is looked through. */
const IN_TEXT = String.raw`(?:not\s+)?in\s+(?:(?:any_|first_|last_)?(?:in|out)put|name|[\p{ID_Start}_]\w{0,99}\.[\w.]{1,99})\s*(?:$|\)|\s${JOINED})`;
/** Up to the end, or to what other words are joined with. */
const RUN = new RegExp(
  String.raw`${WORD}(?:[.,;:?!]{0,3}\s+(?!${JOINED}|${IN_TEXT})${WORD}){0,39}[.?!]{0,3}(?=\s*(?:$|\))|\s+(?:${JOINED}|${IN_TEXT}))`,
  'iuy',
);
