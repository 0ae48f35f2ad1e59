/**
 * A span or log record that cannot be decoded, made on purpose where one had to be given up before decoding: its first
 * byte is a tag that protobuf forbids, and the reason follows as text. It takes the message's place, so that the partial
 * success answer counts it and says why, and its neighbours are stored.
 */
const FORBIDDEN_TAG = 0x07;

/** Encodes a message that decodes as malformed with this reason. */
export function encodeMalformedMessage(reason: string): Uint8Array {
  const text = Buffer.from(reason.slice(0, MAX_REASON_CHARACTERS), 'utf8');
  const bytes = new Uint8Array(1 + text.length);
  bytes[0] = FORBIDDEN_TAG;
  bytes.set(text, 1);
  return bytes;
}

/** The reason, if the message is such a one. */
export function findMalformedReason(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== FORBIDDEN_TAG) return undefined;
  const end = Math.min(bytes.length, 1 + MAX_REASON_CHARACTERS * 3);
  return Buffer.from(bytes.buffer, bytes.byteOffset + 1, end - 1).toString('utf8');
}

/**
 * What a message counts for that turns out malformed: next to nothing in memory, but time, so that a request cannot hold
 * more than about ten thousand.
 */
export const MALFORMED_MESSAGE_CHARGE_BYTES = 50_000;

const MAX_REASON_CHARACTERS = 300;
