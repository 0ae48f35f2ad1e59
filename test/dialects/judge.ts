/** Compares what a server shows of a recorded scenario with what really happened, fact by fact. */
import type { RestSpan } from '../harness/telemetry.ts';
import { ScenarioEvidence } from './evidence.ts';
import { EXCEPTIONS, type Exception } from './exceptions.ts';
import { judgeCalls } from './judge-calls.ts';
import { judgeEmbeddings, judgeRetrievals } from './judge-documents.ts';
import { judgeGiven } from './judge-given.ts';
import { judgeOutcome, judgeTree } from './judge-outcome.ts';
import { judgeSums } from './judge-sums.ts';
import { judgeTools } from './judge-tools.ts';
import type { Judgement } from './question.ts';
import type { Reading } from './reading.ts';
import type { RecordedScenario } from './recording.ts';

/** One judgement for each fact that the bytes carry, and one for each that is shown wrong without being carried. */
export function judgeReading(scenario: RecordedScenario, shown: Reading): Judgement[] {
  const evidence = EVIDENCE.get(scenario) ?? new ScenarioEvidence(scenario);
  EVIDENCE.set(scenario, evidence);
  const reading = { ...shown, spans: shown.spans.map(completeSpan) };
  return [
    ...judgeCalls(scenario, evidence, reading),
    ...judgeTools(scenario, evidence, reading),
    ...judgeRetrievals(scenario, evidence, reading),
    ...judgeEmbeddings(scenario, evidence.whole, reading),
    ...judgeGiven(scenario, evidence.whole, reading),
    ...judgeOutcome(scenario, evidence, reading),
    ...judgeTree(scenario, reading),
    ...judgeSums(scenario, reading),
  ];
}

/** The span with what was derived among its attributes. */
function completeSpan(span: RestSpan): RestSpan {
  const entries = Object.entries({ ...span.attributes, ...span.derived_attributes });
  return { ...span, attributes: Object.fromEntries(entries.filter(([, value]) => value !== null)) };
}

/** Reading bytes takes longer than all the rest, and a scenario is judged as often as there are ways. */
const EVIDENCE = new WeakMap<RecordedScenario, ScenarioEvidence>();

/** Why a fact of a scenario need not be shown; `undefined` where it must. */
export function findException({ folder, name }: RecordedScenario, fact: string): Exception | undefined {
  return EXCEPTIONS.find(
    (one) =>
      one.folder === folder && one.facts.includes(fact) && (one.scenarios === 'all' || one.scenarios.includes(name)),
  );
}
