import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#base/errors';

/** Aborts when the client goes before its answer is sent; not when that has been, which every request comes to. */
export function signalOfClient({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () =>
    gone.abort(new AppError('unavailable', 'The client disconnected before it received the response.'));
  if (socket.destroyed) leave();
  else {
    raw.once('close', () => {
      if (!raw.writableFinished) leave();
    });
  }
  return gone.signal;
}
