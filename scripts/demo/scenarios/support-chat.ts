import { ADVICE_SCRIPTS } from '../content/support-advice.ts';
import { drawSupportFacts, type SupportFacts } from '../content/support-facts.ts';
import { LANGUAGE_SCRIPTS } from '../content/support-languages.ts';
import { ORDER_SCRIPTS } from '../content/support-orders.ts';
import type { SupportScript, SupportTurn } from '../content/support-script.ts';
import { SUPPORT_TEMPLATE, SUPPORT_TOOLS } from '../content/support-tools.ts';
import type { AssistantMessage, Document, Message, ScriptedCall, ToolCall } from '../conversation.ts';
import { type Fault, toolFailed } from '../faults.ts';
import { drawCallId } from '../generation.ts';
import { callModel } from '../model-call.ts';
import { CLAUDE_HAIKU, GPT_4O, GPT_5_MINI, type Model } from '../models.ts';
import { inputOutput } from '../openinference.ts';
import type { AttributeMap, Scope } from '../otlp.ts';
import { pictureUrl } from '../pictures.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';
import { expectedStarts, faultOddsAt, type LoadCurve } from '../schedule.ts';
import { resourceAt, SUPPORT_SERVICE } from '../services.ts';
import { type RecordedTrace, TraceRecorder } from '../trace.ts';
import { reviewReply } from './quality-review.ts';
import { findPassages } from './support-search.ts';

const APP: Scope = { name: 'juniper.assistant', version: '26.4.0' };
const OPENAI: Scope = { name: 'openinference.instrumentation.openai', version: '0.1.41' };
const LOAD: LoadCurve = {
  base: 0.6,
  peaks: [
    { hour: 10, height: 4.3, widthHours: 2.2 },
    { hour: 19, height: 4.8, widthHours: 2 },
  ],
  weekendFactor: 1.25,
};
const SCRIPTS: readonly SupportScript[] = [...ORDER_SCRIPTS, ...ADVICE_SCRIPTS, ...LANGUAGE_SCRIPTS];
const SORRY = 'Something went wrong on our side. Please try again in a minute, or write to help@harrowandpine.example.';

/** Customers of a shop talk to an assistant that searches the help centre and uses tools. */
export const SUPPORT_CHAT: Scenario = {
  name: 'support-chat',
  isScaled: true,
  startsIn: (hourMs) => expectedStarts(LOAD, hourMs),
  record: recordSession,
};

interface Session {
  readonly random: Random;
  readonly id: string;
  readonly userId: string;
  readonly facts: SupportFacts;
  readonly script: SupportScript;
  readonly model: Model;
  readonly channel: string;
  readonly history: Message[];
}

function recordSession(random: Random, startTimeMs: number): RecordedTrace[] {
  const weights = Object.fromEntries(SCRIPTS.map((script, position) => [position, script.weight]));
  const script = SCRIPTS[Number(random.weighted(weights))] as SupportScript;
  const facts = drawSupportFacts(random.fork('facts'), startTimeMs, script.language);
  const model = { gpt5: GPT_5_MINI, gpt4: GPT_4O, haiku: CLAUDE_HAIKU }[
    random.weighted({ gpt5: 7, gpt4: 2, haiku: 1 })
  ];
  const session: Session = {
    random,
    id: `chat-${random.hex(6)}`,
    userId: `cust-${random.int(10_000, 99_999)}`,
    facts,
    script,
    model,
    channel: random.weighted({ web: 6, ios: 2, android: 2, mail: 1 }),
    history: [],
  };
  const traces: RecordedTrace[] = [];
  let turnStartMs = startTimeMs;
  for (const [position, turn] of script.turns(facts).entries()) {
    const trace = recordTurn(session, turn, position, turnStartMs);
    traces.push(trace);
    if (random.chance(0.22)) traces.push(reviewReply(random.fork('review', position), trace, turn));
    turnStartMs = Number(trace.endTimeUnixNano / 1_000_000n) + random.skewed(75_000, 0.6);
    // Some people are content, or gone, before the script ends.
    if (script.topic !== 'trek-planning' && random.chance(0.12)) break;
  }
  return traces;
}

function recordTurn(session: Session, turn: SupportTurn, position: number, startTimeMs: number): RecordedTrace {
  const random = session.random.fork('turn', position);
  const trace = new TraceRecorder({
    random,
    startTimeMs,
    resource: resourceAt(SUPPORT_SERVICE, random.int(0, 2), startTimeMs),
    scope: APP,
    shared: {
      'session.id': session.id,
      'user.id': session.userId,
      metadata: JSON.stringify({
        channel: session.channel,
        locale: session.script.language ?? 'en',
        turn: position + 1,
        topic: session.script.topic,
        reranker: 'v3.5',
      }),
      'tag.tags': ['production', session.channel, ...(session.script.language === undefined ? [] : ['non-english'])],
    },
  });
  const question: Message = {
    role: 'user',
    content: turn.user,
    ...(turn.picture === undefined ? {} : { imageUrl: pictureUrl(turn.picture) }),
  };
  trace.span('juniper.reply', { kind: 'AGENT', otelKind: 2, attributes: { 'agent.name': 'juniper' } }, (root) => {
    root.set(inputOutput({ input: turn.user }));
    screenInput(trace, turn);
    const fault = turn.blockedFor === undefined ? answer(trace, session, turn, question, startTimeMs) : undefined;
    const text = fault === undefined ? turn.assistant : SORRY;
    if (fault === undefined) {
      if (turn.blockedFor === undefined) checkOutput(trace, text);
    } else root.fail(fault, { isPassedOn: true });
    root.set({ ...inputOutput({ output: text }), ...drawFeedback(random, fault !== undefined) });
    session.history.push(question, { role: 'assistant', content: text });
  });
  return trace.finish({ hasDied: random.chance(0.006) });
}

