/** Prepared requests on their way between threads: two buffers that are moved, and nothing that must be cloned. */
import { deserialize, serialize } from 'node:v8';
import type { IncomingRecord, IncomingRecordBlock } from '#store/incoming/records';
import type { IncomingBlock, IncomingRequest, IncomingSpan } from '#store/incoming/request';
import type { PackedExport } from '#store/writer/port';
import type { PreparedExport } from './prepare-export.ts';

/** What the head holds; shared objects once, spans by their places. */
interface Head {
  readonly envelopes: readonly Uint8Array[];
  readonly blocks: readonly IncomingBlock[];
  readonly spans: readonly PackedSpan[];
  readonly recordBlocks: readonly IncomingRecordBlock[];
  readonly records: readonly PackedRecord[];
  readonly rest: Omit<IncomingRequest, 'spans' | 'records'>;
  readonly hint: string;
}

type PackedSpan = readonly [
  digest: IncomingSpan['digest'],
  start: number,
  length: number,
  resource: number,
  scope: number,
  block: number,
  ordinal: number,
  projectName: string,
];

type PackedRecord = readonly [
  record: Omit<IncomingRecord, 'bytes' | 'resource' | 'scope' | 'block'>,
  start: number,
  length: number,
  resource: number,
  scope: number,
  block: number,
];

/** Packs a request, whose body is the receiver's from now on. */
export function packExport({ request, body, hint }: PreparedExport): PackedExport {
  const envelopes = new Numbering<Uint8Array>();
  const blocks = new Numbering<IncomingBlock>();
  const recordBlocks = new Numbering<IncomingRecordBlock>();
  const spans = request.spans.map((span): PackedSpan => {
    const { digest, bytes, resource, scope, block, ordinal, projectName } = span;
    const start = bytes.byteOffset - body.byteOffset;
    const places = [envelopes.of(resource), envelopes.of(scope), blocks.of(block)] as const;
    return [digest, start, bytes.length, ...places, ordinal, projectName];
  });
  const records = request.records.map(({ bytes, resource, scope, block, ...record }): PackedRecord => {
    const start = bytes.byteOffset - body.byteOffset;
    return [record, start, bytes.length, envelopes.of(resource), envelopes.of(scope), recordBlocks.of(block)];
  });
  const { spans: _spans, records: _records, ...rest } = request;
  const head: Head = {
    envelopes: envelopes.all,
    blocks: blocks.all,
    spans,
    recordBlocks: recordBlocks.all,
    records,
    rest,
    hint,
  };
  return { head: owned(serialize(head)), body: owned(body) };
}

/** The request that was packed. */
export function unpackExport({ head, body }: PackedExport): PreparedExport {
  const { envelopes, blocks, spans, recordBlocks, records, rest, hint } = deserialize(head) as Head;
  const incomingSpans = spans.map(
    ([digest, start, length, resource, scope, block, ordinal, projectName]): IncomingSpan => ({
      digest,
      bytes: body.subarray(start, start + length),
      resource: envelopes[resource] as Uint8Array,
      scope: envelopes[scope] as Uint8Array,
      projectName,
      block: blocks[block] as IncomingBlock,
      ordinal,
    }),
  );
  const incomingRecords = records.map(
    ([record, start, length, resource, scope, block]): IncomingRecord => ({
      ...record,
      bytes: body.subarray(start, start + length),
      resource: envelopes[resource] as Uint8Array,
      scope: envelopes[scope] as Uint8Array,
      block: recordBlocks[block] as IncomingRecordBlock,
    }),
  );
  return { request: { ...rest, spans: incomingSpans, records: incomingRecords }, body, hint };
}

/** Distinct objects in the order in which they are met. */
class Numbering<T> {
  readonly all: T[] = [];
  readonly #numbers = new Map<T, number>();

  of(item: T): number {
    const known = this.#numbers.get(item);
    if (known !== undefined) return known;
    this.#numbers.set(item, this.all.length);
    return this.all.push(item) - 1;
  }
}

/** The bytes in a buffer that nothing else shares, as moving it to another thread takes all of it away. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length) return new Uint8Array(buffer);
  return new Uint8Array(bytes);
}
