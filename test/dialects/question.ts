/** A fact that is asked of what a server shows. */
import type { RestSpan } from '../harness/telemetry.ts';
import type { Evidence } from './evidence.ts';

/** What a span says to a question; `got` is `undefined` where it says nothing. */
export interface Answer {
  readonly isRight: boolean;
  readonly got: string | undefined;
}

/** A fact with its truth. */
export interface Question {
  /** Its name in `carried`, or one of this comparison's own. */
  readonly fact: string;
  readonly expected: string;
  /** Whether bytes hold what the answer needs. */
  readonly isCarriedBy: (evidence: Evidence) => boolean;
  readonly answer: (span: RestSpan) => Answer;
  /** Whether a span, not that of the call, tells it in any other way that a person reads. */
  readonly isToldBy?: (span: RestSpan) => boolean;
}

/** What became of a fact of a scenario. */
export interface Judgement {
  readonly fact: string;
  /**
   * `elsewhere`: the span of the call does not carry it, and another shows it. `wrong`: the bytes do not carry it, and
   * something else is shown.
   */
  readonly verdict: 'shown' | 'elsewhere' | 'missing' | 'wrong';
  readonly expected: string;
  readonly got: string;
}

/** Whether nothing is wrong with it. */
export function isFine({ verdict }: Judgement): boolean {
  return verdict === 'shown' || verdict === 'elsewhere';
}

/** A judgement of one answer. */
export function judge(fact: string, isRight: boolean, expected: unknown, got: unknown): Judgement {
  return { fact, verdict: isRight ? 'shown' : 'missing', expected: show(expected), got: show(got) };
}

/** A value as a report has it. */
export function show(value: unknown): string {
  if (value === undefined) return '(nothing)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Each fact once: of several the first that is worst. */
export function mergeFacts(judgements: readonly Judgement[]): Judgement[] {
  return [...Map.groupBy(judgements, ({ fact }) => fact).values()].flatMap((own) =>
    own.reduce((worst, one) => (WORSE.indexOf(one.verdict) > WORSE.indexOf(worst.verdict) ? one : worst)),
  );
}

const WORSE: readonly Judgement['verdict'][] = ['shown', 'elsewhere', 'missing', 'wrong'];
