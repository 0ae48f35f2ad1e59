import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeId, findIdFault, findIdTextFault, readParentId, readSpanId, readTraceId } from './otel-id.ts';

describe('ids', () => {
  it('of OpenTelemetry are lower-case hex', () => {
    expect(readTraceId(encodeId('0AF7651916CD43DD8448EB211C80319C', 16))).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(encodeId('b7ad6b7169203331', 8)).toHaveLength(8);
    expect(readParentId(new Uint8Array(8))).toBeNull();
  });

  it('that are any other text come back as they are, and are told from those of OpenTelemetry by their bytes', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(text, fc.constantFrom(8, 16), (id, byteCount) => {
        fc.pre(findIdTextFault(id, byteCount) === undefined);
        const bytes = encodeId(id, byteCount);
        expect(bytes).not.toHaveLength(byteCount);
        expect(byteCount === 8 ? readSpanId(bytes) : readTraceId(bytes)).toBe(id);
        expect(findIdFault(bytes, byteCount)).toBeUndefined();
      }),
    );
  });

  it('of a wrong length that hold no text are hex, and a fault', () => {
    for (const bytes of [
      [1, 2],
      [0],
      [0, 0],
      [0, 0xff],
      [0, 7],
      [0, 0, 0, 0x41],
      Array.from({ length: 400 }, () => 0x41),
    ]) {
      const id = Uint8Array.from(bytes);
      expect(readSpanId(id)).toBe(Buffer.from(id).toString('hex'));
      expect(findIdFault(id, 8)).toBe(`has ${bytes.length} bytes instead of 8`);
    }
  });
});
