/** What connections hold of the heads of requests, and of calls over gRPC, which are in no account of bodies or answers. */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** How sorely a connection would be missed: what it holds is no request yet, waits for its body, or is being answered. */
export type HoldingStage = 0 | 1 | 2;

/** The head of a request: over HTTP/1.1 the line with the address, and the headers. */
export interface Head {
  readonly bytes: number;
  /** Closes when nothing more of it is read. */
  readonly request: EventEmitter;
  /** Whether all of the body has come. */
  readonly isWhole: () => boolean;
}

/** The heads that a connection holds. */
export class HeldHeads {
  readonly #socket: Socket;
  readonly #freeBytes: number;
  /** Of requests that are not over. */
  readonly #heads = new Set<Head>();
  /** What it had sent when it was last seen outside of a head. */
  #sentBefore = 0;

  /** @param socket over TLS the one below it, of which the bytes are at least as many */
  constructor(socket: Socket, freeBytes: number) {
    this.#socket = socket;
    this.#freeBytes = freeBytes;
  }

  /** Notes the head of a request until that and its answer are over. */
  add(head: Head, answer: EventEmitter): void {
    this.#heads.add(head);
    let openCount = 2;
    const close = () => {
      if (--openCount === 0) this.#heads.delete(head);
    };
    head.request.once('close', close);
    answer.once('close', close);
  }

  /**
   * The bytes beyond those that are free.
   * @param isUnfinished whether the connection is in the middle of a message
   */
  countBytes(isUnfinished: boolean): number {
    let bytes = -this.#freeBytes;
    for (const head of this.#heads) bytes += head.bytes;
    // What was sent since may hold bodies, too.
    if (isUnfinished && !this.#isWaitingForBody())
      bytes += Math.min(this.#socket.bytesRead - this.#sentBefore, MAX_HEAD_BYTES);
    else this.#sentBefore = this.#socket.bytesRead;
    return Math.max(bytes, 0);
  }

  get stage(): HoldingStage {
    if (this.#heads.size === 0) return 0;
    return this.#isWaitingForBody() ? 1 : 2;
  }

  #isWaitingForBody(): boolean {
    for (const head of this.#heads) if (!head.isWhole()) return true;
    return false;
  }
}

/** Longer ones are refused. */
export const MAX_HEAD_BYTES = 65_536;

/** Of each connection over HTTP/1.1: nearly every head takes less. */
export const FREE_HEAD_BYTES = 4096;

/** What a header takes beside its characters, in bytes of a head: small ones take far more than was sent. HTTP/2 counts as much. */
const HEADER_BYTES = 32;

/** The head of a request over HTTP/1.1. */
export function headOf(request: IncomingMessage): Head {
  const { url = '', rawHeaders } = request;
  return { bytes: url.length + countHeaderBytes(rawHeaders), request, isWhole: () => request.complete };
}

/** What HTTP/2 calls the size of a list of headers. @param rawHeaders names and values in turn */
export function countHeaderBytes(rawHeaders: readonly string[]): number {
  let bytes = (HEADER_BYTES * rawHeaders.length) / 2;
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
