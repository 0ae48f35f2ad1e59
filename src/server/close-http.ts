/** How an HTTP server stops: every client that has sent a request gets an answer, and none gets a reset. */
import { Server as NetServer, type Socket } from 'node:net';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** The answers that a connection waits for. */
type UnansweredOf = (socket: Socket) => ReadonlySet<ServerResponse>;

/** Open connections of a server, which are closed with care. */
export class ClosingConnections {
  /** What requests come by: over TLS not the socket below it. */
  readonly #sockets = new Set<Socket>();
  readonly #below = new Set<Socket>();
  /** When they were told that nothing more is sent. */
  readonly #endedMs = new Map<Socket, number>();
  #acceptedCount = 0;
  #isClosing = false;

  /** Follows the connections of a server. */
  follow(server: Server, isHttps: boolean): void {
    const keep = (into: Set<Socket>) => (socket: Socket) => {
      into.add(socket);
      socket.once('close', () => {
        into.delete(socket);
        this.#endedMs.delete(socket);
      });
    };
    server.on('connection', keep(this.#below));
    server.on('connection', () => this.#acceptedCount++);
    server.on(isHttps ? 'secureConnection' : 'connection', keep(this.#sockets));
  }

  /** Begins nothing on connections that have had their last answer, and has answers say that they are the last, once the server stops. */
  announce(handler: RequestListener): RequestListener {
    return (request, response) => {
      if (!request.socket.writable) {
        // It crossed the end of its connection: nobody would hear an answer.
        request.resume().once('close', () => request.socket.destroy());
        return;
      }
      if (this.#isClosing) response.shouldKeepAlive = false;
      handler(request, response);
    };
  }

  /**
   * Closes the server. Connections that are used get an answer that ends them; the others are told that nothing more is sent, and are
   * read until they end, too.
   * @param unanswered the answers that a connection waits for
   */
  async close(server: Server, deadlineMs: number, unanswered: UnansweredOf): Promise<void> {
    const deadline = performance.now() + deadlineMs;
    this.#isClosing = true;
    await this.#acceptWaiting();
    // Unlike the server's own close, this ends no connection.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    for (const socket of this.#sockets) {
      // Those before the last one would end the connection before the others are answered.
      const last = [...unanswered(socket)].at(-1);
      if (last?.headersSent === false) last.shouldKeepAlive = false;
    }
    const leaveMs = performance.now() + NEXT_REQUEST_MS;
    while (this.#below.size > 0 && performance.now() < deadline) {
      if (performance.now() >= leaveMs) await this.#endIdle((socket) => unanswered(socket).size === 0);
      await sleep(SWEEP_MS);
    }
    for (const socket of this.#below) socket.destroy();
    await closed;
    // Ends what looks for slow requests.
    server.close();
  }

  /** Those that have connected are accepted first; the system resets what it holds when the port closes. */
  async #acceptWaiting(): Promise<void> {
    const untilMs = performance.now() + MAX_ACCEPT_MS;
    for (let quietTurns = 0; quietTurns < 2 && performance.now() < untilMs; ) {
      const before = this.#acceptedCount;
      await nextTurn();
      quietTurns = this.#acceptedCount === before ? quietTurns + 1 : 0;
    }
  }

  /** Ends those that bring nothing while the thread reads, twice, what had come while it was busy. */
  async #endIdle(isIdle: (socket: Socket) => boolean): Promise<void> {
    const isOpen = (socket: Socket) => !this.#endedMs.has(socket) && isIdle(socket);
    const idle = [...this.#sockets].filter(isOpen);
    for (let turn = 0; turn < 2; turn++) await nextTurn();
    const nowMs = performance.now();
    for (const [socket, endedMs] of this.#endedMs) if (nowMs - endedMs > LINGER_MS) socket.destroy();
    for (const socket of idle) {
      if (!this.#sockets.has(socket) || !isOpen(socket)) continue;
      this.#endedMs.set(socket, nowMs);
      socket.end();
    }
  }
}

/** A flood of connections does not hold the stop. */
const MAX_ACCEPT_MS = 500;

/** Who sends one request after the other sends the next in that time, and is told with its answer. */
const NEXT_REQUEST_MS = 100;

/** How long a connection is read after its end, until its client ends it, too. */
const LINGER_MS = 500;

const SWEEP_MS = 10;
