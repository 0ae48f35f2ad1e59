/**
 * What a client still sends when it is answered is read and dropped: most read the answer only when they have sent all, and a connection
 * that is closed with unread bytes is reset, which may take the answer with it.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** How long an answered client may go on sending. */
const LINGER_MS = 5_000;

/** The same while the server stops. */
const STOP_LINGER_MS = 500;

const read = new WeakSet<IncomingMessage>();

/** Reads the rest of a request, and cuts off a client that does not come to an end. */
export function readRest(request: IncomingMessage, stopping?: AbortSignal): void {
  if (request.closed || read.has(request)) return;
  read.add(request);
  const { socket } = request;
  const hurry = () => setTimeout(() => request.destroy(), STOP_LINGER_MS);
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  if (stopping?.aborted === true) hurry();
  else stopping?.addEventListener('abort', hurry);
  let isLast = false;
  // Node calls it after the last answer of a connection.
  const endOnly = () => {
    isLast = true;
    socket.end();
  };
  socket.destroySoon = endOnly;
  request.once('close', () => {
    clearTimeout(timer);
    stopping?.removeEventListener('abort', hurry);
    // The rest of the next request may be read already.
    if (socket.destroySoon === endOnly) delete (socket as Partial<Socket>).destroySoon;
    if (isLast) socket.destroySoon();
  });
  request.resume();
}

/** Has the rests of all requests read that are answered before they end. */
export function readRests(handler: RequestListener): RequestListener {
  return (request, response) => {
    // Before Node closes the connection.
    response.prependOnceListener('finish', () => {
      if (!request.complete) readRest(request);
    });
    handler(request, response);
  };
}
