/** Lets each answer have room only as long as there is some, see `answer-budget.ts`. */
import type { BlockList } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shareOfAddress } from '#api/client-address';
import { noRoom } from '#api/no-room';
import { addressOf } from '#api/rest/access';
import { collectGarbage } from '#base/collect-garbage';
import type { AnswerBudget, AnswerShare } from './answer-budget.ts';
import { pathOf } from './socket-path.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The room that the answer takes; a large answer that is made piece by piece takes room for each piece. */
    answerShare: AnswerShare;
  }
}

/** Some of these that nobody holds any more are as much as a small server has. */
const LARGE_BYTES = 8 * 1024 * 1024;

/** Gives each request its part of the room of its address. Add it before what takes of it. */
export function shareRoom(app: FastifyInstance, budget: AnswerBudget, trustedProxies: BlockList | null): void {
  app.decorateRequest('answerShare');
  app.addHook('onRequest', async (request, reply) => {
    const address = shareOfAddress(addressOf(request, trustedProxies) ?? '');
    const share = budget.open(address, pathOf(request.raw.socket), kindOf(request));
    request.answerShare = share;
    reply.raw.once('close', () => {
      const isLarge = share.bytes > LARGE_BYTES;
      share.release();
      // What was sent is dropped when the socket is told, after this.
      if (isLarge) setImmediate(collectGarbage);
    });
  });
}

/** Lets the routes of a scope begin large answers one after the other rather than refuse some, and none for those who read none. */
export function waitForRoom(scope: FastifyInstance, budget: AnswerBudget): void {
  scope.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.access?.access === 'read') {
      await budget.settle(shareOfAddress(request.clientAddress ?? ''), kindOf(request));
    }
  });
}

/** The route: its answers are about as large. */
function kindOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? '';
}

/** Takes room for answers as large as they are here. Add it before and after what makes them smaller. */
export function holdAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request: FastifyRequest, _reply: FastifyReply, payload: unknown) => {
    if (!(payload instanceof Uint8Array)) return payload;
    const { answerShare } = request;
    if (!answerShare.resize(payload.length)) throw noRoom();
    answerShare.sent();
    return payload;
  });
}
