/** Stands between an engine and PostgreSQL and reads what the engine sends. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { PostgresAddress } from '../engine/postgres-address.ts';

/** A way to the database on which statements are written down. */
export interface WatchedWire {
  readonly address: PostgresAddress;
  /** The texts of the statements that were run since the last time. */
  take(): readonly string[];
}

/** Opens it for the test; the database listens on a socket, and nothing is encrypted. */
export async function watchWire(address: PostgresAddress): Promise<WatchedWire> {
  const folder = mkdtempSync('/tmp/cairn-wire-');
  const name = `.s.PGSQL.${address.port}`;
  const sockets: Socket[] = [];
  let statements: string[] = [];
  const server = createServer((near) => {
    const far = connect(join(address.host, name));
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    const read = readMessages((text) => statements.push(text));
    near.on('data', read);
    near.pipe(far).pipe(near);
  });
  server.listen(join(folder, name));
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    address: { ...address, host: folder },
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
  };
}

/**
 * Tells the text of each statement that a client runs.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function readMessages(onStatement: (text: string) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>();
  let rest = Buffer.alloc(0);
  // The first message of a connection has no letter.
  let letters = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= letters + LENGTH_BYTES) {
      const end = letters + rest.readUInt32BE(letters);
      if (rest.length < end) return;
      const letter = letters === 0 ? '' : String.fromCharCode(rest[0] as number);
      const texts = rest.toString('utf8', letters + LENGTH_BYTES, end).split('\0');
      if (letter === QUERY) onStatement(texts[0] as string);
      // The name of the statement and its text; the name of a portal and of its statement.
      if (letter === PARSE) prepared.set(texts[0] as string, texts[1] as string);
      if (letter === BIND) onStatement(prepared.get(texts[1] as string) as string);
      rest = rest.subarray(end);
      letters = 1;
    }
  };
}

const LENGTH_BYTES = 4;
const QUERY = 'Q';
const PARSE = 'P';
const BIND = 'B';
