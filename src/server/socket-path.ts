/** How far the answers on a socket have come. */
import type { Socket } from 'node:net';
import type { AnswerPath } from './sent-answers.ts';

const paths = new WeakMap<Socket, AnswerPath>();

/** The same for each request on a socket. */
export function pathOf(socket: Socket): AnswerPath {
  let path = paths.get(socket);
  if (path === undefined) {
    path = {
      isWaiting: () => socket.writableLength > 0,
      takenBytes: () => countTaken(socket),
      cut: () => void socket.destroy(),
    };
    paths.set(socket, path);
  }
  return path;
}

/** `bytesWritten` of a socket counts what waits in the process, too. Over TLS it is what lies below that moves. */
function countTaken(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { readonly _handle: Handle | null };
  const { bytesWritten = 0, writeQueueSize = 0 } = handle?._parent ?? handle ?? {};
  return bytesWritten - writeQueueSize;
}

/** What Node itself looks at to tell whether a socket is stalled. */
interface Handle {
  readonly bytesWritten?: number;
  readonly writeQueueSize?: number;
  /** The one below, where this is of TLS. */
  readonly _parent?: Handle;
}
