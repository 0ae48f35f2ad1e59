/**
 * One client that sends spans again and again, and its own list of what must be stored for it: exactly the spans of the
 * requests that were acknowledged, each with the bytes that were acknowledged last.
 */
import { randomBytes } from 'node:crypto';
import { encodeSpan, requestAround } from '../harness/otlp-client.ts';
import { otlpSpan, spanId, traceId } from '../harness/otlp-json.ts';

/** Spans by trace id and span id, with their bytes. */
export type SpanBytes = ReadonlyMap<string, Buffer>;

/** How often each thing became of a span, as the ingest ledger counts it. */
export interface Counts {
  stored: number;
  replaced: number;
  duplicate: number;
}

interface SentSpan {
  readonly traceNumber: number;
  readonly number: number;
  readonly identity: string;
  readonly bytes: Buffer;
}

/** A client and its list. Clients of different numbers share no trace. */
export class ClientList {
  /** What must be stored. */
  readonly spans = new Map<string, Buffer>();
  readonly counts: Counts = { stored: 0, replaced: 0, duplicate: 0 };
  acknowledgedSpanCount = 0;
  readonly #client: number;
  readonly #paddingBytes: number;
  readonly #random: (below: number) => number;
  readonly #sent: SentSpan[] = [];
  #lastNumber = 0;
  #lastTrace = 0;
  #versions = 0;
  /** The request that was sent and not acknowledged: all of it is stored, or nothing. */
  #open: readonly SentSpan[] = [];
  #isOpenSettled = true;

  /** Padding is put into each span and cannot be compressed. */
  constructor(client: number, random: (below: number) => number, paddingBytes = 0) {
    this.#client = client;
    this.#paddingBytes = paddingBytes;
    this.#random = random;
  }

  /**
   * The next body: new spans, a replacement and a duplicate; after one that was not acknowledged the same once more, with
   * one new span, which tells whether it is stored.
   */
  next(): Uint8Array<ArrayBuffer> {
    this.#open = this.#open.length === 0 ? this.#compose() : [this.#fresh(), ...this.#open];
    this.#isOpenSettled = false;
    return requestAround(this.#open.map((span) => span.bytes));
  }

  /** Notes that the last body was acknowledged; returns how many spans it held. */
  acknowledge(): number {
    const spans = this.#open;
    apply(spans, this.spans, this.counts);
    this.#open = [];
    this.#isOpenSettled = true;
    this.acknowledgedSpanCount += spans.length;
    return spans.length;
  }

  /** What must be stored, and counted: with the last body, where it was not acknowledged and is stored all the same. */
  expect(stored: SpanBytes): { readonly spans: SpanBytes; readonly counts: Readonly<Counts> } {
    if (!this.#isOpenStored(stored)) return this;
    const spans = new Map(this.spans);
    const counts = { ...this.counts };
    apply(this.#open, spans, counts);
    return { spans, counts };
  }

  /** Takes what is stored of the last body for granted, where it was not acknowledged. */
  settle(stored: SpanBytes): void {
    if (this.#isOpenStored(stored)) apply(this.#open, this.spans, this.counts);
    this.#isOpenSettled = true;
  }

  #isOpenStored(stored: SpanBytes): boolean {
    if (this.#isOpenSettled) return false;
    return this.#open.every(({ identity, bytes }) => stored.get(identity)?.equals(bytes) ?? false);
  }

  #compose(): readonly SentSpan[] {
    if (this.#lastTrace === 0 || this.#random(3) === 0) this.#lastTrace++;
    const earlier = [...new Set([this.#earlier(), this.#earlier()])].filter((span) => span !== undefined);
    const again = earlier.map(({ traceNumber, number, identity }, place) => {
      const bytes = this.spans.get(identity);
      if (place === 0 || bytes === undefined) return this.#span(traceNumber, number);
      return { traceNumber, number, identity, bytes };
    });
    return [this.#fresh(), this.#fresh(), this.#fresh(), ...again];
  }

  #fresh(): SentSpan {
    const span = this.#span(this.#lastTrace, ++this.#lastNumber);
    this.#sent.push(span);
    return span;
  }

  #earlier(): SentSpan | undefined {
    return this.#sent[this.#random(this.#sent.length)];
  }

  #span(traceNumber: number, number: number): SentSpan {
    const ids = { traceId: traceId(this.#client * 1_000_000 + traceNumber), spanId: spanId(number) };
    const padding = randomBytes(this.#paddingBytes).toString('base64');
    const text = `version ${++this.#versions} ${'of a text that goes on '.repeat(this.#random(20))}${padding}`;
    const attributes = {
      'input.value': text,
      'openinference.span.kind': 'LLM',
      'llm.token_count.prompt': this.#random(50),
      'session.id': `session ${this.#client}.${traceNumber % 5}`,
    };
    const bytes = Buffer.from(encodeSpan(otlpSpan({ ...ids, attributes })));
    return { traceNumber, number, identity: `${ids.traceId} ${ids.spanId}`, bytes };
  }
}

function apply(sent: readonly SentSpan[], spans: Map<string, Buffer>, counts: Counts): void {
  for (const { identity, bytes } of sent) {
    const known = spans.get(identity);
    if (known === undefined) counts.stored++;
    else if (known.equals(bytes)) counts.duplicate++;
    else counts.replaced++;
    spans.set(identity, bytes);
  }
}
