import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '#store/sqlite/connection';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { launchServerProcess, type ServerProcess } from '../harness/server-process.ts';
import { getOriginal } from '../harness/telemetry.ts';
import { ClientList } from './client-list.ts';
import { openGrpcExporter, openHttpExporter } from './exporter.ts';
import { randomNumbers } from '../traffic/random.ts';
import { compareWithLists } from './stored-spans.ts';

const KILLS = orInLongRun(3, 8);
const CLIENTS = 4;
const REQUESTS = 40;

/** A kill falls somewhere in this time after the first blocks of a round are swapped. */
const MAX_DELAY_MS = orInLongRun(30, 60);

const NOTHING = { lost: [], twice: [], wrong: [] };

let folder: string;

beforeEach(() => {
  folder = createTestFolder('compaction');
});

afterEach(() => removeTestFolder(folder));

describe('a server that is killed while it compacts', () => {
  it('has every original to the byte, and goes on where it was', { timeout: 400_000 }, async () => {
    const seed = Date.now() % 100_000;
    const random = randomNumbers(seed);
    const path = join(folder, 'cairn.db');
    const clients = Array.from({ length: CLIENTS }, (_, client) => new ClientList(client, random));
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await start();
      await Promise.all(clients.map((client, place) => send(server, client, place)));
      await queueFalls(path);
      await wait(random(MAX_DELAY_MS));
      await server.end('SIGKILL');
      const left = readQueueLength(path);
      if (left > 0) interrupted++;
      expect({ seed, ...compareWithLists(path, clients) }).toEqual({ seed, ...NOTHING });
    }
    expect(interrupted).toBeGreaterThan(0);

    const server = await start();
    while (readQueueLength(path) > 0) await queueFalls(path);
    for (const [trace, spans] of Map.groupBy(
      clients.flatMap((client) => [...client.spans]),
      ([identity]) => identity.split(' ', 1)[0] as string,
    )) {
      const original = Buffer.from(await getOriginal(server.url, 'traces', trace));
      expect(spans.filter(([, bytes]) => !original.includes(bytes))).toEqual([]);
    }
    expect(await server.end('SIGTERM')).toBe(0);
    expect(compareWithLists(path, clients)).toEqual(NOTHING);
  });
});

function start(): Promise<ServerProcess> {
  const program = new URL('compacting-server.js', process.env['CAIRN_TEST_PROGRAM']);
  return launchServerProcess(folder, { program }).ready;
}

async function send(server: ServerProcess, client: ClientList, place: number): Promise<void> {
  const exporter = place % 2 === 0 ? openHttpExporter(server) : openGrpcExporter(server);
  for (let request = 0; request < REQUESTS; request++) {
    expect(await exporter.send(client.next())).toBe('acknowledged');
    client.acknowledge();
  }
  exporter.close();
}

/** Returns when blocks are taken from the queue; clients must be quiet. */
async function queueFalls(path: string): Promise<void> {
  const length = readQueueLength(path);
  // Whoever looks without a pause takes the processor from the compactor, which gives way to everybody.
  while (length > 0 && readQueueLength(path) >= length) await wait(LOOK_MS);
}

const LOOK_MS = 3;

function readQueueLength(path: string): number {
  const database = openSqlite(path, { readOnly: true });
  try {
    const [row] = database.prepare('SELECT count(*) AS length FROM compaction_queue').all([]);
    return (row as { length: number }).length;
  } finally {
    database.close();
  }
}
