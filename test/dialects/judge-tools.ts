/** What a reading shows of the runs of tools. */
import type { RestSpan } from '../harness/telemetry.ts';
import { isSameResult, type Line, shownLines } from './conversation.ts';
import type { Evidence, ScenarioEvidence } from './evidence.ts';
import { type Judgement, judge, mergeFacts } from './question.ts';
import { canonical, type Reading, textAt, toldAt } from './reading.ts';
import type { RecordedScenario } from './recording.ts';
import type { ToolRun } from './truth.ts';

/** What each tool was given and what it gave. */
export function judgeTools(
  { truth, carried }: RecordedScenario,
  evidence: ScenarioEvidence,
  { spans }: Reading,
): Judgement[] {
  const tools = spans.filter(({ span_kind: kind }) => kind === 'TOOL');
  const lines = spans.flatMap(({ attributes }) =>
    ['llm.input_messages', 'llm.output_messages'].flatMap((path) => shownLines(attributes, path)),
  );
  const isNamed = ({ name, attributes }: RestSpan, run: ToolRun) =>
    textAt(attributes, 'tool.name') === run.name || name.includes(run.name);
  // Where the tool's own span carries it, that must tell it; else another tool's (a proxy's), or a message.
  const isTold = (
    run: ToolRun,
    isCarriedBy: (own: Evidence) => boolean,
    isToldBy: (span: RestSpan) => boolean,
    isToldIn: (line: Line) => boolean,
  ) => {
    const own = tools.filter((span) => isNamed(span, run) && isCarriedBy(evidence.of(span.context.span_id)));
    return own.length > 0 ? own.some(isToldBy) : tools.some(isToldBy) || lines.some(isToldIn);
  };
  const isGiven = (run: ToolRun) =>
    isTold(
      run,
      (own) => Object.entries(run.arguments).every(([key, value]) => own.carriesMember(key, value)),
      (span) => toldAt(span, GIVEN_KEYS).some((text) => hasAll(text, run.arguments)),
      ({ type, text }) => type === 'call' && text.endsWith(`${run.name} ${canonical(run.arguments)}`),
    );
  const isGot = (run: ToolRun, result: string) =>
    isTold(
      run,
      (own) => own.carries(result),
      (span) => toldAt(span, ['output.value']).some((text) => text.includes(result)),
      ({ type, text }) => type === 'result' && isSameResult(result, text),
    );
  const got = tools
    .map((span) => `${span.name}: ${toldAt(span, [...GIVEN_KEYS, 'output.value']).join(' -> ')}`)
    .join(' | ');
  return mergeFacts(
    truth.tool_runs.flatMap((run) => [
      ...(carried['tool_run_arguments'] === true
        ? [judge('tool_run_arguments', isGiven(run), [run.name, run.arguments], got)]
        : []),
      ...(carried['tool_run_result'] === true && run.result !== null
        ? [judge('tool_run_result', isGot(run, run.result), [run.name, run.result], got)]
        : []),
    ]),
  );
}

/** Whether a text tells all values, each as it is or as JSON. */
function hasAll(text: string, values: Readonly<Record<string, unknown>>): boolean {
  return Object.values(values).every((value) => text.includes(canonical(value)));
}

/** What a span was given and gave, as it is shown. */
const GIVEN_KEYS = ['input.value', 'tool.parameters'];
