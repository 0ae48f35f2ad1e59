/** A database of many agents. */
import { cachedFile, storeRequests } from './cached-file.ts';
import { exporterRequests, SHAPES } from './shapes.ts';

/** Seeds that no run uses. */
const FIRST_SEED = 1_000_000_000;

/** A data file with that many spans of agents; made if the folder has none of this schema. */
export function prefilledFile(folder: string, spanCount: number): Promise<string> {
  return cachedFile(folder, `agent-${spanCount}`, (path) => storeRequests(path, agentRequests(), spanCount));
}

/** Of exporters in turn, without an end. */
function* agentRequests(): Generator<Uint8Array> {
  const exporters = Array.from({ length: SHAPES.agent.exporters }, (_, place) =>
    exporterRequests(SHAPES.agent, FIRST_SEED + place),
  );
  for (;;) {
    for (const exporter of exporters) yield exporter.next().value.body;
  }
}
