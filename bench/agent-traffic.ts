/**
 * An application that runs agents: a run is one trace of an agent, twelve calls of a model and as many of a tool. Every
 * call repeats the conversation before it, once as messages and once as the input, as the instrumentation of the OpenAI
 * client does. Eight runs go on at a time, so a batch of 80 spans holds ten of each of eight traces.
 */
import type { Attributes, TrafficSpan } from './encode-span.ts';
import { Random } from './random.ts';

const TURNS = 12;
const CONCURRENT_RUNS = 8;

/** The endless spans of one process, in the order in which they end. */
export function* agentTraffic(random: Random): Generator<TrafficSpan> {
  const clock = { nowUs: 1_767_225_600_000_000 };
  const runs = Array.from({ length: CONCURRENT_RUNS }, () => agentRun(random, clock));
  // Runs are at different turns, as they would be.
  for (const [place, run] of runs.entries()) for (let skipped = 0; skipped < 3 * place; skipped++) run.next();
  for (let turn = 0; ; turn++) {
    const place = turn % CONCURRENT_RUNS;
    for (let spans = 0; spans < 2; spans++) {
      let next = runs[place]?.next();
      if (next === undefined || next.done) {
        const run = agentRun(random, clock);
        runs[place] = run;
        next = run.next();
      }
      yield next.value as TrafficSpan;
    }
  }
}

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
}

/** The spans of one run of an agent with that many turns. */
export function* agentRun(random: Random, clock: { nowUs: number }, turns = TURNS): Generator<TrafficSpan> {
  const traceId = random.bytes(16);
  const rootId = random.bytes(8);
  const startUs = clock.nowUs;
  const common = { 'session.id': `session-${random.whole(1, 1e9)}`, 'user.id': `user-${random.whole(1, 5000)}` };
  const question = random.text(160);
  const messages: Message[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: question },
  ];
  const step = (name: string, attributes: Attributes): TrafficSpan => {
    const startedAt = BigInt(clock.nowUs) * 1000n;
    clock.nowUs += random.whole(2000, 400_000);
    const endUnixNano = BigInt(clock.nowUs) * 1000n;
    return {
      traceId,
      spanId: random.bytes(8),
      parentSpanId: rootId,
      name,
      startUnixNano: startedAt,
      endUnixNano,
      attributes: { ...common, ...attributes },
    };
  };
  for (let turn = 0; turn < turns; turn++) {
    const answer: Message = { role: 'assistant', content: random.text(random.whole(60, 220)) };
    yield step('ChatCompletion', modelCall(random, messages, answer));
    const query = JSON.stringify({ query: random.text(40), limit: random.whole(1, 20) });
    const result: Message = { role: 'tool', content: random.text(random.whole(80, 240)) };
    yield step('search_orders', toolCall(query, result.content));
    messages.push(answer, result);
  }
  yield {
    traceId,
    spanId: rootId,
    parentSpanId: undefined,
    name: 'support_agent',
    startUnixNano: BigInt(startUs) * 1000n,
    endUnixNano: BigInt(clock.nowUs) * 1000n,
    attributes: {
      ...common,
      'openinference.span.kind': 'AGENT',
      'agent.name': 'support_agent',
      'input.value': question,
      'output.value': (messages.at(-1) as Message).content,
      metadata: JSON.stringify({ tenant: random.whole(1, 50), release: '2026.1' }),
    },
  };
}

function modelCall(random: Random, messages: readonly Message[], answer: Message): Attributes {
  const attributes: Record<string, string | number> = {
    'openinference.span.kind': 'LLM',
    'llm.system': 'openai',
    'llm.provider': 'openai',
    'llm.model_name': 'gpt-4o-mini-2024-07-18',
    'llm.invocation_parameters': '{"model": "gpt-4o-mini", "temperature": 0.2, "max_tokens": 1024}',
    'input.value': JSON.stringify({ messages, model: 'gpt-4o-mini', temperature: 0.2, max_tokens: 1024 }),
    'input.mime_type': 'application/json',
    'output.value': JSON.stringify({ choices: [{ finish_reason: 'tool_calls', index: 0, message: answer }] }),
    'output.mime_type': 'application/json',
    'llm.token_count.prompt': random.whole(200, 3000),
    'llm.token_count.completion': random.whole(10, 200),
    'llm.token_count.total': random.whole(210, 3200),
    'llm.token_count.prompt_details.cache_read': random.whole(0, 150),
    'llm.cost.total': random.whole(1, 900) / 1e6,
    'llm.tools.0.tool.json_schema': TOOL,
  };
  for (const [index, { role, content }] of messages.entries()) {
    attributes[`llm.input_messages.${index}.message.role`] = role;
    attributes[`llm.input_messages.${index}.message.content`] = content;
  }
  attributes['llm.output_messages.0.message.role'] = answer.role;
  attributes['llm.output_messages.0.message.content'] = answer.content;
  return attributes;
}

function toolCall(query: string, result: string): Attributes {
  return {
    'openinference.span.kind': 'TOOL',
    'tool.name': 'search_orders',
    'tool.description': 'Finds orders of the customer',
    'tool.parameters': query,
    'input.value': query,
    'input.mime_type': 'application/json',
    'output.value': result,
    'output.mime_type': 'text/plain',
  };
}

const SYSTEM = new Random(2).text(500);

const TOOL = JSON.stringify({
  type: 'function',
  function: {
    name: 'search_orders',
    description: 'Finds orders of the customer',
    parameters: { type: 'object', properties: { query: { type: 'string' }, limit: { type: 'integer' } } },
  },
});
