/** What connections hold of the heads of requests, the line with the address and the headers: in no account of bodies or answers. */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** How sorely a connection would be missed: what it holds is no request yet, waits for its body, or is being answered. */
export type HoldingStage = 0 | 1 | 2;

/** The heads that a connection holds. */
export class HeldHeads {
  readonly #socket: Socket;
  /** Of requests that are not over, with the bytes of their heads. */
  readonly #requests = new Map<IncomingMessage, number>();
  /** What it had sent when it was last seen outside of a head. */
  #sentBefore = 0;

  /** @param socket over TLS the one below it, of which the bytes are at least as many */
  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Notes the head of a request until that and its answer are over. */
  add(request: IncomingMessage, answer: EventEmitter): void {
    this.#requests.set(request, headBytes(request));
    let openCount = 2;
    const close = () => {
      if (--openCount === 0) this.#requests.delete(request);
    };
    request.once('close', close);
    answer.once('close', close);
  }

  /**
   * The bytes beyond those that are free.
   * @param isUnfinished whether the connection is in the middle of a message
   */
  countBytes(isUnfinished: boolean): number {
    let bytes = -FREE_BYTES;
    for (const requestBytes of this.#requests.values()) bytes += requestBytes;
    // What was sent since may hold bodies, too.
    if (isUnfinished && !this.#isWaitingForBody())
      bytes += Math.min(this.#socket.bytesRead - this.#sentBefore, MAX_HEAD_BYTES);
    else this.#sentBefore = this.#socket.bytesRead;
    return Math.max(bytes, 0);
  }

  get stage(): HoldingStage {
    if (this.#requests.size === 0) return 0;
    return this.#isWaitingForBody() ? 1 : 2;
  }

  #isWaitingForBody(): boolean {
    for (const request of this.#requests.keys()) if (!request.complete) return true;
    return false;
  }
}

/** Longer ones are refused. */
export const MAX_HEAD_BYTES = 65_536;

/** Of each connection: nearly every head takes less. */
const FREE_BYTES = 4096;

/** What a header takes beside its characters, in bytes of a head: small ones take far more than was sent. */
const HEADER_BYTES = 32;

function headBytes({ url = '', rawHeaders }: IncomingMessage): number {
  let bytes = url.length + (HEADER_BYTES * rawHeaders.length) / 2;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

/**
 * The connections of a server that are in the middle of a message, or have sent none. Whether a head has begun only Node's parser knows:
 * its bytes may have come together with the end of the request before. Node keeps the list for the time limits of requests.
 */
export function listUnfinished(server: Server): readonly Socket[] {
  const key = Object.getOwnPropertySymbols(server).find(({ description }) => description === 'http.server.connections');
  if (key === undefined) return [];
  const { [key]: parsers } = server as unknown as Record<symbol, ParserList>;
  return parsers?.active().flatMap(({ socket }) => socket ?? []) ?? [];
}

interface ParserList {
  active(): readonly { readonly socket: Socket | null }[];
}
