/** Bodies of requests, read only as far as there is room for them. */
import type { IncomingMessage } from 'node:http';
import { collectYoungGarbage } from '#base/collect-garbage';
import { AppError } from '#base/errors';
import type { ExportReceiver } from '#ingest/receiver';
import { appendGrowing, GrowingBytes } from './growing-bytes.ts';
import { GrowingRoom } from './growing-room.ts';
import { receiveBytes } from './receive-bytes.ts';

/** A body comes in pieces, each of which is held until it is collected. */
const PIECES_BYTES = 4 * 1024 * 1024;

/** What a body may be. */
export interface BodyLimits {
  /** Largest body, as sent. */
  readonly maxBytes: number;
  /** How long it may take to arrive; a minute unless said otherwise. */
  readonly bodyDeadlineMs?: number;
  /** Aborted when the server stops, which waits for no body. */
  readonly stopping?: AbortSignal;
  /** First bytes that take no room; none unless said otherwise. */
  readonly freeBytes?: number;
}

/** A body and the room that it takes, until it is disposed of. */
export interface ReceivedBody extends Disposable {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a body, with room for the bytes that have come.
 * @throws AppError `too_large`, `deadline_exceeded`, `invalid_argument` where it ends early, and what `reserve` throws
 */
export async function receiveBody(
  raw: IncomingMessage,
  receiver: Pick<ExportReceiver, 'reserve'>,
  { maxBytes, bodyDeadlineMs, stopping, freeBytes = 0 }: BodyLimits,
): Promise<ReceivedBody> {
  const contentLength = raw.headers['content-length'];
  const declaredBytes = contentLength === undefined ? undefined : Number(contentLength);
  assertSize(declaredBytes ?? 0, maxBytes);
  const room = new GrowingRoom(receiver);
  try {
    const ends = stopping === undefined ? [room.taken] : [room.taken, stopping];
    const makeRoom = (more: number) => room.grow(more, declaredBytes);
    const body = new GrowingBytes(Math.min(freeBytes, declaredBytes ?? freeBytes));
    const bytes = await receiveGrowing(raw, body, makeRoom, declaredBytes ?? maxBytes, bodyDeadlineMs, ends);
    room.arrived();
    if (bytes.length > PIECES_BYTES) collectYoungGarbage();
    return { bytes, [Symbol.dispose]: () => room[Symbol.dispose]() };
  } catch (error) {
    room[Symbol.dispose]();
    throw error;
  }
}

async function receiveGrowing(
  raw: IncomingMessage,
  body: GrowingBytes,
  makeRoom: (more: number) => Promise<void>,
  maxBytes: number,
  bodyDeadlineMs: number | undefined,
  ends: readonly AbortSignal[],
): Promise<Uint8Array<ArrayBuffer>> {
  let collectedBytes = 0;
  await receiveBytes(
    raw,
    (chunk) => {
      assertSize(body.length + chunk.length, maxBytes);
      if (body.length - collectedBytes > PIECES_BYTES) {
        collectYoungGarbage();
        collectedBytes = body.length;
      }
      return appendGrowing(body, chunk, maxBytes, makeRoom);
    },
    bodyDeadlineMs,
    ends,
  );
  return body.finish();
}

function assertSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) {
    throw new AppError('too_large', `The body is larger than ${maxBytes} bytes. Send less in one request.`);
  }
}
