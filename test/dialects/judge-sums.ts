/** What a reading shows of the tokens of traces and sessions. */
import { type Judgement, judge, mergeFacts } from './question.ts';
import type { Reading } from './reading.ts';
import type { RecordedScenario } from './recording.ts';
import { givenUsage } from './truth.ts';

/** The sums are those of the model calls, however often spans repeat them. */
export function judgeSums({ truth, carried }: RecordedScenario, { traces, sessions }: Reading): Judgement[] {
  if (traces === undefined) return [];
  const given = new Map(givenUsage(truth.given));
  const judgements: Judgement[] = [];
  const ask = (fact: string, name: 'input_total' | 'output_total', shown: number): void => {
    const isCarried = carried[`usage_${name}`];
    if (isCarried === 'part' || (isCarried === undefined && !given.has(name))) return;
    const expected = sum(truth.llm_calls.map(({ usage }) => usage?.[name] ?? 0)) + (given.get(name) ?? 0);
    if (isCarried !== false) judgements.push(judge(fact, shown === expected, expected, shown));
    else if (shown !== 0 && shown !== expected) {
      judgements.push({ fact, verdict: 'wrong', expected: `0 or ${expected}`, got: String(shown) });
    }
  };
  ask('sum_input', 'input_total', sum(traces.map((trace) => trace.token_count_prompt)));
  ask('sum_output', 'output_total', sum(traces.map((trace) => trace.token_count_completion)));
  for (const session of sessions) {
    const parts = traces.filter(({ trace_id: id }) => session.trace_ids.includes(id));
    if (parts.length < session.trace_ids.length) continue;
    const expected = sum(parts.map((trace) => trace.token_count_prompt + trace.token_count_completion));
    const shown = (session.token_count_prompt ?? 0) + (session.token_count_completion ?? 0);
    judgements.push(judge('session_sum', shown === expected, expected, shown));
  }
  return mergeFacts(judgements);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
