import { readContent, render } from '../content.ts';
import type { AssistantMessage, Message, ScriptedCall, ToolDefinition } from '../conversation.ts';
import type { Fault } from '../faults.ts';
import { drawCalls, type IssuedCall } from '../generation.ts';
import { callModel } from '../model-call.ts';
import { type Model, MODELS } from '../models.ts';
import { inputOutput } from '../openinference.ts';
import type { Scope } from '../otlp.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';
import { expectedStarts, faultOddsAt, type LoadCurve } from '../schedule.ts';
import { resourceAt } from '../services.ts';
import { recordTool } from '../tool-call.ts';
import { type RecordedTrace, TraceRecorder } from '../trace.ts';

/** What the agent says to itself and the calls that it then makes at once. */
export interface CodingStep {
  readonly thought: string;
  readonly calls: readonly ScriptedCall[];
}

interface CodingTurn {
  readonly request: string;
  readonly steps: readonly CodingStep[];
  readonly answer: string;
}

/** One task in one repository, worked on in one or more turns. */
export interface CodingTask {
  readonly repository: string;
  readonly language: string;
  readonly issue: string;
  readonly turns: readonly CodingTurn[];
}

const CODING = readContent<{
  readonly instructions: string;
  readonly tools: readonly ToolDefinition[];
  readonly tasks: readonly CodingTask[];
}>('coding');

const APP: Scope = { name: 'patchwork', version: '0.34.1' };
const SDK_SCOPES: Readonly<Record<string, Scope>> = {
  anthropic: { name: '@arizeai/openinference-instrumentation-anthropic', version: '0.1.8' },
  openai: { name: '@arizeai/openinference-instrumentation-openai', version: '4.0.2' },
};
const LOAD: LoadCurve = {
  base: 0.02,
  peaks: [
    { hour: 9, height: 0.7, widthHours: 1.6 },
    { hour: 15, height: 1, widthHours: 2.2 },
  ],
  weekendFactor: 0.15,
};

/** Developers hand tasks to an agent that reads, edits and runs code in a loop. */
export const CODING_AGENT: Scenario = {
  name: 'coding-agent',
  isScaled: true,
  startsIn: (hourMs) => expectedStarts(LOAD, hourMs),
  record: (random, startTimeMs) => {
    const model = MODELS[random.weighted({ 'claude-sonnet': 6, 'gpt-5-mini': 3, 'gemini-pro': 2, mistral: 1 })];
    return recordTask(random, random.pick(CODING.tasks), model, startTimeMs);
  },
};

/** The whole history of a task goes along with each call, from its first turn on. */
export function recordTask(random: Random, task: CodingTask, model: Model, startTimeMs: number): RecordedTrace[] {
  const session: Session = {
    task,
    model,
    id: `task-${task.issue.toLowerCase()}-${random.hex(3)}`,
    userId: `${random.pick(['ines', 'kofi', 'mei', 'anders', 'rosa', 'viktor', 'leila', 'jun'])}@girder.example`,
    history: [
      {
        role: 'system',
        content: render(CODING.instructions, { repository: task.repository, language: task.language }),
      },
    ],
  };
  let turnStartMs = startTimeMs;
  return task.turns.map((turn, position) => {
    const trace = recordTurn(random.fork('turn', position), session, turn, turnStartMs);
    turnStartMs = Number(trace.endTimeUnixNano / 1_000_000n) + random.skewed(240_000, 0.7);
    return trace;
  });
}

interface Session {
  readonly task: CodingTask;
  readonly model: Model;
  readonly id: string;
  readonly userId: string;
  readonly history: Message[];
}

function recordTurn(random: Random, session: Session, turn: CodingTurn, startTimeMs: number): RecordedTrace {
  const { task, history } = session;
  const trace = new TraceRecorder({
    random,
    startTimeMs,
    resource: resourceAt('coding-agent', random, startTimeMs),
    scope: APP,
    shared: {
      'session.id': session.id,
      'user.id': session.userId,
      metadata: JSON.stringify({
        repository: task.repository,
        language: task.language,
        issue: task.issue,
        sandbox: 'gvisor',
      }),
      'tag.tags': ['agent', task.language.toLowerCase()],
    },
  });
  const knownCount = history.length;
  history.push({ role: 'user', content: turn.request });
  const attributes = {
    'agent.name': 'patchwork',
    'graph.node.id': 'patchwork',
    ...inputOutput({ input: turn.request }),
  };
  trace.span('patchwork.run', { kind: 'AGENT', attributes }, (root) => {
    const fault = work(trace, session, turn, startTimeMs, knownCount > 1 ? knownCount : 0);
    if (fault === undefined) root.set(inputOutput({ output: turn.answer }));
    else root.fail(fault, { isPassedOn: true });
    root.set({ 'patchwork.steps': turn.steps.length });
  });
  return trace.finish({ hasDied: turn.steps.length < 10 && random.chance(0.02) });
}

function work(
  trace: TraceRecorder,
  { model, history }: Session,
  turn: CodingTurn,
  startTimeMs: number,
  firstKnownCount: number,
): Fault | undefined {
  const isAnthropic = model.provider === 'anthropic';
  const call = {
    spanName: isAnthropic ? 'messages.create' : 'chat.completions.create',
    scope: SDK_SCOPES[model.provider] ?? APP,
    runtime: 'node',
    model,
    tools: CODING.tools,
    parameters: isAnthropic ? { max_tokens: 8192, temperature: 0 } : { max_completion_tokens: 8192 },
    odds: faultOddsAt(startTimeMs),
    isStreaming: true,
    hasReportedCost: true,
  } as const;
  let knownCount = firstKnownCount;
  for (const [position, step] of turn.steps.entries()) {
    const issued = drawCalls(trace.random, model, step.calls);
    const toolCalls = issued.map(({ call: made }) => made);
    const reply: AssistantMessage = { role: 'assistant', content: step.thought, toolCalls };
    const attributes = { 'graph.node.id': `step-${position + 1}`, 'graph.node.parent_id': 'patchwork' };
    const fault = callModel(trace, { ...call, messages: [...history], reply, knownCount, attributes });
    if (fault !== undefined) return fault;
    knownCount = history.length;
    const bodies = issued.map((one) => () => runTool(trace, one));
    // A command may depend on the edits before it.
    const isOrdered = step.calls.some(({ tool }) => tool === 'run_command');
    const results = isOrdered ? bodies.map((body) => body()) : trace.parallel(bodies);
    history.push(reply, ...results);
  }
  const reply: AssistantMessage = { role: 'assistant', content: turn.answer };
  const fault = callModel(trace, { ...call, messages: [...history], reply, knownCount });
  if (fault === undefined) history.push(reply);
  return fault;
}

/** How long the tools take at the median. */
const TOOL_MS: Readonly<Record<string, number>> = {
  read_file: 9,
  search_code: 70,
  edit_file: 14,
  write_file: 12,
  run_command: 5200,
};

function runTool(trace: TraceRecorder, issued: IssuedCall): Message {
  const isTimeout = issued.failure?.includes('timed out') ?? false;
  const durationMs = isTimeout ? 120_000 : trace.random.skewed(TOOL_MS[issued.tool] ?? 50, 0.6);
  return recordTool(trace, { ...issued, runtime: 'node', tools: CODING.tools, durationMs });
}
