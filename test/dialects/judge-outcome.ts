/** What a reading shows of how a scenario ended, and of its spans. */
import type { RestSpan } from '../harness/telemetry.ts';
import { isSameResult, shownLines } from './conversation.ts';
import { type ScenarioEvidence, tellsText } from './evidence.ts';
import { type Judgement, judge } from './question.ts';
import { canonical, type Reading, textAt, toldAt } from './reading.ts';
import type { RecordedScenario } from './recording.ts';
import { drawTree, hasTree, listNodes } from './tree.ts';

/** The error, or what the program got. */
export function judgeOutcome(
  { truth, carried }: RecordedScenario,
  evidence: ScenarioEvidence,
  { spans }: Reading,
): Judgement[] {
  const judgements: Judgement[] = [];
  if (carried['error_message'] === true && truth.error !== null) {
    const told = spans.flatMap(({ status_message: status, events }) => [
      status,
      ...events.flatMap(({ attributes }) => textAt(attributes, 'exception.message') ?? []),
    ]);
    const { message } = truth.error;
    judgements.push(
      judge(
        'error_message',
        told.some((text) => tellsLines(text, message)),
        message,
        told,
      ),
    );
  }
  const expected = truth.final_output;
  if (expected !== null && evidence.whole.carries(canonical(expected).trim())) {
    const ids = new Set(spans.map(({ context }) => context.span_id));
    const top = spans.filter(({ parent_id: parent }) => parent === null || !ids.has(parent));
    const isToldBy = (span: RestSpan) => isFinal(expected, span);
    const isCarriedByTop = top.some(({ context }) => evidence.of(context.span_id).carries(canonical(expected).trim()));
    const isRight = (isCarriedByTop ? top : spans).some(isToldBy);
    judgements.push(
      judge(
        'final_output',
        isRight,
        expected,
        top.flatMap((span) => toldAt(span, ['output.value'])),
      ),
    );
  }
  return judgements;
}

/** Whether a text has all the lines that say something; what stands before the first may be named otherwise. */
function tellsLines(text: string, message: string): boolean {
  const lines = message.split('\n').map((line) => line.trim());
  return lines.filter((line) => line.length > MAX_NAME || lines.length === 1).every((line) => text.includes(line));
}

/** Such as `RESOURCE_EXHAUSTED:`. */
const MAX_NAME = 24;

function isFinal(expected: unknown, span: RestSpan): boolean {
  const texts = [
    ...toldAt(span, ['output.value']),
    ...shownLines(span.attributes, 'llm.output_messages').map(({ text }) => text),
  ];
  return texts.some((text) => tellsText(text, canonical(expected).trim()) || isSameResult(expected, text));
}

/** The spans that must be found, their kinds and status, and how many traces they are in. */
export function judgeTree({ truth }: RecordedScenario, { spans }: Reading): Judgement[] {
  const { tree, traces } = truth;
  const nodes = listNodes(tree);
  const shown = drawTree(spans);
  const isNamed = (span: RestSpan, { name }: (typeof nodes)[number]) => name === null || span.name === name;
  const isOfKind = (span: RestSpan, { kind }: (typeof nodes)[number]) => kind === null || span.span_kind === kind;
  const failed = (span: RestSpan, { status }: (typeof nodes)[number]) =>
    status === undefined || span.status_code === status;
  const judgements: Judgement[] = [];
  if (nodes.length > 0) {
    judgements.push(judge('tree', hasTree(spans, tree, isNamed), tree, shown));
    judgements.push(
      judge(
        'kinds',
        hasTree(spans, tree, (span, node) => isNamed(span, node) && isOfKind(span, node)),
        tree,
        shown,
      ),
    );
  }
  if (nodes.some(({ status }) => status !== undefined)) {
    judgements.push(
      judge(
        'error_status',
        hasTree(spans, tree, (span, node) => isNamed(span, node) && failed(span, node)),
        tree,
        shown,
      ),
    );
  }
  if (traces !== null) {
    const count = new Set(spans.map(({ context }) => context.trace_id)).size;
    judgements.push(judge('traces', count === traces, traces, count));
  }
  return judgements;
}
