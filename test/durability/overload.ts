/** Pushes ten times what a server with a slow disk can take, for as long as one wants. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqlite } from '#store/sqlite/connection';
import { encodeSpan, requestAround } from '../harness/otlp-client.ts';
import { otlpSpan, spanId, traceId } from '../harness/otlp-json.ts';
import type { ServerProcess } from '../harness/server-process.ts';
import { type Ending, openGrpcExporter, openHttpExporter } from './exporter.ts';
import type { Faults } from './fail-io.ts';
import { randomNumbers } from '../traffic/random.ts';

/** What came of it. Megabytes are of 10^6 bytes. */
export interface OverloadReport {
  readonly sentMb: number;
  /** While it lasted. */
  readonly acknowledgedMb: number;
  readonly acknowledged: number;
  readonly refused: number;
  /** How requests ended that were neither. */
  readonly unexpected: readonly Ending[];
  /** Traces that were acknowledged and are not there whole. */
  readonly lost: number;
  readonly peakMb: number;
  /** From the end of the overload until a request is answered as fast as ever. */
  readonly normalAgainMs: number;
}

/** A commit holds 8 MiB at most, so with syncs of two seconds no more than 4 MiB is stored in a second. */
const SYNC_MS = 2000;
const REQUESTS_A_SECOND = 80;
const SPANS = 8;
const TEXT_BYTES = 64 * 1024;

/** One request in so many goes over gRPC, over one of so many connections. */
const GRPC_SHARE = 4;
const GRPC_CONNECTIONS = 4;

const NORMAL_MS = 250;

/** Runs the overload; the server must be one of the faults'. */
export async function runOverload(
  server: ServerProcess,
  dataFile: string,
  faults: Faults,
  seconds: number,
): Promise<OverloadReport> {
  const template = createTemplate();
  const overHttp = openHttpExporter(server);
  const overGrpc = Array.from({ length: GRPC_CONNECTIONS }, () => openGrpcExporter(server));
  const endings = new Map<number, Ending>();
  const open: Promise<void>[] = [];
  const send = async (number: number) => {
    const isGrpc = number % GRPC_SHARE === 0;
    const exporter = (isGrpc && overGrpc[(number / GRPC_SHARE) % GRPC_CONNECTIONS]) || overHttp;
    endings.set(number, await exporter.send(numbered(template, number)));
  };
  const count = (wanted: Ending) => [...endings.values()].filter((ending) => ending === wanted).length;

  faults.slowSyncs(SYNC_MS);
  const startedAt = performance.now();
  while (performance.now() < startedAt + seconds * 1000) {
    const before = performance.now();
    open.push(send(open.length + 1));
    await wait(Math.max(0, before + 1000 / REQUESTS_A_SECOND - performance.now()));
  }
  const sent = open.length;
  const acknowledgedInTime = count('acknowledged');
  faults.slowSyncs(0);
  const endedAt = performance.now();
  for (let number = sent + 1; ; number++) {
    const before = performance.now();
    await send(number);
    if (endings.get(number) === 'acknowledged' && performance.now() - before < NORMAL_MS) break;
  }
  const normalAgainMs = performance.now() - endedAt;
  await Promise.all(open);
  for (const exporter of [overHttp, ...overGrpc]) exporter.close();
  return {
    sentMb: (sent * template.body.length) / 1e6,
    acknowledgedMb: (acknowledgedInTime * template.body.length) / 1e6,
    acknowledged: count('acknowledged'),
    refused: count('refused'),
    unexpected: [...endings.values()].filter((ending) => ending !== 'acknowledged' && ending !== 'refused'),
    lost: countLost(dataFile, endings),
    peakMb: readPeakMb(server.child.pid),
    normalAgainMs: Math.round(normalAgainMs),
  };
}

interface Template {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly idOffsets: readonly number[];
}

/** A request whose spans are of one trace, and where its id stands; the texts cannot be compressed to much less. */
function createTemplate(): Template {
  const random = randomNumbers(1);
  const text = () => Array.from({ length: TEXT_BYTES }, () => String.fromCharCode(33 + random(90))).join('');
  const spans = Array.from({ length: SPANS }, (_, span) =>
    encodeSpan(otlpSpan({ traceId: traceId(0), spanId: spanId(span + 1), attributes: { 'input.value': text() } })),
  );
  const body = requestAround(spans);
  const id = Buffer.from(traceId(0), 'hex');
  const idOffsets: number[] = [];
  for (let at = Buffer.from(body.buffer).indexOf(id); at >= 0; at = Buffer.from(body.buffer).indexOf(id, at + 1)) {
    idOffsets.push(at);
  }
  return { body, idOffsets };
}

function numbered({ body, idOffsets }: Template, number: number): Uint8Array<ArrayBuffer> {
  const copy = body.slice();
  const id = Buffer.from(traceId(number), 'hex');
  for (const offset of idOffsets) copy.set(id, offset);
  return copy;
}

function countLost(dataFile: string, endings: ReadonlyMap<number, Ending>): number {
  const database = openSqlite(dataFile, { readOnly: true });
  const rows = database
    .prepare('SELECT trace_id FROM spans JOIN traces ON traces.id = trace_row_id GROUP BY 1 HAVING count(*) = ?')
    .all([SPANS]) as { trace_id: string }[];
  database.close();
  const whole = new Set(rows.map((row) => row.trace_id));
  return [...endings].filter(([number, ending]) => ending === 'acknowledged' && !whole.has(traceId(number))).length;
}

/** The most memory that the process has had, from Linux. */
function readPeakMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round((Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6);
}
