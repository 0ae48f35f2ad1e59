import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#base/errors';

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when a server that stops waits no longer for what only reads; its reason is what clients are told. */
    readonly readsEnd?: AbortSignal;
  }
}

/**
 * Aborts when the client goes before its answer is sent; not when that has been, which every request comes to. Aborts, too, when
 * the server stops and waits no longer.
 */
export function signalOfClient({ raw: { socket }, server }: FastifyRequest, { raw }: FastifyReply): AbortSignal {
  const ended = new AbortController();
  const leave = () =>
    ended.abort(new AppError('unavailable', 'The client disconnected before it received the response.'));
  if (socket.destroyed) {
    leave();
    return ended.signal;
  }
  const { readsEnd } = server;
  const stop = () => ended.abort(readsEnd?.reason);
  if (readsEnd?.aborted === true) stop();
  readsEnd?.addEventListener('abort', stop);
  raw.once('close', () => {
    readsEnd?.removeEventListener('abort', stop);
    if (!raw.writableFinished) leave();
  });
  return ended.signal;
}
