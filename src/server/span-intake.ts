import type { Caller, ForCaller } from '#domain/caller';
import type { ExportReceiver } from '#ingest/receiver';
import type { SpanListPreparation } from '#ingest/span-list/prepare';
import type { OpenSpanList, SpanIntake, SpanListBody } from '#resources/spans/operations/span-intake';
import { receiveBody, type ReceivedBody } from './receive-body.ts';

/** What an intake works with. */
export interface SpanIntakeOptions {
  readonly receiver: ForCaller<ExportReceiver>;
  /** Largest list, as sent. */
  readonly maxBytes: number;
  /** Reads and transcodes a list in another thread; the body's buffer is moved. */
  readonly prepare: (body: Uint8Array<ArrayBuffer>, contentEncoding: string) => Promise<SpanListPreparation>;
  /** Aborted when the server stops, which waits for no body. */
  readonly stopping?: AbortSignal;
}

/** An intake whose spans take the way of any export, once they are transcoded. */
export function createSpanIntake({ receiver, maxBytes, prepare, stopping }: SpanIntakeOptions): SpanIntake {
  function receive(caller: Caller, { stream }: SpanListBody): Promise<ReceivedBody> {
    return receiveBody(stream, receiver(caller), { maxBytes, ...(stopping !== undefined && { stopping }) });
  }
  return {
    open: async (caller, sent): Promise<OpenSpanList> => {
      const body = await receive(caller, sent);
      try {
        const prepared = await prepare(body.bytes, sent.contentEncoding);
        return {
          prepared,
          store: (projectName) => {
            if ('problems' in prepared) throw new Error('a list with problems cannot be stored');
            const { body: bytes } = prepared;
            return receiver(caller).export({
              signal: 'traces',
              body: bytes,
              format: 'protobuf',
              contentEncoding: '',
              projectName,
            });
          },
          [Symbol.dispose]: () => body[Symbol.dispose](),
        };
      } catch (error) {
        body[Symbol.dispose]();
        throw error;
      }
    },
  };
}
