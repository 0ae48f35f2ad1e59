/** Two servers and their database, of which one or the other is killed while clients send: nothing acknowledged is lost. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CopyReport, copyDatabase, describeNewDatabase } from '#store/copy/copy-database';
import type { EngineConfig } from '#store/engine/engine-config';
import { openReadEngine, openWriteEngine } from '#store/open/open-engine';
import { ClientList } from '../durability/client-list.ts';
import { type Ending, openGrpcExporter, openHttpExporter } from '../durability/exporter.ts';
import { randomNumbers } from '../traffic/random.ts';
import { compareWithLists, settleLists } from '../durability/stored-spans.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { type PostgresCluster, startCluster } from '../harness/postgres/cluster.ts';
import { createTestDatabase, describePostgres, type TestDatabase } from '../harness/postgres/databases.ts';
import { findPostgres } from '../harness/postgres/find-postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';
import { urlOf } from '../harness/test-data.ts';

/** What is killed, again and again. */
const VICTIMS = Array.from({ length: orInLongRun(2, 6) }, (_, round) =>
  round % 2 === 0 ? 'a server' : 'the database',
);
const CLIENTS = 8;

/** Acknowledgements before a kill, and of every client that lives on after it. */
const BEFORE = 40;
const AFTER = 3;

describePostgres('servers on one database', () => {
  const found = findPostgres();
  const folder = createTestFolder('servers');
  let cluster: PostgresCluster;
  let database: TestDatabase;
  const servers: ServerProcess[] = [];
  let copies = 0;

  beforeAll(async () => {
    if (found.kind !== 'binaries') return;
    cluster = await startCluster(found, { isDurable: true });
    database = await createTestDatabase({ cluster: cluster.address });
    for (const name of ['one', 'other']) servers.push(await start(name));
  });

  afterAll(async () => {
    for (const { child } of servers) child.kill('SIGKILL');
    await cluster?.end();
    removeTestFolder(folder);
  });

  function start(name: string): Promise<ServerProcess> {
    return startServerProcess(join(folder, name), { SQL_DATABASE_URL: urlOf(database.address) });
  }

  /**
   * Sends until it is not acknowledged, or told to stop; each client goes to one of the servers. Those that come again send what was
   * refused once more, as exporters do.
   */
  async function send(
    clients: readonly ClientList[],
    onAcknowledged: (client: number) => boolean,
    comesAgain = false,
  ): Promise<Ending[]> {
    return Promise.all(
      clients.map(async (client, place) => {
        const server = servers[place % 2] as ServerProcess;
        const exporter = place % 4 < 2 ? openHttpExporter(server) : openGrpcExporter(server);
        let ending = await exporter.send(client.next());
        while (ending === 'acknowledged' || (comesAgain && ending === 'refused')) {
          if (ending === 'acknowledged') {
            client.acknowledge();
            if (onAcknowledged(place)) break;
          }
          ending = await exporter.send(client.next());
        }
        exporter.close();
        return ending;
      }),
    );
  }

  /** Holds everything that is stored against the lists, by way of a file. */
  async function compare(clients: readonly ClientList[], round: number): Promise<void> {
    const from = { engine: 'postgres', address: database.address, serverId: 'test', blockAboveBytes: null } as const;
    let path = '';
    await expect
      .poll(() => {
        path = join(folder, `${round}-${++copies}.db`);
        return copyBesideServers(from, { engine: 'sqlite', path, blockAboveBytes: null });
      })
      // Now and then something is packed anew while it is copied.
      .toMatchObject({ rowCounts: {} });
    expect(compareWithLists(path, clients)).toEqual({ lost: [], twice: [], wrong: [] });
    settleLists(path, clients);
  }

  it('lose nothing when one of them, or the database, is killed under load, and go on by themselves', {
    timeout: 180_000,
  }, async ({ skip }) => {
    if (found.kind !== 'binaries') return skip('the database of the environment is not to be killed');
    const seed = Date.now() % 100_000;
    const random = randomNumbers(seed);
    const clients = Array.from({ length: CLIENTS }, (_, client) => new ClientList(client, random));
    for (const [round, victim] of VICTIMS.entries()) {
      const killed = round % 4 < 2 ? 0 : 1;
      let acknowledged = 0;
      let isKilled: Promise<unknown> | undefined;
      let isDead = false;
      const sinceKill = new Map<number, number>();
      const kill = async () => {
        if (victim === 'a server') await servers[killed]?.end('SIGKILL');
        else await cluster.stop('SIGKILL');
        isDead = true;
      };
      const onAcknowledged = (client: number) => {
        if (++acknowledged >= BEFORE) isKilled ??= kill();
        if (!isDead) return false;
        sinceKill.set(client, (sinceKill.get(client) ?? 0) + 1);
        return (sinceKill.get(client) ?? 0) > AFTER;
      };
      // A lock of the killed server, until the database lets go of it, may keep the other from storing for longer than a request waits.
      const endings = await send(clients, onAcknowledged, victim === 'a server');
      await isKilled;
      const expected = clients.map((_, place) =>
        victim === 'the database' ? 'refused' : place % 2 === killed ? 'unanswered' : 'acknowledged',
      );
      expect({ seed, round, victim, endings }).toEqual({ seed, round, victim, endings: expected });
      if (victim === 'a server') servers[killed] = await start(killed === 0 ? 'one' : 'other');
      else {
        await cluster.start();
        await expect.poll(areReady).toEqual([200, 200]);
      }
      await compare(clients, round);
    }
    // What was refused or not answered is sent again, and taken.
    expect(new Set(await send(clients, () => true))).toEqual(new Set(['acknowledged']));
    await compare(clients, VICTIMS.length);
  });

  async function areReady(): Promise<number[]> {
    return Promise.all(servers.map(async ({ url }) => (await fetch(`${url}/readyz`)).status));
  }
});

/** What the command does, which would not run beside servers. */
async function copyBesideServers(from: EngineConfig, to: EngineConfig): Promise<CopyReport> {
  const source = await openReadEngine(from);
  const target = await openWriteEngine(to, () => undefined);
  try {
    await target.prepare();
    return await copyDatabase(source, target, await describeNewDatabase(target), {
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
  } finally {
    await target.close();
    await source.close();
  }
}
