import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spanId, traceBody, traceId } from '../harness/otlp-json.ts';
import { getAll } from '../harness/rest.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';

const KILLS = 8;
const CLIENTS = 8;
const SPANS_A_REQUEST = 5;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-kill-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a server that is killed while clients send', () => {
  it('has every acknowledged span exactly once when it is started again', async () => {
    const sender = new Sender();
    for (let round = 0; round < KILLS; round++) {
      const server = await startServerProcess(folder);
      const goal = sender.acknowledged.size + 40 + 25 * round;
      const sending = sender.sendUntilRefused(server.url);
      await sender.reached(goal);
      await server.end('SIGKILL');
      await sending;
    }
    const server = await startServerProcess(folder);
    const stored = await getAll<{ context: { span_id: string } }>(`${server.url}/v1/projects/default/spans`, 1000);
    const ids = stored.map((span) => span.context.span_id);
    const missing = [...sender.acknowledged].filter((id) => !ids.includes(id));
    expect(missing).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeLessThanOrEqual(sender.sent);
    expect(await server.end('SIGTERM')).toBe(0);
  });
});

describe('a server that is stopped while clients send', () => {
  it('finishes what it has taken and ends with 0', async () => {
    const sender = new Sender();
    const server = await startServerProcess(folder);
    const sending = sender.sendUntilRefused(server.url);
    await sender.reached(100);
    expect(await server.end('SIGTERM')).toBe(0);
    await sending;
    const again: ServerProcess = await startServerProcess(folder);
    const stored = await getAll<{ context: { span_id: string } }>(`${again.url}/v1/projects/default/spans`, 1000);
    const ids = new Set(stored.map((span) => span.context.span_id));
    expect([...sender.acknowledged].filter((id) => !ids.has(id))).toEqual([]);
    await again.end('SIGTERM');
  });
});

/** Several clients that send small requests one after the other and write down what was acknowledged. */
class Sender {
  readonly acknowledged = new Set<string>();
  sent = 0;
  #waiting: { goal: number; resolve: () => void }[] = [];

  /** Sends until the server is gone. */
  async sendUntilRefused(url: string): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, () => this.#client(url)));
  }

  /** Returns when so many spans are acknowledged. */
  reached(goal: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ goal, resolve }));
  }

  async #client(url: string): Promise<void> {
    for (;;) {
      const ids = Array.from({ length: SPANS_A_REQUEST }, () => spanId(++this.sent));
      const body = traceBody(ids.map((id) => ({ traceId: traceId(this.sent), spanId: id })));
      const status = await post(`${url}/v1/traces`, body);
      if (status !== 200) return;
      for (const id of ids) this.acknowledged.add(id);
      for (const { resolve } of this.#waiting.filter(({ goal }) => this.acknowledged.size >= goal)) resolve();
      this.#waiting = this.#waiting.filter(({ goal }) => this.acknowledged.size < goal);
    }
  }
}

/** The status of the answer; `undefined` when the connection ended without one. */
async function post(url: string, body: Uint8Array<ArrayBuffer>): Promise<number | undefined> {
  try {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    // A killed server answers nothing, which is what this test is about; fetch reports it as a TypeError.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
