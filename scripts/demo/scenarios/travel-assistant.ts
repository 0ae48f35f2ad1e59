import { PLACES } from '../content/travel-places.ts';
import {
  drawTrip,
  TRAVEL_INSTRUCTIONS,
  TRAVEL_SCRIPTS,
  TRAVEL_TOOLS,
  type TravelTurn,
} from '../content/travel-scripts.ts';
import type { AssistantMessage, Message, ScriptedCall, ToolCall } from '../conversation.ts';
import { type Fault, toolFailed } from '../faults.ts';
import { inForm, type StructuredForm, toGenAiMessages } from '../genai.ts';
import { chat } from '../genai-call.ts';
import { drawCallId } from '../generation.ts';
import { GEMINI_PRO, GPT_4O, LLAMA_70B, type Model } from '../models.ts';
import { Double, type Scope } from '../otlp.ts';
import { pictureUrl } from '../pictures.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';
import { expectedStarts, faultOddsAt, type LoadCurve } from '../schedule.ts';
import { resourceAt, TRAVEL_SERVICE } from '../services.ts';
import { type RecordedTrace, TraceRecorder } from '../trace.ts';

const SCOPE: Scope = { name: 'wayfarer.agent', version: '5.1.3' };
const LOAD: LoadCurve = {
  base: 0.3,
  peaks: [
    { hour: 12, height: 0.8, widthHours: 1.5 },
    { hour: 20, height: 2.9, widthHours: 2.2 },
  ],
  weekendFactor: 1.6,
};

/** Travellers plan with an assistant that follows the OpenTelemetry GenAI conventions. */
export const TRAVEL_ASSISTANT: Scenario = {
  name: 'travel-assistant',
  isScaled: true,
  startsIn: (hourMs) => expectedStarts(LOAD, hourMs),
  record: recordConversation,
};

interface Conversation {
  readonly id: string;
  readonly userId: string;
  readonly model: Model;
  readonly form: StructuredForm;
  readonly place: string;
  readonly history: Message[];
}

function recordConversation(random: Random, startTimeMs: number): RecordedTrace[] {
  const trip = drawTrip(random.fork('trip'), startTimeMs);
  const weights = Object.fromEntries(TRAVEL_SCRIPTS.map((script, position) => [position, script.weight]));
  const script = TRAVEL_SCRIPTS[Number(random.weighted(weights))];
  if (script === undefined) throw new Error('There is no such travel script.');
  const conversation: Conversation = {
    id: `conv_${random.token(20)}`,
    userId: `traveller-${random.int(1000, 9999)}`,
    model: { gpt: GPT_4O, gemini: GEMINI_PRO, llama: LLAMA_70B }[random.weighted({ gpt: 5, gemini: 3, llama: 2 })],
    form: random.chance(0.7) ? 'text' : 'structured',
    place: trip.place.city,
    history: [],
  };
  let turnStartMs = startTimeMs;
  return script.turns(trip).map((turn, position) => {
    const trace = recordTurn(random.fork('turn', position), conversation, turn, turnStartMs);
    turnStartMs = Number(trace.endTimeUnixNano / 1_000_000n) + random.skewed(90_000, 0.6);
    return trace;
  });
}

function recordTurn(random: Random, conversation: Conversation, turn: TravelTurn, startTimeMs: number): RecordedTrace {
  const trace = new TraceRecorder({
    random,
    startTimeMs,
    resource: resourceAt(TRAVEL_SERVICE, random.int(0, 1), startTimeMs),
    scope: SCOPE,
    shared: { 'gen_ai.conversation.id': conversation.id, 'user.id': conversation.userId },
    successCode: 0,
  });
  const question: Message = {
    role: 'user',
    content: turn.user,
    ...(turn.picture === undefined ? {} : { imageUrl: pictureUrl(turn.picture) }),
  };
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': conversation.model.genAiProvider,
    'gen_ai.agent.name': 'wayfarer',
    'gen_ai.agent.id': 'asst_wayfarer_5',
    'gen_ai.agent.version': SCOPE.version,
    'gen_ai.request.model': conversation.model.name,
    ...inForm(conversation.form, { 'gen_ai.input.messages': toGenAiMessages([question]) }),
  };
  trace.span('invoke_agent wayfarer', { attributes }, (root) => {
    const fault = reply(trace, conversation, turn, question, startTimeMs);
    conversation.history.push(question, { role: 'assistant', content: turn.assistant });
    if (fault !== undefined) {
      root.set({ 'error.type': fault.type });
      root.fail(fault, { isPassedOn: true });
      return;
    }
    const answer: Message = { role: 'assistant', content: turn.assistant };
    const output = toGenAiMessages([answer]).map((message) => ({
      ...message,
      finish_reason: turn.finishReason ?? 'stop',
    }));
    root.set(inForm(conversation.form, { 'gen_ai.output.messages': output }));
    if (random.chance(0.2)) {
      root.event('gen_ai.evaluation.result', {
        'gen_ai.evaluation.name': 'itinerary_feasible',
        'gen_ai.evaluation.score.value': new Double(random.pick([1, 1, 1, 0.5, 0])),
        'gen_ai.evaluation.score.label': 'checked',
        'gen_ai.evaluation.explanation': 'Times, distances and opening hours were checked against each other.',
      });
    }
  });
  return trace.finish({ hasDied: random.chance(0.006) });
}

