/** Annotations as the panel shows them: one's own, which can be changed, those of others, and notes. */
import type { Answer } from './answers.ts';

/** An annotation of a span, trace, session or document. */
export interface Judgement extends Answer {
  readonly id: string;
  readonly name: string;
  readonly annotatorKind: 'HUMAN' | 'LLM' | 'CODE';
  readonly source: 'API' | 'APP';
  /** Tells annotations of one name apart: who or what judged, as programs say it. */
  readonly identifier: string;
  readonly updatedAt: string;
  /** Null for programs without an account, and while authentication is off. */
  readonly user: { readonly id: string; readonly username: string } | null;
}

/** See the file. */
export interface SortedJudgements {
  /** By name: what this user said on these pages. */
  readonly own: ReadonlyMap<string, Judgement>;
  /** By name, then newest first. */
  readonly others: readonly Judgement[];
  /** Oldest first, as they were written. */
  readonly notes: readonly Judgement[];
}

/** The name that notes have among annotations. */
export const NOTE = 'note';

/** @param viewerId of the user who has signed in; null while authentication is off */
export function sortJudgements(all: readonly Judgement[], viewerId: string | null): SortedJudgements {
  const own = new Map<string, Judgement>();
  const others: Judgement[] = [];
  const notes: Judgement[] = [];
  for (const judgement of all) {
    const { name } = judgement;
    if (name === NOTE) notes.push(judgement);
    else if (isOwn(judgement, viewerId) && !own.has(name)) own.set(name, judgement);
    else others.push(judgement);
  }
  others.sort((one, other) => compareTexts(one.name, other.name) || compareTexts(other.updatedAt, one.updatedAt));
  notes.sort((one, other) => compareTexts(one.updatedAt, other.updatedAt));
  return { own, others, notes };
}

/** Whether the user said it on these pages, and so may change it here. */
export function isOwn({ source, annotatorKind, user }: Judgement, viewerId: string | null): boolean {
  return source === 'APP' && annotatorKind === 'HUMAN' && (user?.id ?? null) === viewerId;
}

/** `good · 0.9`; the beginning of the explanation where there is nothing else. */
export function describeAnswer({ label, score, explanation }: Answer): string {
  const facts = [...(label === null ? [] : [label]), ...(score === null ? [] : [formatScore(score)])];
  if (facts.length > 0) return facts.join(' · ');
  return explanation ?? 'no value';
}

/** At most four significant digits. */
export function formatScore(score: number): string {
  return String(Number(score.toPrecision(4)));
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
