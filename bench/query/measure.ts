/** Asks a question again and again. */
import type { Month, Question } from './question.ts';

/** Milliseconds of one question. */
export interface Timing {
  /** The first answer of a server that has just started. */
  readonly coldMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** What the answers held. */
  readonly held: string;
}

/** Asks so many times, one after the other, once the code that answers has been compiled. */
export async function timeQuestion(question: Question, month: Month, times: number): Promise<Timing> {
  const cold = await askTimes(question, month, 1);
  await warmUp(question, month);
  const { waits, held } = await askTimes(question, month, times);
  const [p50Ms, p95Ms, p99Ms] = [quantile(waits, 0.5), quantile(waits, 0.95), quantile(waits, 0.99)];
  return { coldMs: quantile(cold.waits, 0.5), p50Ms, p95Ms, p99Ms, held };
}

/** Asks until the code that answers has been compiled. */
export async function warmUp(question: Question, month: Month): Promise<void> {
  await askTimes(question, month, WARMING_UP, WARMING_UP_MS);
}

/** A server that runs has answered more often than this before it is asked. */
const WARMING_UP = 200;
const WARMING_UP_MS = 3000;

/** Asks until it has asked so often, or for so long; `waits` are the milliseconds of each. */
export async function askTimes(
  { ask }: Question,
  month: Month,
  times: number,
  milliseconds = Number.POSITIVE_INFINITY,
) {
  const waits: number[] = [];
  let held = '';
  for (const until = performance.now() + milliseconds; waits.length < times && performance.now() < until; ) {
    const askedAt = performance.now();
    held = await ask(month);
    waits.push(performance.now() - askedAt);
  }
  return { waits, held };
}

/** The value that the share of values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.min(Math.ceil(ascending.length * share), ascending.length) - 1] ?? Number.NaN;
}
