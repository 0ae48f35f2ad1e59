/** A disk without room: exporters are told to come again, reading goes on, and so does writing once there is room. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askGraphql } from '../harness/graphql.ts';
import { callExport, callFailingExport, encodeRequest, postBody } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';
import { mountSmallDisk, NO_SMALL_DISK } from '../harness/small-disk.ts';
import { listSpans } from '../harness/telemetry.ts';

const DISK_MB = 24;
const UNAVAILABLE = 14;
const PROTOBUF = { 'content-type': 'application/x-protobuf' };

describe('a server whose disk is full', () => {
  it('refuses exports until there is room, and answers readers all the time', { timeout: 120_000 }, async (test) => {
    const disk = mountSmallDisk(DISK_MB) ?? test.skip(NO_SMALL_DISK);
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(8 * 2 ** 20));
    const server = await startServerProcess(disk);
    const acknowledged = await fillDisk(server);
    expect(acknowledged).toBeGreaterThan(0);

    const body = encodeRequest('application/x-protobuf', request(1_000_000));
    const refusal = await postBody(server.url, body, PROTOBUF);
    expect([refusal.status, Number(refusal.headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
    const error = await callFailingExport(server.grpcAddress, body);
    expect(error.code).toBe(UNAVAILABLE);
    expect(error.metadata.get('grpc-status-details-bin')[0]?.toString()).toContain('RetryInfo');
    expect(await createProjectsUntilRefused(server)).toBe('insufficient_storage');
    expect(await listSpans(server.url, 'default')).toHaveLength(acknowledged);

    rmSync(ballast);
    expect((await postBody(server.url, body, PROTOBUF)).status).toBe(200);
    await callExport(server.grpcAddress, encodeRequest('application/x-protobuf', request(1_000_001)));
    expect(await listSpans(server.url, 'default')).toHaveLength(acknowledged + 2);
    expect(await server.end('SIGTERM')).toBe(0);
  });
});

/** Exports until one is refused; returns how many were acknowledged. */
async function fillDisk(server: ServerProcess): Promise<number> {
  for (let count = 0; ; count++) {
    const body = encodeRequest('application/x-protobuf', request(count));
    const { status } = await postBody(server.url, body, PROTOBUF);
    if (status !== 200) return count;
  }
}

/** Other writes, which are small, until there is no room for the next one either; what that one is told. */
async function createProjectsUntilRefused({ url }: ServerProcess): Promise<unknown> {
  const mutation = 'mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { id } } }';
  for (let number = 0; ; number++) {
    const input = { name: `project ${number}`, description: 'large '.repeat(150) };
    const { errors } = await askGraphql(url, mutation, { input });
    if (errors !== undefined) return errors[0]?.extensions?.['code'];
  }
}

/** A request of a span whose text does not compress. */
function request(number: number) {
  const noise = Buffer.from(Array.from({ length: 150_000 }, () => Math.floor(Math.random() * 256))).toString('base64');
  return traceRequest([{ traceId: traceId(number), spanId: spanId(number), attributes: { noise } }]);
}
