/**
 * A month of an application with agents, for questions: what is asked for is known beforehand. 100,000 traces of ten spans
 * on average, one trace of 10,000 spans and one of 50,000, and a session of 500 turns.
 */
import { agentRun } from '../agent-traffic.ts';
import { bigTrace } from '../big-trace.ts';
import { encodeRequest, type TrafficSpan } from '../encode-span.ts';
import { Random } from '../random.ts';

/** What a month holds that the questions look for. */
export const MONTH = {
  project: 'month',
  /** 2026-10-01, in microseconds since the Unix epoch. */
  startUs: 1_790_812_800_000_000,
  endUs: 1_790_812_800_000_000 + 30 * 86_400_000_000,
  /** A value of `tenant.id` that one span of a hundred has. */
  tenant: 'tenant-42',
  /** A value of `order.flag` that ten spans have. */
  flag: 'audited',
  /** In the output of every second span. */
  commonWord: 'refund',
  /** In the output of ten spans. */
  rarePhrase: 'purple elephant',
  longSession: 'session-of-500',
  bigTraceSpans: 10_000,
  hugeTraceSpans: 50_000,
} as const;

/** Spans of an ordinary request. */
const SPANS_PER_REQUEST = 80;

const SPANS_PER_TRACE = 10;

/** On average. */
const TOOLS_PER_TRACE = 4.5;

/** Export requests of a whole month with at least so many spans, in the order of time. */
export function monthRequests(spanCount: number): Generator<Uint8Array<ArrayBuffer>> {
  return requestsOf(monthSpans(spanCount));
}

/** Export requests around spans of the month's project. */
export function* requestsOf(spans: Iterable<TrafficSpan>): Generator<Uint8Array<ArrayBuffer>> {
  const resource = { 'service.name': 'support', 'openinference.project.name': MONTH.project };
  let batch: TrafficSpan[] = [];
  for (const span of spans) {
    batch.push(span);
    if (batch.length < SPANS_PER_REQUEST) continue;
    yield encodeRequest(resource, batch);
    batch = [];
  }
  yield encodeRequest(resource, batch);
}

/** Hexadecimal ids of the two large traces. */
export function largeTraceIds(): { readonly big: string; readonly huge: string } {
  const idOf = (seed: number) => Buffer.from(new Random(seed).bytes(16)).toString('hex');
  return { big: idOf(MONTH.bigTraceSpans), huge: idOf(MONTH.hugeTraceSpans) };
}

/** The spans of {@link monthRequests}. */
export function* monthSpans(spanCount: number): Generator<TrafficSpan> {
  const large = [MONTH.bigTraceSpans, MONTH.hugeTraceSpans];
  for (const count of large) {
    const random = new Random(count);
    const traceId = random.bytes(16);
    for (const span of bigTrace(random, traceId, count)) yield at(span, MONTH.startUs);
  }
  yield* ordinarySpans(spanCount);
}

/** The spans of the month without its large traces. */
export function* ordinarySpans(spanCount: number): Generator<TrafficSpan> {
  const random = new Random(7);
  const traceCount = Math.ceil(spanCount / SPANS_PER_TRACE);
  const stepUs = Math.floor((MONTH.endUs - MONTH.startUs) / traceCount);
  const rareStep = Math.floor((traceCount * TOOLS_PER_TRACE) / 10);
  let tools = 0;
  for (let trace = 0; trace < traceCount; trace++) {
    const clock = { nowUs: MONTH.startUs + trace * stepUs + random.whole(0, stepUs) };
    const isOfLongSession = trace % Math.ceil(traceCount / 500) === 0;
    const session = isOfLongSession ? MONTH.longSession : `session-${Math.floor(trace / 3)}`;
    const model = MODELS[random.whole(0, MODELS.length - 1)] ?? MODELS[0];
    const tenant = `tenant-${trace % 100}`;
    for (const span of agentRun(random, clock, random.whole(2, 7))) {
      const isTool = span.attributes['openinference.span.kind'] === 'TOOL';
      if (isTool) tools++;
      yield decorate(random, span, { session, model, tenant, isRare: isTool && tools % rareStep === 1 });
    }
  }
}

/** The same span moved to another time. */
function at(span: TrafficSpan, startUs: number): TrafficSpan {
  const shift = BigInt(startUs) * 1000n - BIG_TRACE_START;
  return { ...span, startUnixNano: span.startUnixNano + shift, endUnixNano: span.endUnixNano + shift };
}

/** When the spans of large traces start that nobody moved. */
const BIG_TRACE_START = 1_767_225_600_000_000_000n;

const MODELS = [
  { provider: 'openai', name: 'gpt-4o-mini-2024-07-18' },
  { provider: 'openai', name: 'gpt-4o' },
  { provider: 'openai', name: 'o3-mini' },
  { provider: 'anthropic', name: 'claude-sonnet-4-5' },
  { provider: 'anthropic', name: 'claude-haiku-4-5' },
  { provider: 'google', name: 'gemini-2.5-pro' },
] as const;

interface Decoration {
  readonly session: string;
  readonly model: (typeof MODELS)[number];
  readonly tenant: string;
  /** Whether it is one of the ten. */
  readonly isRare: boolean;
}

/** What the questions look for; what a tool gives back holds the words, and about every second span is of a tool. */
function decorate(random: Random, span: TrafficSpan, { session, model, tenant, isRare }: Decoration): TrafficSpan {
  const { 'openinference.span.kind': kind, 'output.value': output } = span.attributes;
  const words = isRare ? `${MONTH.commonWord} ${MONTH.rarePhrase}` : MONTH.commonWord;
  return {
    ...span,
    isError: random.fraction() < 0.02,
    attributes: {
      ...span.attributes,
      'session.id': session,
      'tenant.id': tenant,
      'deployment.environment': tenant.endsWith('7') ? 'staging' : 'production',
      'request.id': Buffer.from(random.bytes(8)).toString('hex'),
      ...(kind === 'TOOL' && { 'output.value': `${output} ${words}` }),
      ...(kind === 'LLM' && { 'llm.provider': model.provider, 'llm.model_name': model.name }),
      ...(isRare && { 'order.flag': MONTH.flag }),
    },
  };
}
