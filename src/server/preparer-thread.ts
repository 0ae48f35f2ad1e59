/** The preparer: everything that happens to a body before it is stored, beside the writer and not before it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { packExport } from '#ingest/packed-export';
import type { Preparation } from '#ingest/pipeline';
import { type OpenedExport, openParts, prepareExport } from '#ingest/prepare-export';
import type { ReceivedExport } from '#ingest/receiver';
import { prepareSmallList, prepareSpanList, type SpanListPreparation } from '#ingest/span-list/prepare';
import { compileRedaction } from '#otlp/redaction-patterns';
import { Moved, serveCalls } from '#store/threads/rpc';
import type { PackedExport } from '#store/writer/port';

/** What the preparer's thread is started with. */
export interface PreparerThreadData {
  readonly maxBodyBytes: number;
  readonly maxListBytes: number;
  readonly defaultProject: string;
  readonly redactAttributes: readonly string[];
}

const { maxBodyBytes, maxListBytes, defaultProject, redactAttributes } = workerData as PreparerThreadData;
const isMasked = redactAttributes.length === 0 ? null : compileRedaction(redactAttributes.join(','));

const options = { maxBodyBytes, defaultProject, isMasked };
let parts: OpenedExport['parts'] | undefined;

const calls = {
  prepare: (received: ReceivedExport): Moved<Preparation> => {
    const prepared = prepareExport(received, options);
    if (prepared === null) return new Moved({ large: received }, [received.body.buffer]);
    const packed = packExport(prepared);
    return new Moved({ packed }, buffersOf(packed));
  },
  /** Begins a request that is prepared part by part, and answers how many bytes it takes; a thread has one at a time. */
  openParts: (received: ReceivedExport) => {
    const opened = openParts(received, options);
    parts = opened.parts;
    return opened.heldBytes;
  },
  /** The next part; `null` when there is none. */
  nextPart: () => {
    const { value: prepared } = parts?.next() ?? {};
    if (prepared === undefined) return null;
    const packed = packExport(prepared);
    return new Moved(packed, buffersOf(packed));
  },
  /** Gives one back that turns out to be large. */
  prepareSmallList: (body: Uint8Array<ArrayBuffer>, contentEncoding: string) => {
    const list = prepareSmallList(body, contentEncoding);
    if (list === null) return new Moved({ large: body }, [body.buffer]);
    return moveList(list);
  },
  prepareSpanList: (body: Uint8Array, contentEncoding: string) =>
    moveList(prepareSpanList(body, contentEncoding, maxListBytes)),
  close: () => undefined,
};

/** What it answers. */
export type PreparerCalls = typeof calls;

serveCalls(parentPort as MessagePort, calls);

function moveList(list: SpanListPreparation): Moved<SpanListPreparation> {
  return new Moved(list, 'body' in list ? [list.body.buffer] : []);
}

function buffersOf({ head, body }: PackedExport): readonly ArrayBuffer[] {
  return [head.buffer, body.buffer];
}
