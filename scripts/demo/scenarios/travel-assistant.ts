import { type Facts, fillTurns, pictureUrl, randomFacts, readContent } from '../content.ts';
import type { AssistantMessage, JsonObject, Message, ScriptedCall, ToolDefinition } from '../conversation.ts';
import { type Fault, toolFailed } from '../faults.ts';
import { inForm, type StructuredForm, toGenAiMessages } from '../genai.ts';
import { chat } from '../genai-call.ts';
import { drawCalls, type IssuedCall } from '../generation.ts';
import { type Model, MODELS } from '../models.ts';
import { Double, type Scope } from '../otlp.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';
import { expectedStarts, faultOddsAt, type LoadCurve } from '../schedule.ts';
import { resourceAt } from '../services.ts';
import { type RecordedTrace, TraceRecorder } from '../trace.ts';

interface ScriptedTurn {
  readonly user: string | readonly string[];
  readonly picture?: string;
  /** Looks the place up in the travel guides first. */
  readonly isGuided?: boolean;
  /** Each round is what the model asks for at once. */
  readonly rounds: readonly (readonly ScriptedCall[])[];
  readonly reasoning?: string;
  readonly assistant: string;
  readonly finishReason?: 'length' | 'content_filter';
}

interface TravelTurn extends ScriptedTurn {
  readonly user: string;
}

interface Place extends JsonObject {
  readonly city: string;
  readonly airport: string;
  readonly currency: string;
  readonly hotels: readonly JsonObject[];
  readonly sights: readonly string[];
  readonly rainPlan: string;
  readonly dish: string;
}

/** Places with enough detail for a conversation to be about something. Hotels and flights are invented. */
const TRAVEL = readContent<{
  readonly instructions: string;
  readonly tools: readonly ToolDefinition[];
  readonly scripts: readonly { readonly weight: number; readonly turns: readonly ScriptedTurn[] }[];
  readonly places: readonly Place[];
  readonly homeAirports: readonly string[];
  readonly cash: readonly { readonly amount: number; readonly currency: string; readonly euroRate: number }[];
}>('travel');

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
  readonly place: Place;
  readonly history: Message[];
}

function recordConversation(random: Random, startTimeMs: number): RecordedTrace[] {
  const tripRandom = random.fork('trip');
  const place = tripRandom.pick(TRAVEL.places);
  const facts = drawFacts(tripRandom, startTimeMs, place);
  const script = random.pickWeighted(TRAVEL.scripts);
  const conversation: Conversation = {
    id: `conv_${random.token(20)}`,
    userId: `traveller-${random.int(1000, 9999)}`,
    model: MODELS[random.weighted({ 'gpt-4o': 5, 'gemini-pro': 3, llama: 2 })],
    form: random.chance(0.7) ? 'text' : 'structured',
    place,
    history: [],
  };
  let turnStartMs = startTimeMs;
  return fillTurns(script.turns, facts, tripRandom).map((turn, position) => {
    const trace = recordTurn(random.fork('turn', position), conversation, turn, turnStartMs);
    turnStartMs = Number(trace.endTimeUnixNano / 1_000_000n) + random.skewed(90_000, 0.6);
    return trace;
  });
}

function recordTurn(random: Random, conversation: Conversation, turn: TravelTurn, startTimeMs: number): RecordedTrace {
  const trace = new TraceRecorder({
    random,
    startTimeMs,
    resource: resourceAt('travel-assistant', random, startTimeMs),
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
    ? `${TRAVEL.instructions}\n\n${consultGuides(trace, turn.user, place)}`
    : TRAVEL.instructions;
  const messages: Message[] = [...history, question];
  const call = { model, form, instructions, tools: TRAVEL.tools, odds: faultOddsAt(startTimeMs), temperature: 0.7 };
  let knownCount = history.length;
  for (const round of turn.rounds) {
    const issued = drawCalls(random, model, round);
    const asking: AssistantMessage = {
      role: 'assistant',
      content: '',
      toolCalls: issued.map(({ call: made }) => made),
    };
    const fault = chat(trace, { ...call, messages: [...messages], reply: asking, knownCount });
    if (fault !== undefined) return fault;
    knownCount = messages.length;
    const results = trace.parallel(issued.map((one) => () => executeTool(trace, form, one)));
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
function consultGuides(trace: TraceRecorder, query: string, place: Place): string {
  const { random } = trace;
  const passages = [
    `In ${place.city}, see ${place.sights.join(', ')}.`,
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
  return `From the guide to ${place.city}:\n${passages.map((passage) => `- ${passage}`).join('\n')}`;
}

function executeTool(trace: TraceRecorder, form: StructuredForm, { call, result }: IssuedCall): Message {
  const { random } = trace;
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': call.id,
    'gen_ai.tool.description': TRAVEL.tools.find((tool) => tool.name === call.name)?.description,
    ...inForm(form, { 'gen_ai.tool.call.arguments': call.arguments }),
  };
  const execute = (failure?: Fault) =>
    trace.span(`execute_tool ${call.name}`, { attributes }, (span) => {
      trace.wait(failure === undefined ? random.skewed(420, 0.7) : 8000);
      if (failure === undefined) span.set(inForm(form, { 'gen_ai.tool.call.result': result }));
      else {
        span.set({ 'error.type': failure.type });
        span.fail(failure);
      }
    });
  // The first of two suppliers sometimes does not answer; the second one is asked then.
  if (random.chance(0.03))
    execute(toolFailed('node', call.name, `supplier "skyline" did not answer ${call.name} within 8000 ms`));
  execute();
  return { role: 'tool', toolCallId: call.id, name: call.name, content: JSON.stringify(result) };
}

/** What is particular about one journey. */
function drawFacts(random: Random, nowMs: number, place: Place): Facts {
  const departureMs = nowMs + random.int(9, 70) * 86_400_000;
  const cash = TRAVEL.cash.find(({ currency }) => currency === place.currency) ?? random.pick(TRAVEL.cash);
  const euros = cash.amount * cash.euroRate;
  const [nights, fare, room] = [random.int(2, 9), random.int(68, 890), random.int(54, 210)];
  return {
    ...randomFacts(random),
    place,
    cash: { ...cash, euros: Math.round(euros * 100) / 100, roundEuros: Math.round(euros) },
    home: random.pick(TRAVEL.homeAirports),
    date: new Date(departureMs).toISOString().slice(0, 10),
    nights,
    room,
    rooms: place.hotels.map((hotel, position) => ({ ...hotel, price_eur: room - position * 12 })),
    fares: [fare, fare + 27, fare + 54],
    total: fare + room * nights,
  };
}
