/** A server that ended while its disk was full: it starts for reading, deletes, and stores again when that made room. */
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { encodeRequest, postBody } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';
import { fillWithBallast, mountSmallDisk, NO_SMALL_DISK } from '../harness/small-disk.ts';
import { listSpans } from '../harness/telemetry.ts';

const DISK_MB = 32;
const SHORT_SPANS = 6000;
const PROTOBUF = { 'content-type': 'application/x-protobuf' };

it('starts on a full disk, and makes room by what it deletes', { timeout: 180_000 }, async ({ skip }) => {
  const disk = mountSmallDisk(DISK_MB) ?? skip(NO_SMALL_DISK);
  const first = await startServerProcess(disk);
  await storeShortSpans(first);
  const acknowledged = await fillDisk(first);
  expect(acknowledged).toBeGreaterThan(10);
  await first.end('SIGKILL');
  fillWithBallast(disk);

  const server = await startServerProcess(disk);
  expect(existsSync(join(disk, 'cairn.db.reserve'))).toBe(false);
  const count = acknowledged + SHORT_SPANS;
  expect((await listSpans(server.url, 'default')).length).toBe(count);
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([200, { storing_problem: expect.stringContaining('make room') }]);
  expect((await fetch(`${server.url}/readyz?require=storing`)).status).toBe(503);
  for (let round = 0; round < 20; round++) expect(await post(server, 1_000_000 + round)).toBe(503);
  const complaints = server
    .output()
    .split('\n')
    .filter((line) => line.includes('could not be stored'));
  expect(complaints.length).toBeLessThanOrEqual(1);

  for (let number = 0; number < 3; number++) {
    expect((await fetch(`${server.url}/v1/traces/${traceId(number)}`, { method: 'DELETE' })).status).toBe(204);
  }
  const all = 'start_time=1970-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z';
  const cleared = await fetch(`${server.url}/v1/projects/default/traces?${all}`, { method: 'DELETE' });
  expect(cleared.status, await cleared.text()).toBe(204);
  await expect.poll(() => post(server, 2_000_000), { timeout: 60_000 }).toBe(200);
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({});
  expect(existsSync(join(disk, 'cairn.db.reserve'))).toBe(true);
  expect(await listSpans(server.url, 'default')).toHaveLength(1);
  expect(await server.end('SIGTERM')).toBe(0);
});

/** Short spans with entries all over many indexes: erasing a hundred of them writes more than was set aside. */
async function storeShortSpans({ url }: ServerProcess): Promise<void> {
  for (let number = 0; number < SHORT_SPANS; number += 1000) {
    const spans = Array.from({ length: 1000 }, () => {
      const startUs = randomInt(1_700_000_000_000_000, 1_760_000_000_000_000);
      return {
        traceId: randomBytes(16).toString('hex'),
        spanId: randomBytes(8).toString('hex'),
        name: `step ${randomInt(1000)}`,
        startUs,
        endUs: startUs + randomInt(1_000_000),
        attributes: { 'session.id': `${randomInt(5000)}` },
      };
    });
    const body = encodeRequest('application/x-protobuf', traceRequest(spans));
    expect((await postBody(url, body, PROTOBUF)).status).toBe(200);
  }
}

/** Exports until one is refused; returns how many were acknowledged. */
async function fillDisk(server: ServerProcess): Promise<number> {
  for (let count = 0; ; count++) if ((await post(server, count)) !== 200) return count;
}

async function post({ url }: ServerProcess, number: number): Promise<number> {
  const body = encodeRequest('application/x-protobuf', request(number));
  return (await postBody(url, body, PROTOBUF)).status;
}

/** A request of a span whose text does not compress. */
function request(number: number) {
  const noise = randomBytes(150_000).toString('base64');
  return traceRequest([{ traceId: traceId(number), spanId: spanId(number), attributes: { noise } }]);
}
