import { AppError } from '#base/errors';
import { findMalformedReason, MALFORMED_MESSAGE_CHARGE_BYTES } from './malformed-message.ts';
import type { ProtobufReader } from './reader.ts';

/** A message that cannot be decoded. */
interface Malformed {
  readonly bytes: Uint8Array;
  /** What is wrong, for the partial success answer. */
  readonly malformed: string;
}

/**
 * Reads the message that fills the reader up to its end; one that is no protobuf is malformed, and its neighbours are read.
 * @param heapBytes what a decoded message takes on the heap, roughly
 * @throws AppError `too_large` where the whole request holds too many values
 */
export function readOrMalformed<T>(
  reader: ProtobufReader,
  heapBytes: number,
  readFields: (reader: ProtobufReader, bytes: Uint8Array) => T,
): T | Malformed {
  reader.charge(heapBytes);
  reader.startWeighing();
  const { end } = reader;
  const bytes = reader.slice(reader.position, end);
  const reason = findMalformedReason(bytes);
  if (reason !== undefined) {
    reader.position = end;
    return { bytes, malformed: reason };
  }
  try {
    return readFields(reader, bytes);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_argument') throw error;
    reader.charge(MALFORMED_MESSAGE_CHARGE_BYTES);
    reader.end = end;
    reader.position = end;
    return { bytes, malformed: error.message };
  }
}
