import { PassThrough, type Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#base/errors';
import { frameMessage, readMessage, type UnaryMessage } from './framing.ts';

const MIB = 1024 * 1024;
const LIMITS = { maxBytes: 1_000, bodyDeadlineMs: 60_000 };

async function haveRoom(): Promise<void> {}

/** The bytes in pieces that end where the cuts say. */
function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts.map((each) => each % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

function streamOf(chunks: readonly Buffer[]): Readable {
  const stream = new PassThrough();
  for (const chunk of chunks) stream.write(chunk);
  return stream.end();
}

function readBytes(bytes: Buffer, cuts: readonly number[] = []): Promise<UnaryMessage> {
  return readMessage(streamOf(cut(bytes, cuts)), LIMITS, haveRoom);
}

describe('readMessage', () => {
  it('puts a message together from whatever pieces it comes in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: LIMITS.maxBytes }),
        fc.boolean(),
        fc.array(fc.nat(), { maxLength: 20 }),
        async (message, isCompressed, cuts) => {
          const framed = frameMessage(message);
          framed[0] = Number(isCompressed);
          const read = await readBytes(framed, cuts);
          expect(read).toEqual({ isCompressed, bytes: message });
          expect(read.bytes.buffer.byteLength).toBe(message.length);
        },
      ),
    );
  });

  it('answers any other bytes with a refusal that says what is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), fc.array(fc.nat(), { maxLength: 5 }), async (bytes, cuts) => {
        const garbage = Buffer.from(bytes);
        fc.pre(garbage.length < 5 || garbage.readUInt32BE(1) !== garbage.length - 5);
        const error = await readBytes(garbage, cuts).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(AppError);
        expect(['invalid_argument', 'too_large']).toContain((error as AppError).code);
      }),
    );
  });

  it.each([
    ['nothing at all', Buffer.alloc(0), 'invalid_argument', 'ended before'],
    ['half a message', frameMessage(Buffer.from('whole')).subarray(0, -1), 'invalid_argument', 'ended before'],
    [
      'two messages',
      Buffer.concat([frameMessage(Buffer.from('a')), frameMessage(Buffer.from('b'))]),
      'invalid_argument',
      'more than one',
    ],
    ['an unknown flag', Buffer.from([2, 0, 0, 0, 0]), 'invalid_argument', 'compression flag'],
    ['a length above the limit', Buffer.from([0, 0, 0, 3, 233]), 'too_large', 'larger than 1000 bytes'],
  ])('refuses %s', async (_what, bytes, code, message) => {
    const refused = readBytes(bytes);
    await expect(refused).rejects.toMatchObject({ code });
    await expect(refused).rejects.toThrow(message);
  });

  it('takes a message of exactly the limit', async () => {
    expect((await readBytes(frameMessage(Buffer.alloc(1_000, 'x')))).bytes).toHaveLength(1_000);
  });

  it('reads on only when there is room for the message', async () => {
    const source = new PassThrough();
    const room = Promise.withResolvers<void>();
    const makeRoom = vi.fn<(bytes: number, expectedBytes: number) => Promise<void>>(() => room.promise);
    const read = readMessage(source, LIMITS, makeRoom);
    const framed = frameMessage(Buffer.from('message'));
    source.write(framed.subarray(0, 7));
    await vi.waitFor(() => expect(makeRoom).toHaveBeenCalledExactlyOnceWith(2, 'message'.length));
    expect(source.isPaused()).toBe(true);
    room.resolve();
    source.end(framed.subarray(7));
    expect(Buffer.from((await read).bytes).toString()).toBe('message');
  });

  it('passes on that there is no room', async () => {
    const read = readMessage(streamOf([frameMessage(Buffer.from('x'))]), LIMITS, async () => {
      throw new AppError('unavailable', 'Full.');
    });
    await expect(read).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('asks for the room of a large message as its bytes arrive', async () => {
    const source = new PassThrough();
    const room: number[] = [];
    const read = readMessage(source, { ...LIMITS, maxBytes: 4 * MIB }, async (more) => void room.push(more));
    const framed = frameMessage(Buffer.alloc(3 * MIB));
    source.write(framed.subarray(0, MIB));
    await vi.waitFor(() => expect(source.readableLength).toBe(0));
    expect(sum(room)).toBeLessThan(1.1 * MIB);
    source.end(framed.subarray(MIB));
    expect((await read).bytes.length).toBe(3 * MIB);
    expect(sum(room)).toBe(3 * MIB);
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
