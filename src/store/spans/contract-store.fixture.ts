/**
 * The store that the contracts of this folder try: a new one for each test, and short ways to fill it and to look into it. Spans go in
 * as bodies and come out through the port, so a suite that passes has seen the whole path; nothing here knows tables.
 */
import { afterEach, beforeEach } from 'vitest';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import type { KeysetPage, Position } from '#domain/page';
import type { WriteOutcome } from '../writer/port.ts';
import type { TelemetryBrowser } from './browse-port.ts';
import type { SpanStore, TraceRow } from './port.ts';

/** A store under test, empty at first. */
export interface StoreUnderTest {
  readonly store: SpanStore & TelemetryBrowser;
  /** Stores one request and returns after it is committed. */
  send(spans: readonly TestSpan[], project?: string): Promise<WriteOutcome>;
  /** The row of a project, `undefined` when there is none. */
  projectRowId(name: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/** What a suite works with. */
export interface ContractStore extends Pick<StoreUnderTest, 'store' | 'projectRowId'> {
  /** Stores one request; spans are the first of the first trace unless they say otherwise. */
  readonly send: (spans: readonly Partial<TestSpan>[], project?: string) => Promise<WriteOutcome>;
  /** The row of a project that is there. */
  readonly rowOf: (project?: string) => Promise<number>;
  /** The row of the newest span of that id. */
  readonly idOf: (spanId: string) => Promise<number>;
  /** The row of {@link traceId}. */
  readonly traceRow: (number: number) => Promise<TraceRow>;
}

/** Opens a store before each test of the suite that calls this, and closes it after. */
export function useStore(open: () => Promise<StoreUnderTest>): ContractStore {
  let under: StoreUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => under.close());
  return {
    get store() {
      return under.store;
    },
    projectRowId: (name) => under.projectRowId(name),
    send: (spans, project) =>
      under.send(
        spans.map((one) => ({ traceId: traceId(1), spanId: spanId(1), ...one })),
        project,
      ),
    rowOf: async (project = 'default') => (await under.projectRowId(project)) ?? Number.NaN,
    idOf: async (id) => (await under.store.findSpanByOtelId(id))?.rowId ?? Number.NaN,
    traceRow: async (number) => {
      const row = await under.store.findTraceByOtelId(traceId(number));
      if (row === undefined) throw new Error(`trace ${number} is not stored`);
      return row;
    },
  };
}

/** Attributes of a model call with those counts. */
export function tokens(prompt: number | null, completion: number | null): Record<string, string | number> {
  return {
    'openinference.span.kind': 'LLM',
    ...(prompt !== null && { 'llm.token_count.prompt': prompt }),
    ...(completion !== null && { 'llm.token_count.completion': completion }),
  };
}

/** All rows of a list, page by page. */
export async function allRows<Row>(read: (after: Position | null) => Promise<KeysetPage<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: Position | null = null; ; ) {
    const page: KeysetPage<Row> = await read(after);
    rows.push(...page.rows);
    if (page.next === null) return rows;
    after = page.next;
  }
}
