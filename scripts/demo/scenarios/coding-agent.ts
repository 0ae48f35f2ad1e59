import { CODING_INSTRUCTIONS, CODING_TOOLS, type CodingTask, type CodingTurn } from '../content/coding-script.ts';
import { CODING_TASKS } from '../content/coding-tasks.ts';
import type { AssistantMessage, Message, ScriptedCall, ToolCall } from '../conversation.ts';
import { type Fault, toolFailed } from '../faults.ts';
import { drawCallId } from '../generation.ts';
import { callModel } from '../model-call.ts';
import { CLAUDE_SONNET, GEMINI_PRO, GPT_5_MINI, type Model } from '../models.ts';
import { inputOutput } from '../openinference.ts';
import type { Scope } from '../otlp.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';
import { expectedStarts, faultOddsAt, type LoadCurve } from '../schedule.ts';
import { CODING_SERVICE, resourceAt } from '../services.ts';
import { type RecordedTrace, TraceRecorder } from '../trace.ts';

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
    const model = { claude: CLAUDE_SONNET, gpt: GPT_5_MINI, gemini: GEMINI_PRO }[
      random.weighted({ claude: 6, gpt: 3, gemini: 2 })
    ];
    return recordTask(random, random.pick(CODING_TASKS), model, startTimeMs);
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
        content: CODING_INSTRUCTIONS.replace('{repository}', task.repository).replace('{language}', task.language),
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
    resource: resourceAt(CODING_SERVICE, random.int(0, 3), startTimeMs),
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
    tools: CODING_TOOLS,
    parameters: isAnthropic ? { max_tokens: 8192, temperature: 0 } : { max_completion_tokens: 8192 },
    odds: faultOddsAt(startTimeMs),
    isStreaming: true,
    hasReportedCost: true,
  } as const;
  let knownCount = firstKnownCount;
  for (const [position, step] of turn.steps.entries()) {
    const toolCalls = step.calls.map((scripted) => ({
      id: drawCallId(trace.random, model),
      name: scripted.tool,
      arguments: scripted.arguments,
    }));
    const reply: AssistantMessage = { role: 'assistant', content: step.thought, toolCalls };
    const attributes = { 'graph.node.id': `step-${position + 1}`, 'graph.node.parent_id': 'patchwork' };
    const fault = callModel(trace, { ...call, messages: [...history], reply, knownCount, attributes });
    if (fault !== undefined) return fault;
    knownCount = history.length;
    const bodies = step.calls.map((scripted, index) => () => runTool(trace, scripted, toolCalls[index] as ToolCall));
    // A command may depend on the edits before it.
    const isOrdered = step.calls.some((scripted) => scripted.tool === 'run_command');
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

function runTool(trace: TraceRecorder, scripted: ScriptedCall, call: ToolCall): Message {
  const definition = CODING_TOOLS.find((tool) => tool.name === call.name);
  const attributes = {
    'tool.name': call.name,
    'tool.id': call.id,
    'tool.description': definition?.description,
    'tool.parameters': JSON.stringify(call.arguments),
    ...inputOutput({ input: call.arguments }),
  };
  const content = trace.span(call.name, { kind: 'TOOL', attributes }, (span) => {
    const isTimeout = scripted.failure?.includes('timed out') ?? false;
    trace.wait(isTimeout ? 120_000 : trace.random.skewed(TOOL_MS[call.name] ?? 50, 0.6));
    if (scripted.failure !== undefined) {
      span.fail(toolFailed('node', call.name, scripted.failure));
      return `Error: ${scripted.failure}`;
    }
    span.set(inputOutput({ output: scripted.result }));
    return typeof scripted.result === 'string' ? scripted.result : JSON.stringify(scripted.result);
  });
  return { role: 'tool', toolCallId: call.id, name: call.name, content };
}