function reply(
  trace: TraceRecorder,
  { model, form, place, history }: Conversation,
  turn: TravelTurn,
  question: Message,
  startTimeMs: number,
): Fault | undefined {
  const { random } = trace;
  const instructions = turn.isGuided
    ? `${TRAVEL_INSTRUCTIONS}\n\n${consultGuides(trace, turn.user, place)}`
    : TRAVEL_INSTRUCTIONS;
  const messages: Message[] = [...history, question];
  const call = { model, form, instructions, tools: TRAVEL_TOOLS, odds: faultOddsAt(startTimeMs), temperature: 0.7 };
  let knownCount = history.length;
  for (const round of turn.rounds) {
    const toolCalls = round.map((scripted) => ({
      id: drawCallId(random, model),
      name: scripted.tool,
      arguments: scripted.arguments,
    }));
    const asking: AssistantMessage = { role: 'assistant', content: '', toolCalls };
    const fault = chat(trace, { ...call, messages: [...messages], reply: asking, knownCount });
    if (fault !== undefined) return fault;
    knownCount = messages.length;
    const results = trace.parallel(
      round.map((scripted, position) => () => executeTool(trace, form, scripted, toolCalls[position] as ToolCall)),
    );
    messages.push(asking, ...results);
  }
  const answer: AssistantMessage = {
    role: 'assistant',
    content: turn.assistant,
    ...(turn.reasoning === undefined ? {} : { reasoning: turn.reasoning }),
  };
  const ending = turn.finishReason === undefined ? {} : { finishReason: turn.finishReason };
  return chat(trace, { ...call, ...ending, messages, reply: answer, knownCount });
}

/** Finds passages of the travel guides, by the conventions' retrieval and embedding operations. */
function consultGuides(trace: TraceRecorder, query: string, city: string): string {
  const { random } = trace;
  const place = PLACES.find((candidate) => candidate.city === city);
  if (place === undefined) throw new Error(`There is no guide for ${city}.`);
  const passages = [
    `In ${city}, see ${place.sights.join(', ')}.`,
    `When it rains: ${place.rainPlan}.`,
    `Eat ${place.dish}.`,
  ];
  const embedding = {
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'text-embedding-3-small',
    'gen_ai.embeddings.dimension.count': 512,
    'gen_ai.request.encoding_formats': ['float'],
    'gen_ai.usage.input_tokens': Math.ceil(query.length / 4),
  };
  trace.span('embeddings text-embedding-3-small', { otelKind: 3, attributes: embedding }, () =>
    trace.wait(random.skewed(90)),
  );
  const retrieval = {
    'gen_ai.operation.name': 'retrieval',
    'gen_ai.data_source.id': 'city-guides',
    'gen_ai.retrieval.query.text': query,
  };
  trace.span('retrieval city-guides', { otelKind: 3, attributes: retrieval }, (span) => {
    trace.wait(random.skewed(35));
    const documents = passages.map((content, position) => ({
      id: `guide-${place.airport.toLowerCase()}-${position}`,
      score: Math.round((0.83 - position * 0.09 - random.between(0, 0.04)) * 1e4) / 1e4,
      content,
    }));
    span.set(inForm('text', { 'gen_ai.retrieval.documents': documents }));
  });
  return `From the guide to ${city}:\n${passages.map((passage) => `- ${passage}`).join('\n')}`;
}

function executeTool(trace: TraceRecorder, form: StructuredForm, scripted: ScriptedCall, call: ToolCall): Message {
  const { random } = trace;
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': call.id,
    'gen_ai.tool.description': TRAVEL_TOOLS.find((tool) => tool.name === call.name)?.description,
    ...inForm(form, { 'gen_ai.tool.call.arguments': call.arguments }),
  };
  const execute = (failure?: Fault) =>
    trace.span(`execute_tool ${call.name}`, { attributes }, (span) => {
      trace.wait(failure === undefined ? random.skewed(420, 0.7) : 8000);
      if (failure === undefined) span.set(inForm(form, { 'gen_ai.tool.call.result': scripted.result }));
      else {
        span.set({ 'error.type': failure.type });
        span.fail(failure);
      }
    });
  // The first of two suppliers sometimes does not answer; the second one is asked then.
  if (random.chance(0.03))
    execute(toolFailed('node', call.name, `supplier "skyline" did not answer ${call.name} within 8000 ms`));
  execute();
  return { role: 'tool', toolCallId: call.id, name: call.name, content: JSON.stringify(scripted.result) };
}
