/** The whole way of log records into a data file and back: what cannot be decoded is refused, and all else is there. */
import { AppError } from '#base/errors';
import type { ExportResult } from '#store/writer/port';
import { decodeExportLogsRequest } from '#otlp/protobuf/request';
import { LOGS_REQUESTS, PROTOBUF_REQUESTS } from '../corpus.ts';
import { mutateBytes } from '../mutate-bytes.ts';
import { mutateMessage } from '../mutate-message.ts';
import { pick, type Random } from '../random.ts';
import { hold, type Target } from '../target.ts';
import { openStorage, readNewest, type Storage } from './storing.ts';

/** Recorded requests of log records, changed; spans that they may belong to come before or after them. */
export const storingLogsTarget: Target = {
  name: 'storing-logs',
  create: createLogsRequest,
  check: async (input, random) => {
    const storage = await openStorage();
    const isSpansFirst = random(2) === 0;
    if (isSpansFirst) await store(storage, 'traces', pick(random, PROTOBUF_REQUESTS));
    const outcome = await store(storage, 'logs', input);
    const again = await store(storage, 'logs', input);
    if (!isSpansFirst) await store(storage, 'traces', pick(random, PROTOBUF_REQUESTS));
    hold((outcome === undefined) === (again === undefined), () => 'a request is refused the first time only');
    if (outcome !== undefined && again !== undefined) {
      const count = countRecords(input);
      for (const { stored, duplicate, dropped, rejected } of [outcome, again]) {
        hold(stored + duplicate + dropped + rejected.length === count, () => 'not every record is counted once');
      }
      hold(again.stored === 0, () => 'the same request is stored twice');
    }
    await readAll(storage);
  },
};

function createLogsRequest(random: Random): Uint8Array {
  let request = pick(random, LOGS_REQUESTS);
  for (let change = random(5); change > 0; change--) {
    try {
      request = mutateMessage(random, 'ExportLogsServiceRequest', request);
    } catch {
      break; // an earlier change broke a message, which is what it is for
    }
  }
  return mutateBytes(random, request, random(3) === 0 ? 1 + random(3) : 0);
}

/** What became of a request; `undefined` where it is refused. */
async function store(
  { commits, faults }: Storage,
  signal: 'traces' | 'logs',
  request: Uint8Array,
): Promise<ExportResult | undefined> {
  try {
    const body = new Uint8Array(request);
    return await commits.export({ signal, body, format: 'protobuf', contentEncoding: '', projectName: null });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_argument') return undefined;
    throw error;
  } finally {
    hold(faults.length === 0, () => `storage complains: ${faults.splice(0).join('; ')}`);
  }
}

function countRecords(request: Uint8Array): number {
  return decodeExportLogsRequest(request).resourceLogs.reduce(
    (sum, { scopeLogs }) => sum + scopeLogs.reduce((inner, { logRecords }) => inner + logRecords.length, 0),
    0,
  );
}

/** Whatever was stored last can be shown, as pages and as it came. */
async function readAll({ store: reader }: Storage): Promise<void> {
  const { rows } = await reader.browseLogRecords({ projectRowId: 1 }, { limit: 5, after: null });
  for (const { attributes } of rows) JSON.parse(attributes);
  for (const format of ['protobuf', 'json'] as const) {
    await reader.readUnattachedLogs(1, { limit: 5, below: null }, format);
  }
  const page = { sort: 'id', order: 'desc', limit: 3, cursor: null } as const;
  const spans = await reader.listSpans({ projectRowId: 1 }, page);
  if (spans.data.length > 0) await readNewest(reader);
  for (const { rowId } of spans.data) {
    await reader.browseLogRecords({ spanRowId: rowId }, { limit: 5, after: null });
    await reader.readSpanLogs({ rowId }, 'json');
  }
}
