/** The whole way of a span into a data file and back: good spans beside it stay as they are, whatever it holds. */
import { GroupCommit } from '#ingest/group-commit';
import { type PreparedExport, prepareExport } from '#ingest/prepare-export';
import type { ReceivedExport } from '#ingest/receiver';
import { presentOtlpSpan, presentSpan } from '#resources/spans/present';
import { FRAME_MAKER } from '#resources/spans/present/frames/frame-maker';
import { sqliteDialect } from '#store/dialect/sqlite';
import type { LogBrowser } from '#store/logs/port';
import type { SpanStore } from '#store/spans/port';
import { relationalSpanStore } from '#store/spans/read/store';
import { RelationalSpanWriter } from '#store/writer/writer';
import { sqliteEngineOn } from '#store/sqlite/engine';
import { openSqliteWriter, type SqliteConnection } from '#store/sqlite/connection';
import { prepareDataFile } from '#store/sqlite/prepare';
import { readFields } from '../../oracle/strict-wire.ts';
import { encodeSpan, requestAround } from '../../harness/otlp-client.ts';
import { otlpSpan } from '../../harness/otlp-json.ts';
import { PROTOBUF_REQUESTS } from '../corpus.ts';
import { mutateBytes } from '../mutate-bytes.ts';
import { mutateMessage } from '../mutate-message.ts';
import { pick, type Random } from '../random.ts';
import { Finding, hold, type Target } from '../target.ts';

/** A span message, which is stored between two that are whole. */
export const storingTarget: Target = {
  name: 'storing',
  create: createSpan,
  check: async (input, random) => {
    const { commits, store, faults } = await openStorage();
    const [traceId, first, second] = [hexId(random, 16), hexId(random, 8), hexId(random, 8)];
    const good = [first, second].map((spanId) => encodeSpan(otlpSpan({ traceId, spanId })));
    const body = requestAround([good[0] as Uint8Array, input, good[1] as Uint8Array]);
    const received = { signal: 'traces', body, format: 'protobuf', contentEncoding: '', projectName: null } as const;
    const { stored, replaced, duplicate, rejected } = await commits.export(received);
    hold(faults.length === 0, () => `storage complains: ${faults.splice(0).join('; ')}`);
    hold(stored + replaced + duplicate + rejected.length === 3, () => 'not every span is counted once');
    hold(stored >= 2, () => 'a good span is not stored');
    for (const [place, otelId] of [first, second].entries()) {
      const original = await store.readSpanOriginal({ otelId }, 'protobuf');
      const isSame = Buffer.from(original?.body ?? []).includes(Buffer.from(good[place] ?? []));
      hold(isSame, () => 'a good span is not stored as it came');
    }
    await readNewest(store);
  },
};

/** A span of a recorded request, changed. */
function createSpan(random: Random): Uint8Array {
  let message = findSpan(random, pick(random, PROTOBUF_REQUESTS));
  for (let change = random(5); change > 0; change--) {
    try {
      message = mutateMessage(random, 'Span', message);
    } catch {
      break; // an earlier change broke a message, which is what it is for
    }
  }
  return mutateBytes(random, message, random(4) === 0 ? 1 : 0);
}

/** Request, resource, scope, span: each the field that holds the next. */
function findSpan(random: Random, request: Uint8Array): Uint8Array {
  return [1, 2, 2].reduce((message, number) => {
    const inner = readFields(message).filter((field) => field.number === number && field.wireType === 2);
    return pick(random, inner).content;
  }, request);
}

/** An open data file in memory, and what it complained of. */
export interface Storage {
  readonly connection: SqliteConnection;
  readonly commits: GroupCommit<ReceivedExport>;
  readonly store: SpanStore & LogBrowser;
  readonly faults: string[];
  cases: number;
}

/** A file in memory grows with every case. */
const MAX_CASES = 1000;
let storage: Storage | undefined;

/** The one that targets share, as long as it is small. */
export async function openStorage(): Promise<Storage> {
  if (storage !== undefined && ++storage.cases < MAX_CASES) return storage;
  storage?.connection.close();
  const connection = openSqliteWriter(':memory:');
  const engine = sqliteEngineOn(connection);
  const { db } = engine;
  await prepareDataFile(connection, db);
  const faults: string[] = [];
  const onError = (message: string, cause: unknown) => faults.push(`${message}: ${String(cause)}`);
  const writer = new RelationalSpanWriter({ ...engine, onError });
  const options = { maxBodyBytes: 2 ** 26, defaultProject: 'default', isMasked: null };
  const prepare = (sent: ReceivedExport) => prepareExport(sent, options) as PreparedExport;
  const commits = new GroupCommit({ writer, prepare });
  const store = relationalSpanStore(db, sqliteDialect, { span: presentSpan, otlp: presentOtlpSpan }, FRAME_MAKER);
  storage = { connection, commits, store, faults, cases: 0 };
  return storage;
}

/** Whatever was stored last can be shown in every form. */
export async function readNewest(store: SpanStore): Promise<void> {
  const page = { sort: 'id', order: 'desc', limit: 3, cursor: null } as const;
  for (const form of ['span', 'otlp'] as const) {
    const { body } = await store.presentSpans({ projectRowId: 1 }, page, form);
    JSON.parse(`[${Buffer.from(body).toString()}]`);
  }
  const { data } = await store.listSpans({ projectRowId: 1 }, page);
  hold(data.length > 0, () => 'no span is listed');
  for (const { rowId } of data) {
    for (const format of ['protobuf', 'json'] as const) {
      const original = await store.readSpanOriginal({ rowId }, format);
      if (original === undefined) throw new Finding('a listed span has no original');
    }
  }
}

function hexId(random: Random, bytes: number): string {
  return Array.from({ length: bytes }, () => (1 + random(255)).toString(16).padStart(2, '0')).join('');
}
