/** An annotation under a name that the user chooses. */
import { NOTE } from './judgements.ts';
import { type Answer, answerOf, type Draft, draftOf, isNothing, NO_ANSWER, scoreFault } from './answers.ts';

/** What was typed. */
export interface FreeDraft extends Draft {
  readonly name: string;
}

/** Nothing was typed. */
export const NO_FREE_DRAFT: FreeDraft = { ...draftOf(NO_ANSWER), name: '' };

/** What is wrong, in words for the user, by field; null where it is right. */
export interface FreeFaults {
  readonly name: string | null;
  readonly score: string | null;
}

/** Checks a draft. @param asked names that the project asks for, which have fields of their own */
export function freeFaults({ name, ...draft }: FreeDraft, asked: ReadonlySet<string>): FreeFaults {
  const own = name.trim();
  const score = scoreFault({ kind: 'continuous', name, description: null, lowerBound: null, upperBound: null }, draft);
  if (own === NOTE) return { name: 'Notes have a field below. Choose another name.', score };
  return { name: asked.has(own) ? 'This name has a field above.' : null, score };
}

/** Whether nothing is typed, or nothing any more. */
export function isEmpty(draft: FreeDraft): boolean {
  return draft.name.trim() === '' && isNothing(answerOf(draft)) && draft.scoreText.trim() === '';
}

/** What is to be stored; undefined until there is a name, and a label, a score or an explanation. */
export function toFreeAnswer(
  draft: FreeDraft,
  asked: ReadonlySet<string>,
): { readonly name: string; readonly answer: Answer } | undefined {
  const name = draft.name.trim();
  const { name: nameFault, score: scoreIsWrong } = freeFaults(draft, asked);
  const label = draft.label?.trim() ?? '';
  const answer = answerOf({ ...draft, label: label === '' ? null : label });
  if (name === '' || nameFault !== null || scoreIsWrong !== null || isNothing(answer)) return undefined;
  return { name, answer };
}
