/** One trace of many spans: an agent that works through tasks, many of them at a time, one of them very deep. */
import { encodeRequest, type TrafficSpan } from './encode-span.ts';
import { openHttpExporter } from './http-exporter.ts';
import { Random } from './random.ts';

const SPANS_PER_REQUEST = 1000;
/** Levels of the one task that calls itself. */
const DEPTH = 120;
/** 2026-01-01. */
const START_UNIX_NANO = 1_767_225_600_000_000_000n;
const MS = 1_000_000n;

/** How a step of a task looks. */
const STEPS = [
  { name: 'plan', kind: 'CHAIN' },
  { name: 'retrieve', kind: 'RETRIEVER' },
  { name: 'embed_query', kind: 'EMBEDDING' },
  { name: 'ChatCompletion', kind: 'LLM' },
  { name: 'search_orders', kind: 'TOOL' },
  { name: 'check_answer', kind: 'GUARDRAIL' },
] as const;

/** Sends a trace of exactly `spanCount` spans, children before their root, and returns its hexadecimal id, which the seed decides. */
export async function sendBigTrace(url: string, spanCount: number, project: string, seed = spanCount): Promise<string> {
  const resource = { 'service.name': 'batch', 'openinference.project.name': project };
  const random = new Random(seed);
  const traceId = random.bytes(16);
  const exporter = await openHttpExporter(url);
  try {
    let batch: TrafficSpan[] = [];
    for (const span of bigTrace(random, traceId, spanCount)) {
      batch.push(span);
      if (batch.length < SPANS_PER_REQUEST) continue;
      await exporter.send(encodeRequest(resource, batch));
      batch = [];
    }
    if (batch.length > 0) await exporter.send(encodeRequest(resource, batch));
  } finally {
    exporter.close();
  }
  return Buffer.from(traceId).toString('hex');
}

/** The spans of the trace; the root comes last. */
export function* bigTrace(random: Random, traceId: Uint8Array, spanCount: number): Generator<TrafficSpan> {
  const rootId = random.bytes(8);
  let lastEndNano = START_UNIX_NANO;
  let deepParent = rootId;
  let taskId = rootId;
  for (let place = 1; place < spanCount; place++) {
    const isDeep = place <= DEPTH;
    const isTask = !isDeep && place % 25 === 1;
    const step = STEPS[place % STEPS.length] ?? STEPS[0];
    const spanId = random.bytes(8);
    // Twenty tasks run at a time, so that many bars stand beside each other.
    const startUnixNano = START_UNIX_NANO + BigInt(place * 4 + random.whole(0, 80)) * MS;
    const endUnixNano = startUnixNano + BigInt(isTask ? 1800 : random.whole(1, 600)) * MS;
    if (endUnixNano > lastEndNano) lastEndNano = endUnixNano;
    yield {
      traceId,
      spanId,
      parentSpanId: isDeep ? deepParent : isTask ? rootId : taskId,
      name: isDeep ? 'refine' : isTask ? 'task' : step.name,
      startUnixNano,
      endUnixNano,
      attributes: isDeep || isTask ? { 'openinference.span.kind': 'CHAIN' } : stepAttributes(random, step.kind),
    };
    if (isDeep) deepParent = spanId;
    if (isTask) taskId = spanId;
  }
  yield {
    traceId,
    spanId: rootId,
    parentSpanId: undefined,
    name: 'batch_agent',
    startUnixNano: START_UNIX_NANO,
    endUnixNano: lastEndNano,
    attributes: { 'openinference.span.kind': 'AGENT', 'input.value': 'Answer every open question.' },
  };
}

function stepAttributes(random: Random, kind: (typeof STEPS)[number]['kind']): TrafficSpan['attributes'] {
  const attributes = {
    'openinference.span.kind': kind,
    'input.value': random.text(80),
    'output.value': random.text(120),
  };
  if (kind !== 'LLM') return attributes;
  const prompt = random.whole(200, 3000);
  const completion = random.whole(10, 400);
  return {
    ...attributes,
    'llm.model_name': 'gpt-5.2-mini',
    'llm.token_count.prompt': prompt,
    'llm.token_count.completion': completion,
    'llm.token_count.total': prompt + completion,
  };
}
