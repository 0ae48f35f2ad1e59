/** Databases that hold many spans already, made once by the real writer and kept. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { normalizeRequest } from '#normalize/normalize-request';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { toIncoming } from '#store/spans/incoming';
import { openBenchWriter } from './open-writer.ts';
import { exporterRequests, SHAPES, type TrafficRequest } from './shapes.ts';

const SCHEMA = fileURLToPath(new URL('../src/store/schema/sqlite.sql', import.meta.url));

/** Requests of one transaction. */
const GROUP = 20;

/** Seeds that no run uses. */
const FIRST_SEED = 1_000_000_000;

/** A data file with that many spans of agents; made if the folder has none of this schema. */
export async function prefilledFile(folder: string, spanCount: number): Promise<string> {
  const schema = createHash('sha256').update(readFileSync(SCHEMA)).digest('hex').slice(0, 8);
  const path = join(folder, `agent-${spanCount}-${schema}.db`);
  if (existsSync(path)) return path;
  console.log(`filling ${path}; the next run finds it`);
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  await fill(unfinished, spanCount);
  renameSync(unfinished, path);
  return path;
}

async function fill(path: string, spanCount: number): Promise<void> {
  const { writer, close } = await openBenchWriter(path);
  const context = { receivedUnixNano: 0n, projectOverride: null, defaultProject: 'default' };
  const exporters = Array.from({ length: SHAPES.agent.exporters }, (_, place) =>
    exporterRequests(SHAPES.agent, FIRST_SEED + place),
  );
  for (let stored = 0, turn = 0; stored < spanCount; turn += GROUP) {
    const group = Array.from({ length: GROUP }, (_, place) => {
      const exporter = exporters[(turn + place) % exporters.length] as Generator<TrafficRequest>;
      const request = decodeExportTraceRequest((exporter.next().value as TrafficRequest).body);
      return toIncoming(normalizeRequest(request, context));
    });
    for (const outcome of await writer.write(group)) stored += outcome.stored;
  }
  close();
}
