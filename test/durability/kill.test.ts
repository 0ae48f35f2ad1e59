import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { launchServerProcess } from '../harness/server-process.ts';
import { ClientList } from './client-list.ts';
import { openGrpcExporter, openHttpExporter } from './exporter.ts';
import { runKills } from './kill-rounds.ts';
import { randomNumbers } from '../traffic/random.ts';
import { compareWithLists } from './stored-spans.ts';

const KILLS = orInLongRun(8, 50);

/** Enough for several commits of every client; `npm run torture` sends more. */
const MAX_ACKNOWLEDGED_SPANS = 80;

/** On a machine that runs all other tests at the same time; alone it is well below two seconds. */
const MAX_RECOVERY_MS = 15_000;

let folder: string;

beforeEach(() => {
  folder = createTestFolder('kill');
});

afterEach(() => removeTestFolder(folder));

describe('a server that is killed while clients send', () => {
  it('has every acknowledged span exactly once, as acknowledged last, when it is started again', {
    timeout: 300_000,
  }, async () => {
    const seed = Date.now() % 100_000;
    const report = await runKills({
      folder,
      kills: KILLS,
      maxAcknowledgedSpans: MAX_ACKNOWLEDGED_SPANS,
      random: randomNumbers(seed),
      options: {},
    });
    console.log(`seed ${seed}: ${report.acknowledgedSpans} acknowledged, worst recovery ${report.worstRecoveryMs} ms`);
    const { lost, twice, wrong } = report;
    expect({ seed, lost, twice, wrong }).toEqual({ seed, lost: [], twice: [], wrong: [] });
    expect(report.kills).toBe(KILLS);
    expect(report.acknowledgedSpans).toBeGreaterThan(10 * KILLS);
    expect(report.worstRecoveryMs).toBeLessThan(MAX_RECOVERY_MS);
  });
});

describe('a server that is stopped while clients send', () => {
  it('finishes what it has taken and ends with 0', async () => {
    const server = await launchServerProcess(folder, {}).ready;
    const clients = Array.from({ length: 8 }, (_, client) => new ClientList(client, randomNumbers(client)));
    const { promise: isLoaded, resolve } = Promise.withResolvers<void>();
    let acknowledged = 0;
    const sending = clients.map(async (client, place) => {
      const exporter = place % 2 === 0 ? openHttpExporter(server) : openGrpcExporter(server);
      while ((await exporter.send(client.next())) === 'acknowledged') {
        acknowledged += client.acknowledge();
        if (acknowledged > 200) resolve();
      }
      exporter.close();
    });
    await Promise.race([isLoaded, Promise.all(sending)]);
    expect(await server.end('SIGTERM')).toBe(0);
    await Promise.all(sending);
    const difference = compareWithLists(join(folder, 'cairn.db'), clients);
    expect(difference).toEqual({ lost: [], twice: [], wrong: [] });
  });
});
