/** Prepared requests on their way between threads: two buffers that are moved, and nothing that must be cloned. */
import { deserialize, serialize } from 'node:v8';
import type { IncomingBlock, IncomingRequest, IncomingSpan } from '#store/spans/incoming';
import type { PreparedExport } from './prepare-export.ts';

/** A {@link PreparedExport} in bytes. Both own their buffers. */
export interface PackedExport {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly spanCount: number;
}

/** What the head holds; shared objects once, spans by their places. */
interface Head {
  readonly envelopes: readonly Uint8Array[];
  readonly blocks: readonly IncomingBlock[];
  readonly spans: readonly PackedSpan[];
  readonly rejected: IncomingRequest['rejected'];
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

/** Packs a request, whose body is the receiver's from now on. */
export function packExport({ request, body, hint }: PreparedExport): PackedExport {
  const envelopes = new Places<Uint8Array>();
  const blocks = new Places<IncomingBlock>();
  const spans = request.spans.map((span): PackedSpan => {
    const { digest, bytes, resource, scope, block, ordinal, projectName } = span;
    const start = bytes.byteOffset - body.byteOffset;
    const places = [envelopes.of(resource), envelopes.of(scope), blocks.of(block)] as const;
    return [digest, start, bytes.length, ...places, ordinal, projectName];
  });
  const head: Head = { envelopes: envelopes.all, blocks: blocks.all, spans, rejected: request.rejected, hint };
  return { head: owned(serialize(head)), body: owned(body), spanCount: spans.length };
}

/** The request that was packed. */
export function unpackExport({ head, body }: PackedExport): PreparedExport {
  const { envelopes, blocks, spans, rejected, hint } = deserialize(head) as Head;
  const incoming = spans.map(
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
  return { request: { spans: incoming, rejected }, body, hint };
}

/** Distinct objects in the order in which they are met. */
class Places<T> {
  readonly all: T[] = [];
  readonly #places = new Map<T, number>();

  of(item: T): number {
    const known = this.#places.get(item);
    if (known !== undefined) return known;
    this.#places.set(item, this.all.length);
    return this.all.push(item) - 1;
  }
}

/** The bytes in a buffer that nothing else shares, as moving it to another thread takes all of it away. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length) return new Uint8Array(buffer);
  return new Uint8Array(bytes);
}
