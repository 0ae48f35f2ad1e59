/** Processor time of a request with a key, beside the same request to a server that asks for nothing. */
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { openHttpExporter } from '../http-exporter.ts';
import { readCpuSeconds } from '../process-usage.ts';
import { type BenchServer, startBenchServer } from '../server-process.ts';
import { exporterRequests, SHAPES } from '../shapes.ts';
import { type AuthRow, startAuthServer } from './auth-server.ts';

const TARGET_US = 50;
const CONNECTIONS = 8;
const WARM_ROUNDS = 2;

/** Requests of one round; a round takes about half a second. */
const LISTS = 2000;
const EXPORTS = 1000;

/** Sends so many requests. */
type Send = (count: number) => Promise<void>;

/** Both kinds of requests, in turns to a server that asks for credentials and to one that does not. */
export async function measureKeys(rounds: number): Promise<readonly AuthRow[]> {
  const { server: asking, key } = await startAuthServer();
  const open = await startBenchServer(undefined, []);
  const headers = { authorization: `Bearer ${key}` };
  try {
    const lists = [listProjects(open, {}), listProjects(asking, headers)] as const;
    const exports = [await exportSpans(open, {}, 1), await exportSpans(asking, headers, 2)] as const;
    return [
      rowOf('GET /v1/projects?limit=1', await compare([open, asking], lists, LISTS, rounds)),
      rowOf('POST /v1/traces with a span of 1 kB', await compare([open, asking], exports, EXPORTS, rounds)),
    ];
  } finally {
    for (const server of [asking, open]) {
      await server.stop();
      server.remove();
    }
  }
}

function rowOf(what: string, [withoutUs, withUs]: readonly [number, number]): AuthRow {
  const moreUs = withUs - withoutUs;
  return {
    what: `${what} with a key: processor time more than without authentication`,
    target: `${TARGET_US} µs`,
    measured: `${moreUs.toFixed(0)} µs (${withUs.toFixed(0)} and ${withoutUs.toFixed(0)})`,
    isMet: moreUs <= TARGET_US,
  };
}

/** Microseconds of processor time for a request to either server. */
async function compare(
  servers: readonly [BenchServer, BenchServer],
  sends: readonly [Send, Send],
  count: number,
  rounds: number,
): Promise<readonly [number, number]> {
  const seconds = [0, 0];
  for (let round = -WARM_ROUNDS; round < rounds; round++) {
    for (const place of [0, 1] as const) {
      const before = readCpuSeconds(servers[place].pid);
      await sends[place](count);
      if (round >= 0) seconds[place] = (seconds[place] ?? 0) + readCpuSeconds(servers[place].pid) - before;
    }
  }
  const [without = 0, withKey = 0] = seconds.map((sum) => (sum * 1e6) / (rounds * count));
  return [without, withKey];
}

function listProjects({ httpUrl }: BenchServer, headers: Readonly<Record<string, string>>): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const ask = async () => {
    const sent = request(`${httpUrl}/v1/projects?limit=1`, { agent, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    if (response.statusCode !== 200) throw new Error(`a list was answered with ${response.statusCode}`);
  };
  return (count) => shareOut(count, () => ask);
}

/** @param seed so that no two servers get the same spans */
async function exportSpans(
  { httpUrl }: BenchServer,
  headers: Readonly<Record<string, string>>,
  seed: number,
): Promise<Send> {
  const exporters = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openHttpExporter(httpUrl, { ...headers })),
  );
  const requests = exporterRequests({ ...SHAPES.small, spansPerRequest: 1 }, seed);
  return (count) =>
    shareOut(count, (place) => async () => {
      await exporters[place]?.send(requests.next().value.body);
    });
}

/** As many at a time as there are connections. */
async function shareOut(count: number, taskOf: (place: number) => () => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, place) => {
      const run = taskOf(place);
      for (let done = place; done < count; done += CONNECTIONS) await run();
    }),
  );
}
