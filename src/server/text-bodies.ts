/** Reads bodies that are parsed as text: all of them together take as much as there is room for, while they come and while they are answered. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shareOfAddress } from '#api/client-address';
import { AppError } from '#base/errors';
import type { RoomPart } from '#base/memory-room';
import { ByteBudget } from '#ingest/budget';
import type { ArrivingBody } from '#ingest/receiver';
import { countJsonValues } from './count-json-values.ts';
import { receiveBody } from './receive-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the values of the body take until the request is answered. */
    bodyRoom: DisposableStack;
  }
}

/** Where bodies take room. */
export interface TextBodiesOptions {
  /** Of what has arrived of all bodies, beyond the first bytes of each. */
  readonly maxBytes: number;
  /** What bodies become when they are parsed. */
  readonly room: RoomPart;
}

/** The bodies of all requests of a server. */
export class TextBodies {
  readonly budget: ByteBudget;
  readonly #room: RoomPart;

  constructor({ maxBytes, room }: TextBodiesOptions) {
    this.budget = new ByteBudget({ maxBytes, waitMs: WAIT_MS, maxWaiting: MAX_WAITING });
    this.#room = room;
  }

  /** Gives back what requests took once they are answered. */
  follow(app: FastifyInstance): void {
    app.decorateRequest('bodyRoom');
    app.addHook('onRequest', async (request, reply) => {
      const room = new DisposableStack();
      request.bodyRoom = room;
      reply.raw.once('close', () => room.dispose());
    });
  }

  /**
   * The body as text, with room for what it is parsed into.
   * @throws AppError `too_large` for more bytes, or more values than anything has that is sent here
   * @throws AppError `unsupported` for a compressed body
   * @throws AppError `unavailable` without room
   */
  async read(request: FastifyRequest, maxBytes: number): Promise<string> {
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new AppError('unsupported', 'Send the body without a Content-Encoding.');
    }
    const address = shareOfAddress(request.clientAddress ?? '');
    const receiver = {
      reserve: (bytes: number, body?: ArrivingBody) => this.budget.reserve(bytes, { ...body, address }),
    };
    using body = await receiveBody(request.raw, receiver, {
      maxBytes,
      bodyDeadlineMs: DEADLINE_MS,
      freeBytes: FREE_BYTES_AS_SENT,
    });
    const { bytes } = body;
    const valueCount = countJsonValues(bytes);
    if (valueCount > MAX_VALUES) {
      throw new AppError('too_large', `The body has more than ${MAX_VALUES} values. Send less in one request.`);
    }
    const parsedBytes = 2 * bytes.length + valueCount * VALUE_BYTES;
    if (parsedBytes > FREE_BYTES_AS_PARSED) {
      const share = await this.#room.take(parsedBytes);
      if (request.bodyRoom.disposed) share[Symbol.dispose]();
      else request.bodyRoom.use(share);
    }
    return Buffer.from(bytes.buffer).toString();
  }
}

const WAIT_MS = 1000;
const MAX_WAITING = 1000;

/** Later than the server's own end of a request that does not arrive, which says so. */
const DEADLINE_MS = 120_000;

/** Twice as many as 10,000 annotations have, the most of one request, with ten fields of metadata each. */
const MAX_VALUES = 400_000;

/** What one takes once it is parsed, of lists of the shortest values; that much again is dropped meanwhile. */
const VALUE_BYTES = 400;

/** The first bytes of each body take no room, which are all that most have; nor does what these are parsed into. */
const FREE_BYTES_AS_SENT = 16 * 1024;
const FREE_BYTES_AS_PARSED = 128 * 1024;