function screenInput(trace: TraceRecorder, turn: SupportTurn): void {
  trace.span('screen_input', { kind: 'GUARDRAIL' }, (span) => {
    trace.wait(trace.random.skewed(38));
    const verdict = turn.blockedFor ?? 'none';
    span.set(
      inputOutput({ input: turn.user, output: { is_allowed: verdict === 'none', reason: verdict, policy: 'chat-v7' } }),
    );
  });
}

function checkOutput(trace: TraceRecorder, text: string): void {
  trace.span('check_output', { kind: 'GUARDRAIL' }, (span) => {
    trace.wait(trace.random.skewed(24));
    const findings = { personal_data: false, promises_refund_above_limit: false, language_matches: true };
    span.set(inputOutput({ input: text, output: { is_allowed: true, findings } }));
  });
}

/** The work between the guardrails. Returns what made it fail, if anything did. */
function answer(
  trace: TraceRecorder,
  session: Session,
  turn: SupportTurn,
  question: Message,
  startTimeMs: number,
): Fault | undefined {
  const documents = findPassages(trace, turn.user, turn.articles ?? []);
  const prompt = renderPrompt(trace, session, documents);
  const messages: Message[] = [{ role: 'system', content: prompt.text }, ...session.history, question];
  const call = {
    spanName: 'ChatCompletion',
    scope: OPENAI,
    runtime: 'python',
    model: session.model,
    tools: SUPPORT_TOOLS,
    parameters: session.model === GPT_5_MINI ? { reasoning_effort: 'low' } : { temperature: 0.2, max_tokens: 700 },
    odds: faultOddsAt(startTimeMs),
    attributes: prompt.attributes,
  } as const;
  let knownCount = session.history.length === 0 ? 0 : 1;
  for (const scripted of turn.calls ?? []) {
    const toolCall = {
      id: drawCallId(trace.random, session.model),
      name: scripted.tool,
      arguments: scripted.arguments,
    };
    const reply: AssistantMessage = { role: 'assistant', content: '', toolCalls: [toolCall] };
    const fault = callModel(trace, { ...call, messages, reply, knownCount });
    if (fault !== undefined) return fault;
    knownCount = messages.length;
    messages.push(reply, runTool(trace, scripted, toolCall));
  }
  const reply: AssistantMessage = { role: 'assistant', content: turn.assistant };
  return callModel(trace, { ...call, messages, reply, knownCount, isStreaming: session.channel !== 'mail' });
}

function renderPrompt(
  trace: TraceRecorder,
  { facts, script }: Session,
  documents: readonly Document[],
): { text: string; attributes: AttributeMap } {
  const variables = {
    language: script.language ?? 'en',
    sentence_limit: '5',
    today: facts.day(0),
    customer: facts.name,
    member_since: facts.memberSince,
    passages: documents.map((document) => `[${document.id}] ${document.content}`).join('\n\n') || '(none)',
  };
  const text = SUPPORT_TEMPLATE.replace(/\{\{(\w+)\}\}/g, (_, name: keyof typeof variables) => variables[name]);
  const attributes = {
    'llm.prompt_template.template': SUPPORT_TEMPLATE,
    'llm.prompt_template.variables': JSON.stringify(variables),
    'llm.prompt_template.version': 'v12',
  };
  trace.span(
    'support-answer',
    { kind: 'PROMPT', attributes: { ...attributes, 'prompt.id': 'support-answer' } },
    (span) => {
      span.set(inputOutput({ input: variables, output: text }));
    },
  );
  return { text, attributes };
}

function runTool(trace: TraceRecorder, scripted: ScriptedCall, call: ToolCall): Message {
  // A deployment of the order service cuts some requests off; the application asks once more.
  if (scripted.failure === undefined && trace.random.chance(0.02)) {
    recordTool(trace, call, { ...scripted, failure: '503 Service Unavailable: order service is restarting' });
    trace.wait(250);
  }
  recordTool(trace, call, scripted);
  const content = scripted.failure === undefined ? JSON.stringify(scripted.result) : `Error: ${scripted.failure}`;
  return { role: 'tool', toolCallId: call.id, name: call.name, content };
}

function recordTool(trace: TraceRecorder, call: ToolCall, { result, failure }: ScriptedCall): void {
  const definition = SUPPORT_TOOLS.find((tool) => tool.name === call.name);
  trace.span(call.name, { kind: 'TOOL' }, (span) => {
    trace.wait(trace.random.skewed(140, 0.6));
    span.set({
      'tool.name': call.name,
      'tool.id': call.id,
      'tool.description': definition?.description,
      'tool.parameters': JSON.stringify(call.arguments),
      'tool.json_schema': JSON.stringify(definition?.parameters),
      ...inputOutput({ input: call.arguments }),
    });
    if (failure === undefined) span.set(inputOutput({ output: result }));
    else span.fail(toolFailed('python', call.name, failure));
  });
}

/** What the customer thought of the answer: thumbs that the application sends along with its span. */
function drawFeedback(random: Random, hasFailed: boolean): AttributeMap {
  if (!random.chance(hasFailed ? 0.4 : 0.14)) return {};
  const isGood = !hasFailed && random.chance(0.84);
  return {
    'annotations.0.annotation.name': 'user_feedback',
    'annotations.0.annotation.label': isGood ? 'thumbs_up' : 'thumbs_down',
    'annotations.0.annotation.score': isGood ? 1 : 0,
    'annotations.0.annotation.annotator_kind': 'HUMAN',
  };
}
