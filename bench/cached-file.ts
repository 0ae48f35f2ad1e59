/** Data files that hold many spans already, made once by the real writer and kept. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { normalizeRequest } from '#normalize/normalize-request';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { toIncoming } from '#store/incoming/request';
import { openBenchWriter } from './open-writer.ts';

/** Where they are kept unless somebody says otherwise. */
export const CACHE_FOLDER = join(tmpdir(), 'cairn-bench-cache');

const SCHEMA = fileURLToPath(new URL('../src/store/schema/sqlite.sql', import.meta.url));

/** Requests of one transaction. */
const GROUP = 20;

/** The file of that name and of today's schema; made if the folder has none. */
export async function cachedFile(folder: string, name: string, make: (path: string) => Promise<void>): Promise<string> {
  const schema = createHash('sha256').update(readFileSync(SCHEMA)).digest('hex').slice(0, 8);
  const path = join(folder, `${name}-${schema}.db`);
  if (existsSync(path)) return path;
  console.log(`filling ${path}; the next run finds it`);
  mkdirSync(folder, { recursive: true });
  removeAbandoned(folder);
  // Others may make the same at the same time.
  const unfinished = mkdtempSync(join(folder, UNFINISHED));
  try {
    await make(join(unfinished, 'data.db'));
    renameSync(join(unfinished, 'data.db'), path);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return path;
}

const UNFINISHED = 'unfinished-';

/** Nothing takes so long. */
const ABANDONED_MS = 6 * 3_600_000;

/** What was left behind by runs that were ended. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.startsWith(UNFINISHED))) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > ABANDONED_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Stores the spans of export requests, of no more of them than it takes for so many spans. */
export async function storeRequests(
  path: string,
  requests: Iterable<Uint8Array>,
  spanCount = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { writer, close } = await openBenchWriter(path);
  const context = { receivedUnixNano: 0n, projectOverride: null, defaultProject: 'default' };
  let stored = 0;
  let group: ReturnType<typeof toIncoming>[] = [];
  const storeGroup = async () => {
    for (const outcome of await writer.write(group)) stored += outcome.stored;
    group = [];
  };
  for (const body of requests) {
    group.push(toIncoming(normalizeRequest(decodeExportTraceRequest(body), context)));
    if (group.length === GROUP) await storeGroup();
    if (stored >= spanCount) break;
  }
  if (group.length > 0) await storeGroup();
  close();
}
