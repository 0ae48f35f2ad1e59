import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections and to listeners that take any. */
const [FIRST, LAST] = [12_000, 32_000];
const MAX_TRIES = 100;

/** A port of 127.0.0.1 that nobody listened on a moment ago, for programs that cannot take any. */
export async function findFreePort(): Promise<number> {
  for (let count = 0; count < MAX_TRIES; count++) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${MAX_TRIES} ports between ${FIRST} and ${LAST} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
