/**
 * CPU time of each step from the bytes of a body to its commit, in one thread and without a server: where a change of
 * one step shows, on a busy machine too. `node bench/stages.ts`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packExport, unpackExport } from '#ingest/packed-export';
import { type PreparedExport, prepareExport } from '#ingest/prepare-export';
import { normalizeRequest } from '#normalize/normalize-request';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { digestSpan } from '#store/spans/digest';
import { toIncoming } from '#store/incoming/request';
import { openBenchWriter } from './open-writer.ts';
import { exporterRequests, SHAPE_NAMES, SHAPES, type ShapeName, type TrafficRequest } from './shapes.ts';

const CONTEXT = { receivedUnixNano: 0n, projectOverride: null, defaultProject: 'default' };

const OPTIONS = { maxBodyBytes: 2 ** 26, defaultProject: 'default', isMasked: null };
const RECEIVED = { signal: 'traces', contentEncoding: '', projectName: null } as const;

/** Rounds of a step, of which the fastest counts. */
const ROUNDS = 5;

async function measureShape(name: ShapeName): Promise<string> {
  const shape = SHAPES[name];
  const spanCount = shape.quickSpanCount;
  const sources = Array.from({ length: shape.exporters }, (_, place) => exporterRequests(shape, place));
  const nextGroup = () => sources.map((requests) => requests.next().value);
  const groupCount = Math.ceil(spanCount / shape.spansPerRequest / shape.exporters);
  const groups = Array.from({ length: groupCount * (ROUNDS + 1) }, nextGroup);
  const sample = groups.slice(0, groupCount).flat();
  const decode = () => sample.map(({ body }) => decodeExportTraceRequest(body));
  const decoded = decode();
  const normalize = () => decoded.map((request) => normalizeRequest(request, CONTEXT));
  const spans = normalize().flatMap((request) => request.spans);
  const receive = (body: Uint8Array<ArrayBuffer>) => ({ body, format: 'protobuf', ...RECEIVED }) as const;
  const prepare = () => sample.map(({ body }) => prepareExport(receive(body), OPTIONS) as PreparedExport);
  const prepared = prepare();
  const packed = prepared.map((request) => packExport(request));
  const perSpan = (seconds: number) => ((seconds / spans.length) * 1e6).toFixed(1);
  const steps = [
    ['decode', perSpan(await fastest(decode))],
    ['normalise', perSpan(await fastest(normalize))],
    ['digest', perSpan(await fastest(() => spans.map(({ span }) => digestSpan(span))))],
    ['all of preparing', perSpan(await fastest(prepare))],
    ['pack', perSpan(await fastest(() => prepared.map((request) => packExport(request))))],
    ['unpack', perSpan(await fastest(() => packed.map(unpackExport)))],
    ['write, no sync', perSpan(await measureWrites(groups, groupCount))],
  ];
  return `${name.padEnd(13)} ${steps.map(([step, us]) => `${step} ${us}`).join(', ')} µs/span`;
}

/** Normalised groups through the real writer into one growing file. */
async function measureWrites(groups: readonly (readonly TrafficRequest[])[], groupCount: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-stages-'));
  const { writer, close } = await openBenchWriter(join(folder, 'cairn.db'));
  try {
    const normalized = groups.map((group) =>
      group.map(({ body }) => toIncoming(normalizeRequest(decodeExportTraceRequest(body), CONTEXT))),
    );
    let round = 0;
    return await fastest(async () => {
      const start = round++ * groupCount;
      for (const group of normalized.slice(start, start + groupCount)) await writer.write(group);
    });
  } finally {
    close();
    rmSync(folder, { recursive: true });
  }
}

async function fastest(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= ROUNDS; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}

for (const name of SHAPE_NAMES) console.log(await measureShape(name));
