import { type Facts, fill, fillTurns, pictureUrl, randomFacts, render } from '../content.ts';
import type { AssistantMessage, Document, Message } from '../conversation.ts';
import type { Fault } from '../faults.ts';
import { drawCalls, type IssuedCall } from '../generation.ts';
import { callModel } from '../model-call.ts';
import { type Model, MODELS } from '../models.ts';
import { inputOutput } from '../openinference.ts';
import type { AttributeMap, Scope } from '../otlp.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';
import { expectedStarts, faultOddsAt, type LoadCurve } from '../schedule.ts';
import { resourceAt } from '../services.ts';
import { recordTool } from '../tool-call.ts';
import { type RecordedTrace, TraceRecorder } from '../trace.ts';
import { reviewReply } from './quality-review.ts';
import { SUPPORT, type SupportScript, type SupportTurn } from './support-content.ts';
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
  readonly facts: Facts;
  readonly script: SupportScript;
  readonly model: Model;
  readonly channel: string;
  readonly history: Message[];
}

function recordSession(random: Random, startTimeMs: number): RecordedTrace[] {
  const script = random.pickWeighted(SUPPORT.scripts);
  const factsRandom = random.fork('facts');
  const facts = drawFacts(factsRandom, startTimeMs, script.language);
  const model = MODELS[random.weighted({ 'gpt-5-mini': 7, 'gpt-4o': 2, 'claude-haiku': 1 })];
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
  for (const [position, turn] of fillTurns(script.turns, facts, factsRandom).entries()) {
    const trace = recordTurn(session, turn, position, turnStartMs);
    traces.push(trace);
    if (random.chance(0.22)) traces.push(reviewReply(random.fork('review', position), trace, turn));
    turnStartMs = Number(trace.endTimeUnixNano / 1_000_000n) + random.skewed(75_000, 0.6);
    // Some people are content, or gone, before the script ends.
    if (script.topic !== 'trek-planning' && random.chance(0.12)) break;
  }
  return traces;
}

/** What is particular about one customer and order. */
function drawFacts(random: Random, nowMs: number, language = 'en'): Facts {
  const name = random.pick(SUPPORT.names[language] ?? []);
  const carrier = random.pick(['DHL', 'PostNL', 'Royal Mail', 'UPS']);
  return {
    ...randomFacts(random),
    name,
    firstName: name.replace(/ .*$/, ''),
    memberSince: String(random.int(2016, 2026)),
    orderId: `HP-${random.digits(6)}`,
    product: random.pick(SUPPORT.products),
    city: random.pick(SUPPORT.cities),
    houseNumber: random.int(3, 190),
    carrier,
    trackingCode: carrier === 'UPS' ? `1Z${random.token(16).toUpperCase()}` : random.digits(14),
    lastFour: random.digits(4),
    day: (offset, locale = 'en-GB') =>
      new Date(nowMs + Number(offset) * 86_400_000).toLocaleDateString(locale, {
        day: 'numeric',
        month: 'long',
        timeZone: 'UTC',
      }),
  };
}

function recordTurn(session: Session, turn: SupportTurn, position: number, startTimeMs: number): RecordedTrace {
  const random = session.random.fork('turn', position);
  const trace = new TraceRecorder({
    random,
    startTimeMs,
    resource: resourceAt('support-chat', random, startTimeMs),
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
    tools: SUPPORT.tools,
    parameters:
      session.model === MODELS['gpt-5-mini'] ? { reasoning_effort: 'low' } : { temperature: 0.2, max_tokens: 700 },
    odds: faultOddsAt(startTimeMs),
    attributes: prompt.attributes,
  } as const;
  let knownCount = session.history.length === 0 ? 0 : 1;
  for (const issued of drawCalls(trace.random, session.model, turn.calls ?? [])) {
    const reply: AssistantMessage = { role: 'assistant', content: '', toolCalls: [issued.call] };
    const fault = callModel(trace, { ...call, messages, reply, knownCount });
    if (fault !== undefined) return fault;
    knownCount = messages.length;
    messages.push(reply, runTool(trace, issued));
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
    ...fill({ today: '{{day 0}}', customer: '{{name}}', member_since: '{{memberSince}}' }, facts),
    passages: documents.map((document) => `[${document.id}] ${document.content}`).join('\n\n') || '(none)',
  };
  const text = render(SUPPORT.template, variables);
  const attributes = {
    'llm.prompt_template.template': SUPPORT.template,
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

function runTool(trace: TraceRecorder, issued: IssuedCall): Message {
  const { random } = trace;
  const record = (one: IssuedCall) =>
    recordTool(trace, { ...one, runtime: 'python', tools: SUPPORT.tools, durationMs: random.skewed(140, 0.6) });
  // A deployment of the order service cuts some requests off; the application asks once more.
  if (issued.failure === undefined && random.chance(0.02)) {
    record({ ...issued, failure: '503 Service Unavailable: order service is restarting' });
    trace.wait(250);
  }
  return record(issued);
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
