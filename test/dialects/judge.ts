/** Compares what a server shows of a recorded scenario with what really happened, fact by fact. */
import { ScenarioEvidence } from './evidence.ts';
import { EXCEPTIONS, type Exception } from './exceptions.ts';
import { judgeCalls } from './judge-calls.ts';
import { judgeScenario } from './judge-scenario.ts';
import type { Judgement } from './question.ts';
import type { Reading } from './reading.ts';
import type { RecordedScenario } from './recording.ts';

/** One judgement for each fact that the bytes carry, and one for each that is shown wrong without being carried. */
export function judgeReading(scenario: RecordedScenario, reading: Reading): Judgement[] {
  const evidence = new ScenarioEvidence(scenario);
  return [...judgeCalls(scenario, evidence, reading), ...judgeScenario(scenario, evidence, reading)];
}

/** Why a fact of a scenario need not be shown; `undefined` where it must. */
export function findException({ folder, name }: RecordedScenario, fact: string): Exception | undefined {
  return EXCEPTIONS.find(
    (one) => one.folder === folder && one.facts.includes(fact) && (one.scenarios === 'all' || one.scenarios.includes(name)),
  );
}
