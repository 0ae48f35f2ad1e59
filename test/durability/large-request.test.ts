import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqlite } from '#store/sqlite/connection';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { spanId, traceBody, traceId } from '../harness/otlp-json.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { findContradictions } from './contradictions.ts';

const SPAN_COUNT = 9000;
const TRACE_COUNT = 50;

let folder: string;
let path: string;

beforeEach(() => {
  folder = createTestFolder('large');
  path = join(folder, 'cairn.db');
});

afterEach(() => removeTestFolder(folder));

it('has every span once and sums that agree after a large request is cut short by a kill and sent again', {
  timeout: 120_000,
}, async () => {
  const first = await startServerProcess(folder);
  const answer = send(first.url).then(
    (response) => response.status,
    () => 'no answer',
  );
  const storedEarly = await waitForSpans();
  await first.end('SIGKILL');
  expect(await answer).toBe('no answer');
  const kept = countSpans();
  expect(kept).toBeGreaterThanOrEqual(storedEarly);
  expect(kept).toBeLessThan(SPAN_COUNT);

  const second = await startServerProcess(folder);
  const response = await send(second.url);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ partialSuccess: { rejectedSpans: '2' } });
  expect(readLedger()).toEqual({ stored: SPAN_COUNT, duplicate: kept, rejected: expect.any(Number) });
  await second.end('SIGTERM');
  expect(countSpans()).toBe(SPAN_COUNT);
  expect(query('SELECT count(*) AS n FROM traces')).toEqual([{ n: TRACE_COUNT }]);
  expect(query('SELECT sum(span_count) AS n FROM traces')).toEqual([{ n: SPAN_COUNT }]);
  expect(findContradictions(path)).toEqual([]);
});

/** Traces whose spans are in every part, children before their parents, and a bad span in the first part and the last. */
function send(url: string): Promise<Response> {
  const spans = Array.from({ length: SPAN_COUNT }, (_, index) => ({
    traceId: traceId(index % TRACE_COUNT),
    spanId: spanId(SPAN_COUNT - index),
    ...(index < SPAN_COUNT - TRACE_COUNT && { parentSpanId: spanId(SPAN_COUNT - index - TRACE_COUNT) }),
    attributes: { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': index, 'session.id': 'one' },
  }));
  const body = traceBody([{ spanId: 'no id' }, ...spans, { spanId: 'none' }]);
  return fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

/** How many spans are stored as soon as there are any. */
async function waitForSpans(): Promise<number> {
  for (;;) {
    const count = countSpans();
    if (count > 0) return count;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function countSpans(): number {
  const [row] = query('SELECT count(*) AS n FROM spans') as { readonly n: number }[];
  return row?.n ?? 0;
}

function readLedger(): Record<string, number> {
  const rows = query('SELECT outcome, sum(item_count) AS n FROM ingest_ledger GROUP BY 1');
  return Object.fromEntries(
    (rows as { readonly outcome: string; readonly n: number }[]).map(({ outcome, n }) => [outcome, n]),
  );
}

function query(text: string): readonly unknown[] {
  const database = openSqlite(path, { readOnly: true });
  try {
    return database.prepare(text).all([]);
  } finally {
    database.close();
  }
}
