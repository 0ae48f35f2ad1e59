/** What somebody says in the panel: an answer for each config, until it is saved. */

/** What may be said under a name; the same as a project's annotation configs say. */
export type AnswerField = { readonly name: string; readonly description: string | null } & (
  | {
      readonly kind: 'categorical';
      readonly values: readonly { readonly label: string; readonly score: number | null }[];
    }
  | { readonly kind: 'continuous'; readonly lowerBound: number | null; readonly upperBound: number | null }
  | { readonly kind: 'freeform' }
);

/** What an annotation says. Empty texts are null. */
export interface Answer {
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
}

/** Nothing is said. */
export const NO_ANSWER: Answer = { label: null, score: null, explanation: null };

/** What was typed: a score may not be a number yet. */
export interface Draft {
  readonly label: string | null;
  readonly scoreText: string;
  readonly explanation: string;
}

/** By name; a name that is missing is as it was saved. */
export type Drafts = ReadonlyMap<string, Draft>;

/** The draft that says the same. */
export function draftOf({ label, score, explanation }: Answer): Draft {
  return { label, scoreText: score === null ? '' : String(score), explanation: explanation ?? '' };
}

/** Whether the same was typed and chosen. */
export function isSameDraft(one: Draft, other: Draft): boolean {
  return one.label === other.label && one.scoreText === other.scoreText && one.explanation === other.explanation;
}

/** The label alone decides the score where the config says so. A second press takes the choice back. */
export function withLabel(
  field: AnswerField & { readonly kind: 'categorical' },
  draft: Draft,
  label: string | null,
): Draft {
  const value = field.values.find((choice) => choice.label === label);
  if (value === undefined || draft.label === label) return { ...draft, label: null, scoreText: '' };
  return { ...draft, label: value.label, scoreText: value.score === null ? '' : String(value.score) };
}

/** What is wrong with the score, in words for the user; null where it is right. */
export function scoreFault(field: AnswerField, { scoreText }: Draft): string | null {
  if (field.kind !== 'continuous' || scoreText.trim() === '') return null;
  const score = readScore(scoreText);
  if (score === undefined) return 'Enter a number, for example 0.5.';
  const { lowerBound: low, upperBound: high } = field;
  if (low !== null && high !== null && (score < low || score > high)) return `Enter a number from ${low} to ${high}.`;
  if (low !== null && score < low) return `Enter a number of at least ${low}.`;
  if (high !== null && score > high) return `Enter a number of at most ${high}.`;
  return null;
}

/** What the draft says; a score that is no number is not said. */
export function answerOf({ label, scoreText, explanation }: Draft): Answer {
  return { label, score: readScore(scoreText) ?? null, explanation: explanation.trim() === '' ? null : explanation };
}

/** What has to be stored and what has to be removed, for all of it to be as the drafts say. */
export interface Changes {
  readonly stored: readonly { readonly name: string; readonly answer: Answer }[];
  readonly removed: readonly string[];
}

/** Compares drafts with what is saved. */
export function changesOf(drafts: Drafts, saved: ReadonlyMap<string, Answer>): Changes {
  const stored: { readonly name: string; readonly answer: Answer }[] = [];
  const removed: string[] = [];
  for (const [name, draft] of drafts) {
    const answer = answerOf(draft);
    const before = saved.get(name) ?? NO_ANSWER;
    if (isSame(answer, before)) continue;
    if (isNothing(answer)) removed.push(name);
    else stored.push({ name, answer });
  }
  return { stored, removed };
}

/** Whether anything has to be saved. */
export function isUnchanged({ stored, removed }: Changes): boolean {
  return stored.length + removed.length === 0;
}

/** Whether an answer says nothing. */
export function isNothing(answer: Answer): boolean {
  return isSame(answer, NO_ANSWER);
}

function isSame(one: Answer, other: Answer): boolean {
  return one.label === other.label && one.score === other.score && one.explanation === other.explanation;
}

/** A comma is a decimal point to many; nothing else than digits, sign and exponent is a number. */
function readScore(text: string): number | undefined {
  const plain = text.trim().replace(',', '.');
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return undefined;
  const score = Number(plain);
  return Number.isFinite(score) ? score : undefined;
}
