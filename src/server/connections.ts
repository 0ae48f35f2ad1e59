/**
 * The connections of a listener, and which of them goes where there are too many: one of the address that has most, first one
 * that has never asked anything. An address that opens thousands thus displaces no other. If heads of requests take too much memory, the
 * address that holds most of them gives up connections as well.
 */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { clientAddress, shareOfAddress } from '#api/client-address';
import { FREE_HEAD_BYTES, type Head, HeldHeads, type HoldingStage } from './held-heads.ts';

/** The far end, by which a connection is found again behind what Node wraps it in. */
export interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

interface Connection {
  readonly share: Set<Connection>;
  hasAsked: boolean;
  unansweredCount: number;
  readonly heads: HeldHeads;
  /** Ends it; it counts no more from then on. */
  readonly end: () => void;
}

/** What the connections of a share hold of heads. */
interface Holding {
  bytes: number;
  readonly holders: { readonly bytes: number; readonly stage: HoldingStage; readonly connection: Connection }[];
}

/** Keeps a bounded number of connections. */
export class Connections {
  readonly #max: number;
  readonly #freeHeadBytes: number;
  readonly #byPeer = new Map<string, Connection>();
  /** Of each share of addresses, the one that was used longest ago first. */
  readonly #shares = new Map<string, Set<Connection>>();

  /** @param freeHeadBytes what each connection may hold of heads without being asked to give it up */
  constructor(max: number, freeHeadBytes = FREE_HEAD_BYTES) {
    this.#max = max;
    this.#freeHeadBytes = freeHeadBytes;
  }

  /** Takes a connection in, and ends one where that is one too many. */
  admit(socket: Socket): void {
    const [peer, shareName] = [nameOf(socket), shareNameOf(socket)];
    const share = this.#shares.get(shareName) ?? new Set<Connection>();
    const leave = () => {
      share.delete(connection);
      if (share.size === 0 && this.#shares.get(shareName) === share) this.#shares.delete(shareName);
      if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
    };
    const end = () => {
      leave();
      socket.destroy();
    };
    const heads = new HeldHeads(socket, this.#freeHeadBytes);
    const connection: Connection = { share, hasAsked: false, unansweredCount: 0, heads, end };
    this.#shares.set(shareName, share.add(connection));
    this.#byPeer.set(peer, connection);
    socket.once('close', leave);
    if (this.#byPeer.size > this.#max) (this.#findVictim(share) ?? connection).end();
  }

  /** Whether the connection has asked for anything yet. */
  hasAsked(peer: Peer): boolean {
    return this.#byPeer.get(nameOf(peer))?.hasAsked === true;
  }

  /**
   * Notes that a request has come, which is over when its answer closes.
   * @param head takes memory until the request closes, too
   */
  serve(peer: Peer, answer: EventEmitter, head?: Head): void {
    const connection = this.#byPeer.get(nameOf(peer));
    if (connection === undefined) return;
    connection.hasAsked = true;
    connection.unansweredCount++;
    if (head !== undefined) connection.heads.add(head, answer);
    answer.once('close', () => {
      connection.unansweredCount--;
      if (connection.share.delete(connection)) connection.share.add(connection);
    });
  }

  /**
   * Ends connections until the heads that the others hold are at most so many bytes. The share that holds most gives up first what is no
   * request yet, then requests that wait for their bodies, then those that are being answered; of these, the largest.
   * @param unfinished connections that are in the middle of a message
   */
  shedHeads(unfinished: readonly Peer[], maxBytes: number): void {
    const reading = new Set(unfinished.map((peer) => this.#byPeer.get(nameOf(peer))));
    const holdings = new Map<Set<Connection>, Holding>();
    let heldBytes = 0;
    for (const connection of this.#byPeer.values()) {
      const bytes = connection.heads.countBytes(reading.has(connection));
      if (bytes === 0) continue;
      heldBytes += bytes;
      const holding = holdings.get(connection.share) ?? { bytes: 0, holders: [] };
      holding.bytes += bytes;
      holding.holders.push({ bytes, stage: connection.heads.stage, connection });
      holdings.set(connection.share, holding);
    }
    if (heldBytes <= maxBytes) return;
    for (const { holders } of holdings.values()) holders.sort((a, b) => b.stage - a.stage || a.bytes - b.bytes);
    while (heldBytes > maxBytes) {
      const largest = [...holdings.values()].reduce((a, b) => (b.bytes > a.bytes ? b : a));
      const victim = largest.holders.pop();
      if (victim === undefined) return;
      largest.bytes -= victim.bytes;
      heldBytes -= victim.bytes;
      victim.connection.end();
    }
  }

  /** One of the largest share: silent rather than idle, idle rather than busy, and busy only for an address that has far fewer. */
  #findVictim(newcomers: Set<Connection>): Connection | undefined {
    let largest = newcomers;
    for (const share of this.#shares.values()) if (share.size > largest.size) largest = share;
    let idle: Connection | undefined;
    for (const connection of largest) {
      if (connection.unansweredCount > 0) continue;
      if (!connection.hasAsked) return connection;
      idle ??= connection;
    }
    if (idle !== undefined || largest.size < 2 * newcomers.size) return idle;
    const [oldest] = largest;
    return oldest;
  }
}

function nameOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}

function shareNameOf({ remoteAddress }: Peer): string {
  return shareOfAddress(clientAddress(remoteAddress, undefined, null) ?? '');
}
