/** Seals: a checksum behind bytes, of them and of what they are, so that others in their place are noticed, too. */
import { crc32 } from 'node:zlib';

/** The bytes with their seal. @param what the bytes are, the same when they are opened */
export function seal(what: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const sealed = Buffer.allocUnsafeSlow(bytes.length + SEAL_BYTES);
  sealed.set(bytes);
  sealed.writeUInt32LE(crc32(bytes, crc32(what)), bytes.length);
  return sealed;
}

/** The bytes that were sealed; `undefined` where these are not they. */
export function openSealed(what: string, sealed: Uint8Array): Uint8Array | undefined {
  const view = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const length = view.length - SEAL_BYTES;
  if (length < 0) return undefined;
  const bytes = view.subarray(0, length);
  return view.readUInt32LE(length) === crc32(bytes, crc32(what)) ? bytes : undefined;
}

/** Bytes of a seal. */
export const SEAL_BYTES = 4;
