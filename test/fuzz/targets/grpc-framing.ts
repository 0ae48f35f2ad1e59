/** The framing of gRPC, cut into pieces anywhere: exactly one message within its limit, or a refusal. */
import { Readable } from 'node:stream';
import { AppError } from '#base/errors';
import { frameMessage, readMessage, type UnaryMessage } from '#server/otlp-grpc/framing';
import { mutateBytes } from '../mutate-bytes.ts';
import { pick, type Random } from '../random.ts';
import { Finding, hold, type Target } from '../target.ts';

const LIMIT = 4096;
const PREFIX_BYTES = 5;
const LENGTHS = [0, 1, 4, 5, 100, LIMIT - 1, LIMIT, LIMIT + 1];

/** What a caller sends. */
export const grpcFramingTarget: Target = {
  name: 'grpc-framing',
  create: (random) => {
    const message = Uint8Array.from({ length: pick(random, LENGTHS) }, () => random(256));
    const framed = Buffer.concat(Array.from({ length: random(8) === 0 ? 2 : 1 }, () => frameMessage(message)));
    framed[0] = random(2);
    return mutateBytes(random, framed, random(4));
  },
  check: async (input, random) => {
    const expected = readWhole(input);
    let roomBytes = 0;
    const outcome = await readOrRefuse(cut(random, input), async (bytes) => {
      roomBytes += bytes;
    });
    hold(roomBytes <= LIMIT, () => `room for ${roomBytes} bytes is asked for`);
    if (typeof expected === 'string') {
      hold(outcome === expected, () => `${JSON.stringify(outcome)} instead of ${expected}`);
      return;
    }
    hold(typeof outcome !== 'string', () => `a whole message is refused: ${JSON.stringify(outcome)}`);
    hold(outcome.isCompressed === expected.isCompressed, () => 'the flag is another');
    hold(Buffer.from(outcome.bytes).equals(expected.bytes), () => 'the message is another');
    hold(roomBytes >= outcome.bytes.length, () => 'the message is larger than the room that was asked for');
  },
};

/** What the bytes mean, or the code of the refusal. */
function readWhole(bytes: Uint8Array): UnaryMessage | string {
  const [flag = 2] = bytes;
  if (bytes.length < PREFIX_BYTES || flag > 1) return 'invalid_argument';
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  if (length > LIMIT) return 'too_large';
  if (bytes.length !== PREFIX_BYTES + length) return 'invalid_argument';
  return { isCompressed: flag === 1, bytes: new Uint8Array(bytes.subarray(PREFIX_BYTES)) };
}

async function readOrRefuse(
  chunks: readonly Uint8Array[],
  makeRoom: (bytes: number) => Promise<void>,
): Promise<UnaryMessage | string> {
  try {
    return await readMessage(Readable.from(chunks, { objectMode: false }), { maxBytes: LIMIT }, makeRoom);
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw new Finding(`another error than a refusal: ${String(error)}`);
  }
}

function cut(random: Random, bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + random(random(4) === 0 ? 3 : bytes.length);
    chunks.push(Buffer.from(bytes.subarray(at, at + length)));
    at += length;
  }
  return chunks;
}
