/** Log records that were acknowledged are there after a kill, each once and to the byte, at their spans. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decodeBlock } from '#store/blocks/codec';
import { openSqlite } from '#store/sqlite/connection';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { encodeRequest } from '../harness/otlp-client.ts';
import { logsRequest, otlpLogRecord, spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startServerProcess, type ServerProcess } from '../harness/server-process.ts';
import { encodeJsonWithOracle } from '../oracle/otlp.ts';
import { findContradictions } from './contradictions.ts';
import { randomNumbers } from '../traffic/random.ts';

const KILLS = orInLongRun(3, 6);
const CLIENTS = 4;

/** A kill falls somewhere in this time after a number of acknowledgements: before, in or after the next commits. */
const MAX_DELAY_MS = 20;
const MAX_ACKNOWLEDGED = 60;

let folder: string;

beforeEach(() => {
  folder = createTestFolder('logs-kill');
});

afterEach(() => removeTestFolder(folder));

/** One that sends a span and the records of it in turns, and repeats what was not acknowledged. */
class Client {
  /** Records that were acknowledged. */
  readonly acknowledged: string[] = [];
  readonly #client: number;
  readonly #isLogsFirst: boolean;
  #number = 0;

  constructor(client: number) {
    this.#client = client;
    this.#isLogsFirst = client % 2 === 0;
  }

  /** Sends until the server is gone, and tells of every acknowledgement. */
  async run({ url }: ServerProcess, onAcknowledged: () => void): Promise<void> {
    for (;;) {
      const ids = { traceId: traceId(this.#client + 1), spanId: spanId(this.#client * 100_000 + this.#number + 1) };
      const records = ['gen_ai.user.message', 'gen_ai.choice'].map((eventName, place) => ({
        ...ids,
        eventName,
        body: { content: `${this.#client}.${this.#number}.${place}` },
      }));
      const spans = traceRequest([{ ...ids, attributes: { 'gen_ai.operation.name': 'chat' } }]);
      const steps = [
        async () => {
          if (!(await send(url, 'traces', encodeRequest('application/x-protobuf', spans)))) return false;
          return true;
        },
        async () => {
          const body = encodeRequest('application/x-protobuf', logsRequest(records), 'ExportLogsServiceRequest');
          if (!(await send(url, 'logs', body))) return false;
          for (const record of records) this.acknowledged.push(bytesOf(otlpLogRecord(record)));
          return true;
        },
      ];
      for (const step of this.#isLogsFirst ? steps.toReversed() : steps) {
        if (!(await step())) return;
        onAcknowledged();
      }
      this.#number++;
    }
  }
}

it('keeps acknowledged log records through kills, and joins them', { timeout: 300_000 }, async () => {
  const seed = Date.now() % 100_000;
  const random = randomNumbers(seed);
  const clients = Array.from({ length: CLIENTS }, (_, client) => new Client(client));
  for (let kill = 0; kill < KILLS; kill++) {
    const server = await startServerProcess(folder);
    const { promise: isDue, resolve } = Promise.withResolvers<void>();
    let left = CLIENTS + random(MAX_ACKNOWLEDGED);
    const sending = clients.map((client) => client.run(server, () => --left <= 0 && resolve()));
    await isDue;
    await wait(random(MAX_DELAY_MS * 1000) / 1000);
    await server.end('SIGKILL');
    await Promise.all(sending);
    const path = join(folder, 'cairn.db');
    expect({ seed, wrong: findContradictions(path) }).toEqual({ seed, wrong: [] });
    const stored = readRecords(path);
    const lost = clients.flatMap((client) => client.acknowledged).filter((record) => stored.get(record) !== 1);
    expect({ seed, lost }).toEqual({ seed, lost: [] });
  }
  expect(clients.flatMap((client) => client.acknowledged).length).toBeGreaterThan(CLIENTS * KILLS);
  const server = await startServerProcess(folder);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(findContradictions(join(folder, 'cairn.db'))).toEqual([]);
});

/** Whether it was acknowledged; a server that is killed answers nothing. */
async function send(url: string, signal: 'traces' | 'logs', body: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const headers = { 'content-type': 'application/x-protobuf' };
  try {
    const response = await fetch(`${url}/v1/${signal}`, { method: 'POST', headers, body });
    const answer = await response.arrayBuffer();
    if (response.status !== 200 || answer.byteLength > 0) throw new Error(`${response.status}`);
    return true;
  } catch (error) {
    // fetch reports a connection that ended without an answer as a TypeError.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function bytesOf(record: object): string {
  return Buffer.from(encodeJsonWithOracle('LogRecord', JSON.stringify(record))).toString('base64');
}

/** How often each original is stored. */
function readRecords(path: string): ReadonlyMap<string, number> {
  const database = openSqlite(path, { readOnly: true });
  try {
    const rows = database
      .prepare(
        'SELECT ordinal, data, raw_bytes FROM log_records JOIN log_record_blocks AS block ON block.id = block_id',
      )
      .all([]) as { ordinal: number; data: Uint8Array; raw_bytes: number }[];
    const counts = new Map<string, number>();
    for (const { ordinal, data, raw_bytes: rawBytes } of rows) {
      const record = Buffer.from(decodeBlock({ data, rawBytes })[ordinal] ?? []).toString('base64');
      counts.set(record, (counts.get(record) ?? 0) + 1);
    }
    return counts;
  } finally {
    database.close();
  }
}
