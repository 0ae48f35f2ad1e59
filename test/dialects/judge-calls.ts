/** Finds the span of each model call, and what it shows of the call's facts. */
import type { RestSpan } from '../harness/telemetry.ts';
import { askCall, shownCount, shownModels } from './call-facts.ts';
import type { ScenarioEvidence } from './evidence.ts';
import { type Judgement, judge, type Question } from './question.ts';
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

/** Each fact once: of several the first that is not shown. */
export function mergeFacts(judgements: readonly Judgement[]): Judgement[] {
  const byFact = new Map<string, Judgement>();
  for (const one of judgements) if (byFact.get(one.fact)?.verdict !== 'missing') byFact.set(one.fact, one);
  return [...byFact.values()];
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
    return fact === 'input_order' && got === undefined ? [] : [judge(fact, isRight, expected, got)];
  }
  if (isCarried === false || (isCarried === 'part' && !question.isCarriedBy(evidence.whole))) return [];
  const answer = span === undefined ? { isRight: false, got: undefined } : question.answer(span);
  // What the span of the call does not carry, another may tell.
  const isElsewhere =
    !answer.isRight &&
    !question.isCarriedBy(own) &&
    others.some((other) => question.answer(other).isRight || question.isToldBy?.(other) === true);
  return [judge(fact, answer.isRight || isElsewhere, expected, answer.got)];
}

const OWN_FACTS: ReadonlySet<string> = new Set([
  'provider',
  'input_order',
  'input_tool_call_ids',
  'output_tool_call_ids',
]);

/** The span of each call: in the order of both, so that most answers are right. */
function chooseSpans(questions: readonly Question[][], spans: readonly RestSpan[]): (RestSpan | undefined)[] {
  const best: { readonly score: number; readonly chosen: readonly (RestSpan | undefined)[] }[][] = [];
  const none = { score: 0, chosen: [] };
  for (let call = 0; call <= questions.length; call++) {
    best.push([]);
    for (let place = 0; place <= spans.length; place++) {
      const [row, above] = [best[call] ?? [], best[call - 1]];
      const [asked, span] = [questions[call - 1], spans[place - 1]];
      const options = [none];
      if (asked === undefined || above === undefined) options[0] = none;
      else options[0] = add(above[place] ?? none, undefined, 0);
      const skipped = row[place - 1];
      if (skipped !== undefined) options.push(skipped);
      const taken = above?.[place - 1];
      if (asked !== undefined && span !== undefined && taken !== undefined) {
        options.push(add(taken, span, asked.filter((question) => question.answer(span).isRight).length));
      }
      row.push(options.reduce((most, one) => (one.score > most.score ? one : most)));
    }
  }
  return [...(best[questions.length]?.[spans.length]?.chosen ?? [])];
}

function add(
  { score, chosen }: { readonly score: number; readonly chosen: readonly (RestSpan | undefined)[] },
  span: RestSpan | undefined,
  right: number,
) {
  return { score: score + right, chosen: [...chosen, span] };
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
    return [{ fact, verdict: 'wrong', expected: `nothing, or ${expected.join(' or ')}`, got: String(one) }];
  };
  const names = calls.flatMap(({ model, response_model: answered }) => [model, ...(answered === undefined ? [] : [answered])]);
  return [
    ...USAGE_NAMES.flatMap((name) =>
      wrong(
        `usage_${name}`,
        calls.map(({ usage }) => usage?.[name]),
        candidates.flatMap((span) => shownCount(span, name) || []),
      ),
    ),
    ...wrong('model', names, candidates.flatMap((span) => shownModels(span).asked.slice(-1))),
    ...wrong('response_model', names, candidates.flatMap((span) => shownModels(span).answered.slice(-1))),
  ];
}
