/** Finds the span of each model call, and what it shows of the call's facts. */
import type { RestSpan } from '../harness/telemetry.ts';
import { askCall, shownCount, shownModels } from './call-facts.ts';
import { type LineType, shownLines, truthLines } from './conversation.ts';
import type { ScenarioEvidence } from './evidence.ts';
import { type Judgement, judge, mergeFacts, type Question, show } from './question.ts';
import type { Reading } from './reading.ts';
import type { RecordedScenario } from './recording.ts';
import { type ModelCall, USAGE_NAMES } from './truth.ts';

/** One judgement for each fact of the scenario's calls that its bytes carry, and one for each that is shown wrong. */
export function judgeCalls(scenario: RecordedScenario, evidence: ScenarioEvidence, { spans }: Reading): Judgement[] {
  const { llm_calls: calls } = scenario.truth;
  const questions = calls.map((call) => askCall(call, evidence.whole));
  const candidates = spans.filter((span) => span.span_kind === 'LLM');
  const chosen = chooseSpans(questions, candidates);
  const judgements = questions.flatMap((asked, place) => {
    const others = spans.filter((span) => span !== chosen[place]);
    return asked.flatMap((question) => judgeCall(scenario, evidence, question, chosen[place], others));
  });
  return [...mergeFacts(judgements), ...findWrong(scenario, calls, candidates)];
}

function judgeCall(
  { carried }: RecordedScenario,
  evidence: ScenarioEvidence,
  question: Question,
  span: RestSpan | undefined,
  others: readonly RestSpan[],
): Judgement[] {
  const { fact, expected } = question;
  const isCarried = carried[fact];
  const own = evidence.of(span?.context.span_id);
  if (isCarried === undefined) {
    // A fact of this comparison's own is asked of the call's span alone.
    if (!OWN_FACTS.has(fact) || span === undefined || !question.isCarriedBy(own)) return [];
    const { isRight, got } = question.answer(span);
    return fact !== 'provider' && got === undefined ? [] : [judge(fact, isRight, expected, got)];
  }
  if (isCarried === false || (isCarried === 'part' && !question.isCarriedBy(evidence.whole))) return [];
  const answer = span === undefined ? { isRight: false, got: undefined } : question.answer(span);
  // What the span of the call does not carry, another may tell.
  const isElsewhere =
    !answer.isRight &&
    !question.isCarriedBy(own) &&
    others.some((other) => question.answer(other).isRight || question.isToldBy?.(other) === true);
  const judged = judge(fact, answer.isRight, expected, answer.got);
  return [isElsewhere ? { ...judged, verdict: 'elsewhere' } : judged];
}

const OWN_FACTS: ReadonlySet<string> = new Set([
  'provider',
  'input_order',
  'input_tool_call_ids',
  'output_tool_call_ids',
]);

/** A span for each call so far, and how many answers of theirs are right. */
interface Choice {
  readonly score: number;
  readonly chosen: readonly (RestSpan | undefined)[];
}

/** The span of each call: in the order of both, so that most answers are right. */
function chooseSpans(questions: readonly Question[][], spans: readonly RestSpan[]): readonly (RestSpan | undefined)[] {
  // The best choice for all calls so far among no span, the first span, the first two…
  let best: readonly Choice[] = Array.from({ length: spans.length + 1 }, () => ({ score: 0, chosen: [] }));
  for (const asked of questions) {
    const next: Choice[] = [];
    for (const [count, without] of best.entries()) {
      const options: Choice[] = [{ score: without.score, chosen: [...without.chosen, undefined] }];
      const [span, before, fewer] = [spans[count - 1], best[count - 1], next[count - 1]];
      if (fewer !== undefined) options.push(fewer);
      if (span !== undefined && before !== undefined) {
        const right = asked.filter((question) => question.answer(span).isRight).length;
        options.push({ score: before.score + right, chosen: [...before.chosen, span] });
      }
      next.push(options.reduce((most, one) => (one.score > most.score ? one : most)));
    }
    best = next;
  }
  return best.at(-1)?.chosen ?? [];
}

/** What is shown although the bytes do not carry it, and is not what happened. */
function findWrong(
  { carried }: RecordedScenario,
  calls: readonly ModelCall[],
  candidates: readonly RestSpan[],
): Judgement[] {
  const wrong = (fact: string, expected: readonly unknown[], shown: readonly unknown[]): Judgement[] => {
    const [one] = carried[fact] === false ? shown.filter((value) => !expected.includes(value)) : [];
    if (one === undefined) return [];
    return [{ fact, verdict: 'wrong', expected: `nothing, or ${expected.join(' or ')}`, got: show(one) }];
  };
  const names = calls.flatMap(({ model, response_model: answered }) => [
    model,
    ...(answered === undefined ? [] : [answered]),
  ]);
  return [
    ...USAGE_NAMES.flatMap((name) =>
      wrong(
        `usage_${name}`,
        calls.map(({ usage }) => usage?.[name]),
        candidates.flatMap((span) => shownCount(span, name) || []),
      ),
    ),
    ...findOtherTexts(calls, candidates),
    ...wrong(
      'model',
      names,
      candidates.flatMap((span) => shownModels(span).asked.slice(-1)),
    ),
    ...wrong(
      'response_model',
      names,
      candidates.flatMap((span) => shownModels(span).answered.slice(-1)),
    ),
  ];
}

/** Something said that nobody said: the messages of other calls than the scenario's, or what is no message. */
function findOtherTexts(calls: readonly ModelCall[], candidates: readonly RestSpan[]): Judgement[] {
  // What a program wrote by hand is not among the calls.
  if (calls.length === 0) return [];
  const said = calls.flatMap((call) => truthLines([...call.input_messages, ...call.output_messages]));
  const joined = ['', '\n', '\n\n'].flatMap((between) =>
    calls.flatMap(({ input_messages: input }) =>
      input.map((message) =>
        truthLines([message])
          .map(({ text }) => text)
          .join(between),
      ),
    ),
  );
  const known = [...said.map(({ text }) => text), ...joined];
  const shown = candidates.flatMap(({ attributes }) =>
    ['llm.input_messages', 'llm.output_messages'].flatMap((path) => shownLines(attributes, path)),
  );
  const other = shown.find(({ type, text }) => SPOKEN.has(type) && !known.some((one) => one.includes(text.trim())));
  return other === undefined
    ? []
    : [{ fact: 'messages', verdict: 'wrong', expected: 'nothing else', got: `${other.type}: ${other.text}` }];
}

const SPOKEN: ReadonlySet<LineType> = new Set(['system', 'user', 'assistant', 'reasoning']);
