/** What is stored of a request of log records; everything that needs no storage is done, so that another thread can do it. */
import { createHash } from 'node:crypto';
import { boundedText } from '#derive/bounded-text';
import type { NormalizedRecord } from '#normalize/normalize-logs';
import { encodeBlock, type EncodedBlock, partitionIntoBlocks } from '../blocks/codec.ts';
import { sourceOf } from '../logs/source.ts';

/** One log record, ready to be stored. Texts are bounded, times are in microseconds since the Unix epoch. */
export interface IncomingRecord {
  /** Tells the same record that comes again: what it is, with its resource and scope, and without a trace its project. */
  readonly digest: string;
  /** The original log record message. */
  readonly bytes: Uint8Array;
  /** Envelope of the resource, one object for all records that share it. */
  readonly resource: Uint8Array;
  /** Envelope of the scope, likewise. */
  readonly scope: Uint8Array;
  readonly projectName: string;
  readonly traceId: string | null;
  /** Only beside a trace id. */
  readonly spanId: string | null;
  /** `null` for a plain log record. */
  readonly eventName: string | null;
  /** How large it is, where it is an event of an LLM application, which may tell what its span did; else `null`. */
  readonly contentBytes: number | null;
  readonly timeUs: number;
  /** Whether it is kept only with its trace. */
  readonly isPlain: boolean;
  /** See {@link sourceOf}; `null` for a record whose span is not looked for: it has a span id, is plain, or names no service. */
  readonly source: string | null;
  /** The same of the conversation that it names. */
  readonly conversationId: string | null;
  /** The call that it is about, which its span's trace may have a span of. */
  readonly requestId: string | null;
  /** The block that it is packed into, one object for all records in it. */
  readonly block: IncomingRecordBlock;
  /** Its place in the block. */
  readonly ordinal: number;
}

/** Log records of one trace packed together. */
export interface IncomingRecordBlock extends EncodedBlock {
  readonly recordCount: number;
}

/** Makes the log records of a request ready to be stored. */
export function toIncomingRecords(records: readonly NormalizedRecord[]): readonly IncomingRecord[] {
  const incoming: IncomingRecord[] = [];
  const digests = new EnvelopeDigests();
  for (const ofTrace of Map.groupBy(records, ({ traceId }) => traceId).values()) {
    for (const run of partitionIntoBlocks(ofTrace)) {
      const block = { ...encodeBlock(run.map(({ bytes }) => bytes)), recordCount: run.length };
      for (const [ordinal, record] of run.entries()) incoming.push(toIncomingRecord(record, digests, block, ordinal));
    }
  }
  return incoming;
}

function toIncomingRecord(
  record: NormalizedRecord,
  digests: EnvelopeDigests,
  block: IncomingRecordBlock,
  ordinal: number,
): IncomingRecord {
  const { bytes, resource, scope, projectName, traceId, spanId, eventName, timeUnixNano, isGenAi } = record;
  const isLookedFor = spanId === null && isGenAi && record.serviceName !== '';
  const digest = createHash('sha256')
    .update(digests.of(resource.envelope))
    .update(digests.of(scope.envelope))
    .update(digests.of(traceId === null ? projectName : ''))
    .update(bytes)
    .digest()
    .subarray(0, DIGEST_BYTES);
  return {
    digest: digest.toString('base64url'),
    bytes,
    resource: resource.envelope,
    scope: scope.envelope,
    projectName,
    traceId,
    spanId,
    eventName: eventName === '' ? null : boundedText(eventName),
    contentBytes: isGenAi && eventName !== '' ? bytes.length : null,
    timeUs: Number(timeUnixNano / 1000n),
    isPlain: !isGenAi,
    source: isLookedFor ? sourceOf(record.serviceName, scope.name) : null,
    conversationId: isLookedFor && record.conversationId !== null ? boundedText(record.conversationId) : null,
    requestId: isGenAi && eventName !== '' && record.requestId !== null ? boundedText(record.requestId) : null,
    block,
    ordinal,
  };
}

/** Envelopes and projects are shared by many records, so each is hashed once. */
class EnvelopeDigests {
  readonly #digests = new Map<Uint8Array | string, Buffer>();

  of(envelope: Uint8Array | string): Buffer {
    const digest = this.#digests.get(envelope) ?? createHash('sha256').update(envelope).digest();
    this.#digests.set(envelope, digest);
    return digest;
  }
}

/** Records that are not the same have the same digest once in 2^64 records. */
const DIGEST_BYTES = 16;
