/** The data file of a month. */
import { cachedFile, storeRequests } from '../cached-file.ts';
import { copySynced } from '../copy-synced.ts';
import { startBenchServer } from '../server-process.ts';
import { waitUntilCaughtUp } from './open-month.ts';
import { monthRequests } from './traffic.ts';

/** A data file with a month of at least so many spans; made if the folder has none of this schema. */
export function monthFile(folder: string, spanCount: number): Promise<string> {
  return cachedFile(folder, `month-${spanCount}`, async (path) => {
    await storeRequests(path, monthRequests(spanCount));
    await catchUp(path);
  });
}

/** Lets a server do to the file what it does in the background. */
export async function catchUp(path: string): Promise<void> {
  const server = await startBenchServer(path, []);
  const startedAt = performance.now();
  await waitUntilCaughtUp(server.httpUrl);
  console.log(`columns, search index and compaction took ${Math.round((performance.now() - startedAt) / 1000)} s`);
  await server.stop();
  copySynced(server.dataFile, path);
  server.remove();
}
