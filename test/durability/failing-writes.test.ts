/** Lets the n-th write, sync or allocation of the database fail, for one n after the other, until nothing is hit. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { launchServerProcess, type ServerProcess } from '../harness/server-process.ts';
import { ClientList } from './client-list.ts';
import { type Exporter, openGrpcExporter, openHttpExporter } from './exporter.ts';
import { Faults, whyNoFaults } from './fail-io.ts';
import { type Fault, type FaultPoint, SYNCS, WRITES } from './fault-points.ts';
import { randomNumbers } from '../traffic/random.ts';
import { compareWithLists, settleLists } from './stored-spans.ts';

const MEMORY: readonly FaultPoint[] = ['database-memory'];
const NOTHING = { lost: [], twice: [], wrong: [] };
/** The data file and its log. */
const FILES = ['cairn.db', 'cairn.db-wal'];
const why = whyNoFaults();

let folder: string;
let data: string;
let path: string;
let faults: Faults;
let clients: readonly ClientList[];

beforeEach(() => {
  folder = createTestFolder('faults');
  data = join(folder, 'data');
  path = join(data, 'cairn.db');
  mkdirSync(data);
  faults = new Faults(folder);
  clients = [0, 1].map((client) => new ClientList(client, randomNumbers(client)));
});

afterEach(() => {
  faults[Symbol.dispose]();
  removeTestFolder(folder);
});

describe.skipIf(why !== undefined)(`a server whose disk or memory fails${why === undefined ? '' : ` (${why})`}`, () => {
  it.each<[string, readonly FaultPoint[], Fault, number]>([
    ['write', WRITES, 'EIO', orInLongRun(2.5, 1.1)],
    // The same writes: only what the error says differs.
    ...orInLongRun<[string, readonly FaultPoint[], Fault, number][]>([], [['write', WRITES, 'ENOSPC', 1.25]]),
    ['sync', SYNCS, 'EIO', orInLongRun(2.5, 1.1)],
    ['allocation', MEMORY, 'ENOMEM', orInLongRun(3, 1.12)],
  ])(
    'loses nothing that it acknowledged, whichever %s fails (%j with %s)',
    { timeout: 240_000 },
    async (_, points, fault, growth) => {
      const server = await start();
      const exporters = [openHttpExporter(server), openGrpcExporter(server)];
      await sendAll(exporters);
      for (let n = 1; ; n = Math.max(n + 1, Math.floor(n * growth))) {
        faults.arm(points, n, fault);
        const endings = await sendAll(exporters);
        const isHit = faults.disarm();
        expect({ n, endings: endings.filter((ending) => !['acknowledged', 'refused'].includes(ending)) }).toEqual({
          n,
          endings: [],
        });
        if (!isHit) expect(endings).not.toContain('refused');
        expect({ n, ...compareCopy() }).toEqual({ n, ...NOTHING });
        settleLists(path, clients);
        // Storing goes on by itself once the fault has passed.
        expect({ n, endings: new Set(await sendAll(exporters)) }).toEqual({ n, endings: new Set(['acknowledged']) });
        if (!isHit) break;
      }
      for (const exporter of exporters) exporter.close();
      await server.end('SIGKILL');
      await expectSoundAfterStart();
    },
  );

  it.each<[FaultPoint, number]>([['data-write', 300], ...orInLongRun<[FaultPoint, number][]>([], [['data-sync', 1]])])(
    'goes on when a checkpoint fails (%s %i), and loses nothing',
    async (point, n) => {
      clients = [0, 1].map((client) => new ClientList(client, randomNumbers(client), PADDING_BYTES));
      const server = await start();
      const exporters = [openHttpExporter(server), openGrpcExporter(server)];
      faults.arm([point], n, 'EIO');
      let isHit = false;
      for (let round = 0; round < MAX_ROUNDS && !isHit; round++) {
        expect(await sendAll(exporters)).toEqual(['acknowledged', 'acknowledged']);
        isHit = faults.wasHit();
      }
      expect(isHit).toBe(true);
      faults.disarm();
      expect(compareCopy()).toEqual(NOTHING);
      expect(await sendAll(exporters)).toEqual(['acknowledged', 'acknowledged']);
      for (const exporter of exporters) exporter.close();
      await server.end('SIGKILL');
      await expectSoundAfterStart();
    },
  );

  it.each<[readonly FaultPoint[], Fault, number]>([
    [WRITES, 'EIO', 30],
    [SYNCS, 'EIO', 1],
    [MEMORY, 'ENOMEM', 200],
  ])('says why when it cannot start (%j, %s, %i), and starts the next time', async (points, fault, n) => {
    faults.arm(points, n, fault);
    const outcome = await start().catch((error: unknown) => error as Error);
    expect(faults.disarm()).toBe(true);
    if (outcome instanceof Error)
      expect(outcome.message).toMatch(/ended with 1 .*"level":"error".*(cannot be|is not writable)/s);
    else await outcome.end('SIGKILL');
    await expectSoundAfterStart();
  });

  it.each<[readonly FaultPoint[], number]>([
    [WRITES, 8],
    [SYNCS, 1],
  ])('loses nothing when it stops and of %j number %i fails', async (points, n) => {
    const server = await start();
    const exporters = [openHttpExporter(server), openGrpcExporter(server)];
    for (let round = 0; round < 5; round++) expect(await sendAll(exporters)).not.toContain('refused');
    for (const exporter of exporters) exporter.close();
    faults.arm(points, n, 'EIO');
    expect(await server.end('SIGTERM')).toBe(0);
    expect(faults.disarm()).toBe(true);
    await expectSoundAfterStart();
  });
});

/** Fills the write-ahead log to the size at which it is written back after some ten requests. */
const PADDING_BYTES = 500_000;
const MAX_ROUNDS = 60;

function start(environment: Readonly<Record<string, string>> = faults.environment): Promise<ServerProcess> {
  return launchServerProcess(data, { environment }).ready;
}

/** A request of each client, one after the other. */
async function sendAll(exporters: readonly Exporter[]): Promise<string[]> {
  const endings: string[] = [];
  for (const [place, exporter] of exporters.entries()) {
    const client = clients[place] as ClientList;
    const ending = await exporter.send(client.next());
    if (ending === 'acknowledged') client.acknowledge();
    endings.push(ending);
  }
  return endings;
}

/** What a process would find that opens the files as they lie, which is what a kill at this moment leaves. */
function compareCopy() {
  const copy = join(folder, 'copy');
  let before: readonly string[];
  do {
    before = describeFiles();
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy);
    for (const name of FILES) {
      // copyFileSync() never ends where its file becomes shorter, as the log does when it is emptied.
      if (existsSync(join(data, name))) writeFileSync(join(copy, name), readFileSync(join(data, name)));
    }
    // Files of one moment: what the log loses meanwhile, the data file has gained.
  } while (describeFiles().join() !== before.join());
  return compareWithLists(join(copy, 'cairn.db'), clients);
}

function describeFiles(): readonly string[] {
  return FILES.map((name) => {
    const found = statSync(join(data, name), { bigint: true, throwIfNoEntry: false });
    return `${found?.size} ${found?.mtimeNs}`;
  });
}

async function expectSoundAfterStart(): Promise<void> {
  const server = await start({});
  expect(compareWithLists(path, clients)).toEqual(NOTHING);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(compareWithLists(path, clients)).toEqual(NOTHING);
}
