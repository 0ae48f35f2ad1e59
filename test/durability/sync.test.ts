/** Killing a process cannot show a missing sync, so this watches the system calls of a running server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spanId, traceBody, traceId } from '../harness/otlp-json.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { startServerProcess } from '../harness/server-process.ts';

const REQUESTS = 20;

let folder: string;

beforeEach(() => {
  folder = createTestFolder('sync');
});

afterEach(() => removeTestFolder(folder));

describe('an acknowledgement', () => {
  it('leaves after the write-ahead log is synced with what it acknowledges', async (test) => {
    if (!canTrace()) test.skip('strace is not installed, or may not watch other processes here');
    const server = await startServerProcess(folder);
    const tracer = await trace(server.child);
    for (let request = 1; request <= REQUESTS; request++) {
      const response = await fetch(`${server.url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: traceBody([{ traceId: traceId(request), spanId: spanId(request) }]),
      });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
    tracer.kill('SIGINT');
    await once(tracer, 'exit');
    await server.end('SIGTERM');

    const steps = readSteps(readFileSync(join(folder, 'calls'), 'utf8')).join(' ');
    // The server's own work in the background writes and syncs, too: before each answer there is one more pair at least.
    const beforeAnswers = steps.split('answer').slice(0, -1);
    expect(beforeAnswers.map((before) => before.includes('write sync'))).toEqual(Array(REQUESTS).fill(true));
  });
});

function canTrace(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
}

/** Watches all threads of the process; returns when it does. */
async function trace({ pid }: ChildProcess): Promise<ChildProcess> {
  const calls = 'trace=fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg';
  const tracer = spawn('strace', ['-f', '-y', '-e', calls, '-o', join(folder, 'calls'), '-p', String(pid)]);
  await once(tracer.stderr, 'data');
  return tracer;
}

/** What happened to the write-ahead log and on the connection, repetitions told once; calls count when they return. */
function readSteps(calls: string): string[] {
  const steps: string[] = [];
  for (const line of calls.split('\n')) {
    const step = toStep(line);
    if (step !== undefined && step !== steps.at(-1)) steps.push(step);
  }
  return steps;
}

function toStep(line: string): string | undefined {
  if (/pwrite64\(\d+<[^>]*-wal>/.test(line)) return 'write';
  // While another thread's call comes in between, the end of a call stands on a line of its own, without its file.
  if (/f(?:data)?sync\(\d+<[^>]*-wal>\) += 0/.test(line) || /<\.\.\. f(?:data)?sync resumed>\) += 0/.test(line)) {
    return 'sync';
  }
  return /HTTP\/1\.1 200/.test(line) ? 'answer' : undefined;
}
