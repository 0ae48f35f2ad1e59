/** A database with spans, in segments or not, and what their originals say one by one. */
import { sql } from 'kysely';
import { normalizeRequest } from '#normalize/normalize-request';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { type TestSpan, traceBody } from '../../../test/harness/otlp-json.ts';
import { buildSegment } from '../columns/build-segment.ts';
import { MAX_BATCH_ROWS } from '../columns/batch.ts';
import { findDueSegments } from '../columns/due-segments.ts';
import { readNextRowId } from '../columns/segments.ts';
import { openSegments, storeSegment } from '../columns/store-segment.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import { openTestWriter } from '../logs/write/open-writer.fixture.ts';
import { toIncoming } from '../incoming/request.ts';
import type { StoredSpan } from '../spans/presenter.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { selectSpanRows, toSpanRow } from '../spans/rows/span-query.ts';
import { readStoredSpans } from '../spans/rows/stored-spans.ts';
import { TraceTrees } from '../spans/rows/trace-trees.ts';
import { RelationalSpanWriter } from '../writer/writer.ts';
import { PINNED_SETS, Pins } from '../sets/pins.fixture.ts';
import { relationalAggregates } from './aggregates.ts';
import type { Aggregates } from './port.ts';

/** A span as it is stored: what it says, and what of it counts. */
export interface KnownSpan extends StoredSpan {
  readonly counted: Readonly<Record<string, number | null>>;
}

/** An open database. */
export interface AggregateStore {
  readonly scope: ReadScope;
  /** As callers have them: questions and answers are cloned on their way between threads. */
  readonly aggregates: Aggregates;
  send(spans: readonly TestSpan[], project?: string): Promise<void>;
  /** Makes segments of all spans so far; those to come are in the next ones. */
  seal(): Promise<void>;
  projectRowId(name?: string): number;
  /** All spans of a project, decoded. */
  readSpans(name?: string): Promise<readonly KnownSpan[]>;
  readonly exec: TestEngine['exec'];
  /** Creates the table that the sets of {@link PINNED} are of. */
  createPins(): Promise<Pins>;
  close(): Promise<void>;
}

/** There from the start. */
const DEFAULT_PROJECT_ROW_ID = 1;

/** Opens it. */
export async function openAggregateStore(): Promise<AggregateStore> {
  const memory = await openTestWriter();
  const { db, dialect, exec } = memory;
  let { writer } = memory;
  const scope = { db, dialect, envelopes: new EnvelopeCache(), trees: new TraceTrees(), sets: PINNED_SETS };
  const projects = new Map([['default', DEFAULT_PROJECT_ROW_ID]]);
  const projectRowId = (name = 'default') => projects.get(name) ?? Number.NaN;
  return {
    scope,
    aggregates: acrossThreads(relationalAggregates(scope)),
    projectRowId,
    async send(spans, project = 'default') {
      const context = { receivedUnixNano: 1n, projectOverride: project, defaultProject: 'default' };
      const request = decodeExportTraceRequest(transcodeJsonRequest(traceBody(spans)));
      await writer.write([toIncoming(normalizeRequest(request, context))]);
      for (const { id, name } of await db.selectFrom('projects').select(['id', 'name']).execute())
        projects.set(name, id);
    },
    async seal() {
      const end = Math.ceil((await readNextRowId(db)) / MAX_BATCH_ROWS) * MAX_BATCH_ROWS;
      await exec(sql`UPDATE row_ids SET next_id = ${end} WHERE table_name = 'spans'`);
      while (await openSegments(memory));
      for (const segment of (await findDueSegments(db)).due) {
        const plan = await buildSegment(db, segment);
        if (plan !== undefined) await storeSegment(memory, plan);
      }
      // One that begins anew knows the next row id.
      writer = new RelationalSpanWriter({
        ...memory,
        onError: (message, cause) => {
          throw new Error(message, { cause });
        },
      });
    },
    readSpans: (name) => readKnownSpans(scope, projectRowId(name)),
    exec,
    createPins: () => Pins.create(memory),
    close: () => memory.close(),
  };
}

/** All spans of a project, decoded. */
export async function readKnownSpans(scope: ReadScope, projectRowId: number): Promise<readonly KnownSpan[]> {
  const { db } = scope;
  const found = await selectSpanRows(db).where('spans.project_id', '=', projectRowId).execute();
  const counted = new Map(
    (await db.selectFrom('spans').selectAll().execute()).map((row) => [row.id, row as unknown as KnownSpan['counted']]),
  );
  const spans: KnownSpan[] = [];
  for await (const stored of readStoredSpans(scope, found.map(toSpanRow)))
    spans.push({ ...stored, counted: counted.get(stored.row.rowId) ?? {} });
  return spans;
}

function acrossThreads(aggregates: Aggregates): Aggregates {
  return new Proxy(aggregates, {
    get:
      (target, method) =>
      async (...parameters: never[]) => {
        const call = Reflect.get(target, method) as (...given: never[]) => Promise<unknown>;
        return structuredClone(await call(...structuredClone(parameters)));
      },
  });
}
