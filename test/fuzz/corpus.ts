/** What real exporters sent, to begin with. */
import { readdirSync, readFileSync } from 'node:fs';
import { encodeJsonWithOracle, formatWithOracle } from '../oracle/otlp.ts';

const RECORDINGS = new URL('../fixtures/otlp/', import.meta.url);

/** Larger ones make cases slow and changes rare. */
const MAX_BYTES = 16 * 1024;

/** Recorded requests in protobuf; the ones that came as JSON are encoded by the oracle. */
export const PROTOBUF_REQUESTS: readonly Uint8Array[] = readRecordings(/^\d+-[a-z-]+\.(binpb|json)$/).flatMap(
  ({ name, bytes }) => {
    const request = name.endsWith('.json')
      ? encodeJsonWithOracle('ExportTraceServiceRequest', bytes.toString())
      : bytes;
    return request.length <= MAX_BYTES ? [request] : [];
  },
);

/** The same requests as OTLP JSON. */
export const JSON_REQUESTS: readonly string[] = PROTOBUF_REQUESTS.map((request) =>
  formatWithOracle('ExportTraceServiceRequest', request, { enumAsInteger: true }),
);

/** Recorded requests with log records, in protobuf. */
export const LOGS_REQUESTS: readonly Uint8Array[] = readRecordings(/\.logs\.binpb$/).map(({ bytes }) => bytes);

function readRecordings(names: RegExp): { name: string; bytes: Buffer }[] {
  const folders = readdirSync(RECORDINGS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap((folder) => {
    const here = new URL(`${folder.name}/`, RECORDINGS);
    return readdirSync(here)
      .filter((name) => names.test(name))
      .map((name) => ({ name, bytes: readFileSync(new URL(name, here)) }));
  });
}
