/**
 * The connections of a listener, and which of them goes where there are too many: one of the address that has most, first one
 * that has never asked anything. Whoever opens thousands so displaces nobody else.
 */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { clientAddress, shareOfAddress } from '#api/client-address';

/** The far end, by which a connection is found again behind what Node wraps it in. */
export interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

interface Connection {
  readonly share: Set<Connection>;
  hasAsked: boolean;
  unansweredCount: number;
  /** Ends it; it counts no more from then on. */
  readonly end: () => void;
}

/** Keeps a bounded number of connections. */
export class Connections {
  readonly #max: number;
  readonly #byPeer = new Map<string, Connection>();
  /** Of each share of addresses, the one that was used longest ago first. */
  readonly #shares = new Map<string, Set<Connection>>();

  constructor(max: number) {
    this.#max = max;
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
    const connection: Connection = { share, hasAsked: false, unansweredCount: 0, end };
    this.#shares.set(shareName, share.add(connection));
    this.#byPeer.set(peer, connection);
    socket.once('close', leave);
    if (this.#byPeer.size > this.#max) (this.#findVictim(share) ?? connection).end();
  }

  /** Whether the connection has asked for anything yet. */
  hasAsked(peer: Peer): boolean {
    return this.#byPeer.get(nameOf(peer))?.hasAsked === true;
  }

  /** Notes that a request has come, which is over when its answer closes. */
  serve(peer: Peer, answer: EventEmitter): void {
    const connection = this.#byPeer.get(nameOf(peer));
    if (connection === undefined) return;
    connection.hasAsked = true;
    connection.unansweredCount++;
    answer.once('close', () => {
      connection.unansweredCount--;
      if (connection.share.delete(connection)) connection.share.add(connection);
    });
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
