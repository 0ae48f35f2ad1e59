/** Ends the server right before and right after each step of a commit, a checkpoint and a compaction. */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { launchServerProcess, type ProcessOptions, type ServerProcess } from '../harness/server-process.ts';
import { ClientList } from './client-list.ts';
import { openGrpcExporter, openHttpExporter } from './exporter.ts';
import { Faults, whyNoFaults } from './fail-io.ts';
import type { Fault, FaultPoint } from './fault-points.ts';
import { randomNumbers } from '../traffic/random.ts';
import { compareAndSettle, compareWithLists } from './stored-spans.ts';

const NOTHING = { lost: [], twice: [], wrong: [] };
const KILLS: readonly Fault[] = ['kill-before', 'kill-after'];
const why = whyNoFaults();

/** Fills the log to where it is written back after some ten requests. */
const PADDING_BYTES = 500_000;
const MAX_REQUESTS = 200;

let folder: string;
let data: string;
let path: string;
let faults: Faults;

beforeEach(() => {
  folder = createTestFolder('points');
  data = join(folder, 'data');
  path = join(data, 'cairn.db');
  mkdirSync(data);
  faults = new Faults(folder);
});

afterEach(() => {
  faults[Symbol.dispose]();
  removeTestFolder(folder);
});

describe.skipIf(why !== undefined)(`a server that ends at a step${why === undefined ? '' : ` (${why})`}`, () => {
  it.each<[readonly FaultPoint[], number, number, readonly Fault[]]>([
    [['log-write', 'log-sync', 'answer-send'], 3, 0, KILLS],
    // A log that fills takes long.
    [['data-write'], 20, PADDING_BYTES, orInLongRun(KILLS.slice(0, 1), KILLS)],
  ])('of storing (%j) has what it acknowledged', async (points, n, padding, kills) => {
    const clients = [0, 1].map((client) => new ClientList(client, randomNumbers(client), padding));
    for (const [point, kill] of points.flatMap((point) => kills.map((kill) => [point, kill] as const))) {
      const server = await start();
      faults.arm([point], n, kill);
      await Promise.all(clients.map((client, place) => sendUntilKilled(server, client, place)));
      expect(faults.disarm()).toBe(true);
      expect({ point, kill, ...compareAndSettle(path, clients) }).toEqual({ point, kill, ...NOTHING });
    }
    await expectSound(clients);
  });

  it.each<[FaultPoint, number, readonly Fault[]]>([
    ['log-write', 9, orInLongRun(['kill-before'], KILLS)],
    ['log-sync', 1, orInLongRun(['kill-after'], KILLS)],
  ])('of compaction (%s %i) has every original', async (point, n, kills) => {
    const clients = [0, 1].map((client) => new ClientList(client, randomNumbers(client)));
    for (const kill of kills) {
      const plain = await start();
      await Promise.all(clients.map((client, place) => send(plain, client, place, 20)));
      await plain.end('SIGTERM');
      // Nothing but compaction writes from now on.
      const compacting = await start({ program: COMPACTING });
      faults.arm([point], n, kill);
      await once(compacting.child, 'exit');
      expect(faults.disarm()).toBe(true);
      expect({ kill, ...compareWithLists(path, clients) }).toEqual({ kill, ...NOTHING });
    }
    await expectSound(clients);
  });
});

const COMPACTING = new URL('compacting-server.js', process.env['CAIRN_TEST_PROGRAM']);

function start(options: ProcessOptions = {}): Promise<ServerProcess> {
  return launchServerProcess(data, { environment: faults.environment, ...options }).ready;
}

function open(server: ServerProcess, place: number) {
  return place % 2 === 0 ? openHttpExporter(server) : openGrpcExporter(server);
}

async function send(server: ServerProcess, client: ClientList, place: number, requests: number): Promise<void> {
  const exporter = open(server, place);
  for (let request = 0; request < requests; request++) {
    expect(await exporter.send(client.next())).toBe('acknowledged');
    client.acknowledge();
  }
  exporter.close();
}

async function sendUntilKilled(server: ServerProcess, client: ClientList, place: number): Promise<void> {
  const exporter = open(server, place);
  let ending = 'acknowledged';
  for (let request = 0; request < MAX_REQUESTS && ending === 'acknowledged'; request++) {
    ending = await exporter.send(client.next());
    if (ending === 'acknowledged') client.acknowledge();
  }
  exporter.close();
  expect(ending).toBe('unanswered');
}

async function expectSound(clients: readonly ClientList[]): Promise<void> {
  const server = await start({ environment: {} });
  await Promise.all(clients.map((client, place) => send(server, client, place, 1)));
  expect(await server.end('SIGTERM')).toBe(0);
  expect(compareWithLists(path, clients)).toEqual(NOTHING);
}
