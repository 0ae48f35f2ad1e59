/**
 * A message on the wire of gRPC: a byte that says whether it is compressed, four bytes of length, the message. HTTP/2
 * may cut it into frames anywhere.
 * @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */
import type { Readable } from 'node:stream';
import { AppError } from '#base/errors';
import { appendGrowing, GrowingBytes } from '../growing-bytes.ts';
import { receiveBytes } from '../receive-bytes.ts';

const PREFIX_BYTES = 5;

/** The only message of a unary call. */
export interface UnaryMessage {
  readonly isCompressed: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** How much a message may hold and how long it may take to arrive. */
export interface MessageLimits {
  readonly maxBytes: number;
  /** A minute unless said otherwise. */
  readonly bodyDeadlineMs?: number;
  /** Signals that end a message that is still arriving, with their reason, such as that the server stops. */
  readonly ends?: readonly AbortSignal[];
}

/**
 * Reads the one message that a unary call consists of. Before a part of it is kept, `makeRoom` is told of its bytes,
 * and of how many there will be.
 * @throws AppError `invalid_argument` unless the source is exactly one message
 * @throws AppError `too_large`, `deadline_exceeded`
 * @throws whatever `makeRoom` throws
 */
export async function readMessage(
  source: Readable,
  { maxBytes, bodyDeadlineMs, ends }: MessageLimits,
  makeRoom: (bytes: number, expectedBytes: number) => Promise<void>,
): Promise<UnaryMessage> {
  const prefix = new GrowingBytes(PREFIX_BYTES);
  let isCompressed = false;
  let length = 0;
  let message: GrowingBytes | undefined;

  function startMessage(rest: Buffer): Promise<void> | undefined {
    message = new GrowingBytes(0);
    return append(message, rest);
  }

  function append(to: GrowingBytes, chunk: Buffer): Promise<void> | undefined {
    if (to.length + chunk.length > length) {
      throw new AppError('invalid_argument', 'The call contains more than one message.');
    }
    return appendGrowing(to, chunk, length, (more) => makeRoom(more, length));
  }

  await receiveBytes(
    source,
    (chunk) => {
      if (message !== undefined) return append(message, chunk);
      const missingBytes = PREFIX_BYTES - prefix.length;
      prefix.append(chunk.subarray(0, missingBytes));
      if (prefix.length < PREFIX_BYTES) return undefined;
      ({ isCompressed, length } = parsePrefix(prefix.finish(), maxBytes));
      return startMessage(chunk.subarray(missingBytes));
    },
    bodyDeadlineMs,
    ends,
  );
  if (message === undefined || message.length < length) {
    throw new AppError('invalid_argument', 'The call ended before its message was complete.');
  }
  return { isCompressed, bytes: message.finish() };
}

/** The message as it goes on the wire, uncompressed. */
export function frameMessage(message: Uint8Array): Buffer {
  const framed = Buffer.alloc(PREFIX_BYTES + message.length);
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, PREFIX_BYTES);
  return framed;
}

function parsePrefix(prefix: Uint8Array<ArrayBuffer>, maxBytes: number): { isCompressed: boolean; length: number } {
  const view = new DataView(prefix.buffer);
  const flag = view.getUint8(0);
  const length = view.getUint32(1);
  if (flag > 1) throw new AppError('invalid_argument', 'The message does not start with a compression flag of 0 or 1.');
  if (length > maxBytes) {
    throw new AppError('too_large', `The message is larger than ${maxBytes} bytes. Send less in one call.`);
  }
  return { isCompressed: flag === 1, length };
}
