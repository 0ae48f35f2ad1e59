import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportRequest, type OtlpSpan, type OtlpValue, type RecordedSpan } from './otlp.ts';
import type { RecordedTrace } from './trace.ts';
import { recordWeek } from './week.ts';

const HOUR_MS = 3_600_000;
const UNTIL_MS = Date.UTC(2026, 10, 20, 17, 25);
const OPTIONS = { seed: 'test', days: 7, scale: 0.4, untilMs: UNTIL_MS };

let traces: readonly RecordedTrace[] = [];
let spans: readonly RecordedSpan[] = [];
beforeAll(() => {
  traces = [...recordWeek(OPTIONS)];
  spans = traces.flatMap((trace) => trace.spans);
});

function find(span: OtlpSpan, key: string): string | undefined {
  const value: OtlpValue | undefined = span.attributes.find((attribute) => attribute.key === key)?.value;
  if (value === undefined) return undefined;
  return 'stringValue' in value ? value.stringValue : JSON.stringify(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Not JSON is the answer.
    return false;
  }
}

function keysOf(all: readonly RecordedSpan[]): Set<string> {
  return new Set(all.flatMap(({ span }) => span.attributes.map(({ key }) => key.replace(/\.\d+(?=\.)/g, '.N'))));
}

function hashOf(all: Iterable<RecordedTrace>): string {
  const hash = createHash('sha256');
  for (const trace of all) hash.update(JSON.stringify(exportRequest(trace.spans)));
  return hash.digest('hex');
}

describe('recordWeek repeats itself', () => {
  const small = { ...OPTIONS, days: 1, scale: 0.2 };

  it('byte for byte for the same seed and hour', () => {
    expect(hashOf(recordWeek(small))).toBe(hashOf(recordWeek({ ...small, untilMs: UNTIL_MS + 20 * 60_000 })));
    expect(hashOf(recordWeek({ ...small, seed: 'other' }))).not.toBe(hashOf(recordWeek(small)));
  });

  it('and a later run only adds what came since', () => {
    const ids = (untilMs: number) =>
      new Set(Array.from(recordWeek({ ...small, days: 2, untilMs }), (trace) => trace.traceId));
    const earlier = ids(UNTIL_MS);
    const later = ids(UNTIL_MS + 6 * HOUR_MS);
    const fromStart = Array.from(recordWeek({ ...small, days: 2, untilMs: UNTIL_MS }))
      .filter((trace) => trace.startTimeUnixNano >= BigInt(UNTIL_MS - 40 * HOUR_MS) * 1_000_000n)
      .map((trace) => trace.traceId);
    expect(fromStart.filter((traceId) => !later.has(traceId))).toEqual([]);
    expect([...later].some((traceId) => !earlier.has(traceId))).toBe(true);
  });
});

