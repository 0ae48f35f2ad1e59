import {
  type AttributeMap,
  encodeAttributes,
  type OtlpEvent,
  type OtlpLink,
  type RecordedSpan,
  type Resource,
  type Scope,
} from './otlp.ts';
import type { Fault } from './faults.ts';
import type { Random } from './random.ts';

/** The kind a viewer shows, as OpenInference names it. */
export type SpanKind =
  | 'LLM'
  | 'CHAIN'
  | 'TOOL'
  | 'RETRIEVER'
  | 'EMBEDDING'
  | 'AGENT'
  | 'RERANKER'
  | 'GUARDRAIL'
  | 'EVALUATOR'
  | 'PROMPT';

/** A finished trace. */
export interface RecordedTrace {
  readonly traceId: string;
  /** The first span that was opened, also when it was never sent. */
  readonly rootSpanId: string;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  readonly spans: readonly RecordedSpan[];
}

export interface TraceOptions {
  readonly random: Random;
  readonly startTimeMs: number;
  readonly resource: Resource;
  readonly scope: Scope;
  /** Attributes of every span, such as the session and the user. */
  readonly shared?: AttributeMap;
  /** The status of a span that went well: most instrumentations say OK, those of OTel leave it unset. */
  readonly successCode?: 0 | 1;
}

export interface SpanOptions {
  /** Left out by conventions that say the kind otherwise. */
  readonly kind?: SpanKind;
  readonly attributes?: AttributeMap;
  readonly scope?: Scope;
  readonly resource?: Resource;
  /** The OTel span kind; 1 is internal, 2 server, 3 client. */
  readonly otelKind?: number;
}

const SPAN_FLAGS_SAMPLED = 0x101;

/** What a running span's body may add to it. */
export class OpenSpan {
  readonly spanId: string;
  readonly attributes: Record<string, AttributeMap[string]>;
  readonly events: OtlpEvent[] = [];
  readonly links: OtlpLink[] = [];
  fault: Fault | undefined;
  readonly #trace: TraceRecorder;

  constructor(trace: TraceRecorder, spanId: string, attributes: AttributeMap) {
    this.#trace = trace;
    this.spanId = spanId;
    this.attributes = { ...attributes };
  }

  set(attributes: AttributeMap): void {
    Object.assign(this.attributes, attributes);
  }

  event(name: string, attributes: AttributeMap = {}): void {
    this.events.push({
      timeUnixNano: String(this.#trace.nowUnixNano),
      name,
      attributes: encodeAttributes(attributes),
    });
  }

  link(target: { readonly traceId: string; readonly spanId: string }, attributes: AttributeMap = {}): void {
    this.links.push({ ...target, attributes: encodeAttributes(attributes) });
  }

  /** Ends the span with an error status and, unless it only passes a child's error on, the exception itself. */
  fail(fault: Fault, { isPassedOn = false } = {}): void {
    this.fault = fault;
    if (isPassedOn) return;
    this.event('exception', {
      'exception.type': fault.type,
      'exception.message': fault.message,
      'exception.stacktrace': fault.stacktrace,
      'exception.escaped': 'False',
    });
  }
}

/** Records one trace on a clock of its own: a span lasts as long as its body waits. */
export class TraceRecorder {
  readonly traceId: string;
  readonly random: Random;
  nowUnixNano: bigint;
  readonly #options: TraceOptions;
  readonly #spans: RecordedSpan[] = [];
  readonly #stack: string[] = [];
  readonly #startTimeUnixNano: bigint;
  #rootSpanId: string | undefined;

  constructor(options: TraceOptions) {
    this.#options = options;
    this.random = options.random;
    this.traceId = options.random.hex(16);
    this.nowUnixNano = BigInt(Math.round(options.startTimeMs)) * 1_000_000n + BigInt(options.random.int(0, 999_999));
    this.#startTimeUnixNano = this.nowUnixNano;
  }

  wait(durationMs: number): void {
    this.nowUnixNano += BigInt(Math.round(durationMs * 1e6));
  }

  /** Records a span around the body. Spans that the body opens become its children. */
  span<T>(name: string, options: SpanOptions, body: (span: OpenSpan) => T): T {
    const parentSpanId = this.#stack.at(-1);
    const open = new OpenSpan(this, this.random.hex(8), {
      ...(options.kind === undefined ? {} : { 'openinference.span.kind': options.kind }),
      ...this.#options.shared,
      ...options.attributes,
    });
    this.#rootSpanId ??= open.spanId;
    const startTimeUnixNano = this.nowUnixNano;
    this.#stack.push(open.spanId);
    this.wait(this.random.between(0.05, 0.8));
    const result = body(open);
    this.wait(this.random.between(0.05, 0.8));
    this.#stack.pop();
    this.#spans.push({
      resource: options.resource ?? this.#options.resource,
      scope: options.scope ?? this.#options.scope,
      span: {
        traceId: this.traceId,
        spanId: open.spanId,
        ...(parentSpanId === undefined ? {} : { parentSpanId }),
        name,
        kind: options.otelKind ?? 1,
        startTimeUnixNano: String(startTimeUnixNano),
        endTimeUnixNano: String(this.nowUnixNano),
        attributes: encodeAttributes(open.attributes),
        events: open.events,
        links: open.links,
        status:
          open.fault === undefined
            ? { code: this.#options.successCode ?? 1 }
            : { code: 2, message: `${open.fault.type}: ${open.fault.message}` },
        flags: SPAN_FLAGS_SAMPLED,
      },
    });
    return result;
  }

  /** Runs the bodies as if at the same time: they start one right after the other, and the clock goes on at the latest end. */
  parallel<T>(bodies: readonly (() => T)[]): T[] {
    let startUnixNano = this.nowUnixNano;
    let endUnixNano = startUnixNano;
    const results = bodies.map((body) => {
      this.nowUnixNano = startUnixNano;
      this.wait(this.random.between(0.02, 0.3));
      startUnixNano = this.nowUnixNano;
      const result = body();
      if (this.nowUnixNano > endUnixNano) endUnixNano = this.nowUnixNano;
      return result;
    });
    this.nowUnixNano = endUnixNano;
    return results;
  }

  /** The trace; when its process died, the root never arrives. */
  finish({ hasDied = false } = {}): RecordedTrace {
    const rootSpanId = this.#rootSpanId;
    if (rootSpanId === undefined) throw new Error('A trace needs a span.');
    return {
      traceId: this.traceId,
      rootSpanId,
      startTimeUnixNano: this.#startTimeUnixNano,
      endTimeUnixNano: this.nowUnixNano,
      spans: hasDied ? this.#spans.filter((one) => one.span.spanId !== rootSpanId) : this.#spans,
    };
  }
}
