/** Ids as OpenTelemetry writes them: lower-case hex. */

/** How many bytes a trace id has. */
export const TRACE_ID_BYTES = 16;

/** How many bytes a span id has. */
export const SPAN_ID_BYTES = 8;

/** The bytes in lower-case hex. */
export function toHex(id: Uint8Array): string {
  return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('hex');
}

/** What is wrong with an id that should identify something, as a clause about it; `undefined` where it is right. */
export function findIdFault(id: Uint8Array, byteCount: number): string | undefined {
  if (id.length === 0) return 'is missing';
  if (id.length !== byteCount) return `has ${id.length} bytes instead of ${byteCount}`;
  return isZero(id) ? 'is all zeros' : undefined;
}

/** The id of a parent, `null` where it is empty or all zeros; one of another length is kept, though it names no span. */
export function readParentId(id: Uint8Array): string | null {
  return isZero(id) ? null : toHex(id);
}

function isZero(id: Uint8Array): boolean {
  return id.every((byte) => byte === 0);
}