describe('recordWeek makes valid spans', () => {
  it('with unique ids in hexadecimal', () => {
    const isValid = ({ span }: RecordedSpan) => /^[0-9a-f]{32} [0-9a-f]{16}$/.test(`${span.traceId} ${span.spanId}`);
    expect(spans.filter((one) => !isValid(one))).toEqual([]);
    expect(new Set(spans.map(({ span }) => span.spanId)).size).toBe(spans.length);
    expect(new Set(traces.map((trace) => trace.traceId)).size).toBe(traces.length);
  });

  it('whose parents are in the trace, except for roots that never arrived', () => {
    const orphaned = new Set<string>();
    for (const trace of traces) {
      const ids = new Set(trace.spans.map(({ span }) => span.spanId));
      for (const { span } of trace.spans) {
        if (span.parentSpanId === undefined || ids.has(span.parentSpanId)) continue;
        expect(span.parentSpanId).toBe(trace.rootSpanId);
        orphaned.add(trace.traceId);
      }
    }
    expect(orphaned.size).toBeGreaterThan(0);
    expect(orphaned.size).toBeLessThan(traces.length * 0.03);
  });

  it('with times in order, inside the parent and inside the period', () => {
    const startUnixNano = BigInt(Date.UTC(2026, 10, 13, 17)) * 1_000_000n;
    const endUnixNano = BigInt(Date.UTC(2026, 10, 20, 17)) * 1_000_000n;
    const byId = new Map(spans.map(({ span }) => [span.spanId, span]));
    for (const { span } of spans) {
      const [start, end] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
      expect(start >= startUnixNano && start < end && end < endUnixNano, span.name).toBe(true);
      const parent = byId.get(span.parentSpanId ?? '');
      if (parent !== undefined) {
        const isInside = start >= BigInt(parent.startTimeUnixNano) && end <= BigInt(parent.endTimeUnixNano);
        expect(isInside, `${span.name} in ${parent.name}`).toBe(true);
      }
      for (const event of span.events) {
        expect(BigInt(event.timeUnixNano) >= start && BigInt(event.timeUnixNano) <= end).toBe(true);
      }
    }
  });

  it('with JSON where JSON is expected, and attribute keys that do not repeat', () => {
    const jsonKey = /(metadata|invocation_parameters|json_schema|variables|function\.arguments|tool\.parameters)$/;
    const isBroken = ({ span }: RecordedSpan) => {
      const keys = span.attributes.map(({ key }) => key);
      const json = keys.filter((key) => jsonKey.test(key)).map((key) => find(span, key) ?? '');
      if (find(span, 'output.mime_type') === 'application/json') json.push(find(span, 'output.value') ?? '');
      return new Set(keys).size < keys.length || !json.every(isJson);
    };
    expect(spans.filter(isBroken).map(({ span }) => span.name)).toEqual([]);
  });

  it('without a template variable that was not filled in', () => {
    const isBroken = ({ span }: RecordedSpan) =>
      /undefined|\[object Object\]|NaN/.test(JSON.stringify(span.attributes));
    expect(spans.filter(isBroken).map(({ span }) => span.name)).toEqual([]);
  });
});

