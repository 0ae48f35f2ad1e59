/**
 * What a client still sends when it is answered is read and dropped: most read the answer only when they have sent all, and a connection
 * that is closed with unread bytes is reset, which may take the answer with it.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** How long an answered client may go on sending. */
const LINGER_MS = 5_000;

/** Has the rests of all requests read that are answered before they end; cuts off clients that do not come to an end. */
export function readRests(handler: RequestListener): RequestListener {
  return (request, response) => {
    // Before Node closes the connection.
    response.prependOnceListener('finish', () => {
      if (!request.complete) readRest(request);
    });
    handler(request, response);
  };
}

function readRest(request: IncomingMessage): void {
  if (request.closed) return;
  const { socket } = request;
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  let isLast = false;
  // Node calls it after the last answer of a connection.
  const endOnly = () => {
    isLast = true;
    socket.end();
  };
  socket.destroySoon = endOnly;
  request.once('close', () => {
    clearTimeout(timer);
    // The rest of the next request may be read already.
    if (socket.destroySoon === endOnly) delete (socket as Partial<Socket>).destroySoon;
    if (isLast) socket.destroySoon();
  });
  request.resume();
}