describe('recordWeek shows', () => {
  const values = (key: string) => new Set(spans.map(({ span }) => find(span, key)));

  it('every span kind and four projects', () => {
    for (const kind of 'LLM CHAIN TOOL RETRIEVER EMBEDDING AGENT RERANKER GUARDRAIL EVALUATOR PROMPT'.split(' ')) {
      expect(values('openinference.span.kind')).toContain(kind);
    }
    const projects = new Set(spans.map(({ resource }) => resource.attributes['openinference.project.name']));
    expect(projects).toEqual(new Set(['coding-agent', 'quality-review', 'support-chat', 'travel-assistant']));
  });

  it('many models, scopes and versions', () => {
    expect(values('llm.model_name').size).toBeGreaterThanOrEqual(8);
    expect(new Set(spans.map(({ scope }) => scope.name)).size).toBeGreaterThanOrEqual(8);
    expect(new Set(spans.map(({ resource }) => resource.attributes['service.version'])).size).toBeGreaterThan(1);
  });

  it('what a viewer of OpenInference spans can draw', () => {
    const keys = keysOf(spans);
    for (const key of [
      'session.id',
      'user.id',
      'metadata',
      'tag.tags',
      'retrieval.documents.N.document.score',
      'reranker.output_documents.N.document.metadata',
      'embedding.embeddings.N.embedding.vector',
      'llm.prompt_template.variables',
      'llm.tools.N.tool.json_schema',
      'llm.input_messages.N.message.contents.N.message_content.image.image.url',
      'llm.token_count.prompt_details.cache_read',
      'llm.token_count.prompt_details.cache_write',
      'llm.token_count.completion_details.reasoning',
      'llm.cost.total',
      'annotations.N.annotation.label',
      'evaluations.N.evaluation.explanation',
    ]) {
      expect(keys).toContain(key);
    }
  });

  it('the GenAI conventions, as text and as structure', () => {
    const operations = values('gen_ai.operation.name');
    for (const operation of ['chat', 'execute_tool', 'invoke_agent', 'embeddings', 'retrieval']) {
      expect(operations).toContain(operation);
    }
    const forms = spans.flatMap(({ span }) =>
      span.attributes.filter(({ key }) => key === 'gen_ai.input.messages').map(({ value }) => Object.keys(value)[0]),
    );
    expect(new Set(forms)).toEqual(new Set(['stringValue', 'arrayValue']));
    const text = spans.map(({ span }) => find(span, 'gen_ai.input.messages') ?? '').join('');
    expect(text).toContain('"type":"blob"');
    expect(text).toContain('"type":"tool_call_response"');
  });

  it('tool results that answer a call of the same id', () => {
    for (const { span } of spans) {
      const idsOf = (pattern: RegExp) =>
        span.attributes.filter(({ key }) => pattern.test(key)).map(({ value }) => JSON.stringify(value));
      const calls = new Set(idsOf(/^llm\.input_messages\.\d+\.message\.tool_calls\.\d+\.tool_call\.id$/));
      const results = idsOf(/^llm\.input_messages\.\d+\.message\.tool_call_id$/);
      expect(results.filter((id) => !calls.has(id))).toEqual([]);
    }
  });

  it('failures of many types with stack traces, and retries that succeed', () => {
    const exceptions = spans.flatMap(({ span }) => span.events.filter(({ name }) => name === 'exception'));
    const text = JSON.stringify(exceptions);
    for (const type of ['RateLimitError', 'TimeoutError', 'ToolError', 'Traceback', '    at ']) {
      expect(text).toContain(type);
    }
    const isRetried = ({ spans: own }: RecordedTrace) =>
      own.some(({ span }) => span.status.code === 2 && span.name === 'ChatCompletion') &&
      own.some(({ span }) => span.status.code === 1 && span.name === 'juniper.reply');
    expect(traces.some(isRetried)).toBe(true);
  });

  it('a trace of fifty model calls with a growing history and one of more than forty tool calls', () => {
    const byKind = (kind: string) =>
      traces.map((trace) => trace.spans.filter(({ span }) => find(span, 'openinference.span.kind') === kind));
    expect(Math.max(...byKind('TOOL').map((own) => own.length))).toBeGreaterThan(40);
    const longest = byKind('LLM').sort((left, right) => right.length - left.length)[0] ?? [];
    const lengths = longest
      .filter(({ span }) => span.status.code === 1)
      .map(
        ({ span }) => span.attributes.filter(({ key }) => /^llm\.input_messages\.\d+\.message\.role$/.test(key)).length,
      );
    expect(lengths.length).toBeGreaterThanOrEqual(50);
    for (const [position, length] of lengths.entries()) {
      if (position > 0) expect(length).toBeGreaterThan(lengths[position - 1] ?? 0);
    }
    expect(lengths.at(-1)).toBeGreaterThan(100);
  });

  it('links from a review to the trace that it judges', () => {
    const roots = new Set(traces.map((trace) => `${trace.traceId} ${trace.rootSpanId}`));
    const links = spans.flatMap(({ span }) => span.links);
    expect(links.length).toBeGreaterThan(10);
    for (const link of links) expect(roots).toContain(`${link.traceId} ${link.spanId}`);
  });

  it('sessions of one turn and of more than ten', () => {
    const turns = new Map<string, Set<string>>();
    for (const { span } of spans) {
      const sessionId = find(span, 'session.id') ?? find(span, 'gen_ai.conversation.id');
      if (sessionId === undefined) continue;
      turns.set(sessionId, (turns.get(sessionId) ?? new Set()).add(span.traceId));
    }
    const counts = [...turns.values()].map((ids) => ids.size);
    expect(Math.min(...counts)).toBe(1);
    expect(Math.max(...counts)).toBeGreaterThan(10);
  });

  it('other languages and scripts', () => {
    const text = JSON.stringify(spans.map(({ span }) => [find(span, 'input.value'), find(span, 'output.value')]));
    for (const piece of ['Guten Tag', '¿dónde', '幅広', 'مرحبا', '☕']) expect(text).toContain(piece);
  });

  it('more traffic in the day than at night and less when scaled down', () => {
    const support = traces.filter((trace) => trace.spans.some(({ span }) => span.name === 'juniper.reply'));
    const hourOf = (trace: RecordedTrace) => new Date(Number(trace.startTimeUnixNano / 1_000_000n)).getUTCHours();
    const day = support.filter((trace) => hourOf(trace) >= 8 && hourOf(trace) < 20);
    expect(day.length).toBeGreaterThan(support.length * 0.6);
    expect([...recordWeek({ ...OPTIONS, scale: 0.1 })].length).toBeLessThan(traces.length * 0.5);
  });
});
