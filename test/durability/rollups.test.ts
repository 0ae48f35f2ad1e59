/** What traces and sessions say must be what their spans say, whatever was sent, in whatever order and company. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '#store/sqlite/connection';
import { spanId, type TestSpan, traceBody, traceId } from '../harness/otlp-json.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';

const REQUESTS = 400;
const CLIENTS = 6;
const TRACES = 8;
const SPANS_OF_A_TRACE = 6;

let folder: string;
let server: ServerProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-rollups-'));
  server = await startServerProcess(folder);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('traces and sessions', () => {
  it.each([1, 2])('equal what is computed from their spans, after random requests (seed %i)', async (seed) => {
    const random = randomNumbers(seed);
    const bodies = Array.from({ length: REQUESTS }, () => randomRequest(random));
    await Promise.all(Array.from({ length: CLIENTS }, () => sendAll(server.url, bodies)));
    expect(await server.end('SIGTERM')).toBe(0);

    const database = openSqlite(join(folder, 'cairn.db'), { readOnly: true });
    const read = (query: string) => database.prepare(query).all([]);
    expect(read(STORED_TRACES)).toEqual(read(COMPUTED_TRACES));
    expect(read(STORED_SESSIONS)).toEqual(read(COMPUTED_SESSIONS));
    expect(read(LOST_ORIGINALS)).toEqual([]);
    expect(read(WRONG_BLOCKS)).toEqual([]);
    expect(read("SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'")).toEqual([]);
    const [ledger] = read("SELECT sum(span_count) AS stored FROM ingest_ledger WHERE outcome = 'stored'");
    expect([ledger]).toEqual(read('SELECT count(*) AS stored FROM spans'));
    database.close();
  });
});

async function sendAll(url: string, bodies: Uint8Array<ArrayBuffer>[]): Promise<void> {
  for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
    const response = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect([response.status, await response.text()]).toEqual([200, '{}']);
  }
}

/** A few spans of a few traces: few ids, so that replacements, cycles and late parents are common. */
function randomRequest(random: (below: number) => number): Uint8Array<ArrayBuffer> {
  const spans: TestSpan[] = Array.from({ length: 1 + random(5) }, () => {
    const startUs = 1_000_000 + random(12);
    const parent = random(SPANS_OF_A_TRACE + 2);
    return {
      traceId: traceId(1 + random(TRACES)),
      spanId: spanId(1 + random(SPANS_OF_A_TRACE)),
      ...(parent > 0 && { parentSpanId: spanId(parent) }),
      startUs,
      endUs: startUs + random(6),
      status: random(3) === 0 ? ('ERROR' as const) : ('OK' as const),
      attributes: {
        'openinference.span.kind': random(3) === 0 ? 'CHAIN' : 'LLM',
        ...(random(3) > 0 && { 'llm.token_count.prompt': random(50), 'llm.token_count.completion': random(9) }),
        ...(random(3) === 0 && { 'llm.cost.total': random(4) / 10 }),
        ...(random(2) === 0 && { 'session.id': `session ${random(4)}` }),
      },
    };
  });
  return traceBody(spans, { 'openinference.project.name': `project ${random(2)}` });
}

/** A small generator, so that a failure can be repeated by its seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Tokens and cost that count: those of model calls without a model call directly below that claims any itself. */
const COUNTED = `
  claiming AS (
    SELECT * FROM spans WHERE kind = 0 AND (prompt_tokens > 0 OR completion_tokens > 0 OR cost_usd > 0)
  ),
  counted AS (
    SELECT trace_row_id, sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
      CAST(round(sum(cost_usd) * 1e9) AS INTEGER) AS cost_nanousd
    FROM claiming
    WHERE NOT EXISTS (
      SELECT 1 FROM claiming AS child WHERE child.trace_row_id = claiming.trace_row_id
        AND child.parent_span_id = claiming.span_id AND child.span_id <> claiming.span_id)
    GROUP BY trace_row_id
  )`;

const COMPUTED_TRACES = `WITH ${COUNTED},
  roots AS (
    SELECT id, trace_row_id, row_number() OVER (PARTITION BY trace_row_id ORDER BY start_us, id) AS place
    FROM spans WHERE NOT EXISTS (
      SELECT 1 FROM spans AS parent WHERE parent.trace_row_id = spans.trace_row_id
        AND parent.span_id = spans.parent_span_id AND parent.id <> spans.id)
  ),
  deciders AS (
    SELECT id, trace_row_id, session_id, start_us,
      row_number() OVER (PARTITION BY trace_row_id ORDER BY start_us, id) AS place
    FROM spans WHERE session_id IS NOT NULL
  )
  SELECT traces.trace_id, min(spans.start_us) AS start_us, max(spans.end_us) AS end_us, count(*) AS span_count,
    sum(spans.status = 2) AS error_count,
    coalesce(counted.prompt_tokens, 0) AS prompt_tokens, coalesce(counted.completion_tokens, 0) AS completion_tokens,
    coalesce(counted.cost_nanousd, 0) AS cost_nanousd,
    roots.id AS root_span_row_id, deciders.id AS session_span_row_id, deciders.start_us AS session_start_us,
    deciders.session_id
  FROM spans JOIN traces ON traces.id = spans.trace_row_id AND traces.project_id = spans.project_id
    LEFT JOIN counted ON counted.trace_row_id = traces.id
    LEFT JOIN roots ON roots.trace_row_id = traces.id AND roots.place = 1
    LEFT JOIN deciders ON deciders.trace_row_id = traces.id AND deciders.place = 1
  GROUP BY traces.id ORDER BY traces.id`;

const STORED_TRACES = `SELECT traces.trace_id, traces.start_us, traces.end_us, span_count, traces.error_count,
    traces.prompt_tokens, traces.completion_tokens, traces.cost_nanousd,
    root_span_row_id, session_span_row_id, session_start_us, sessions.session_id
  FROM traces LEFT JOIN sessions ON sessions.id = traces.session_row_id AND sessions.project_id = traces.project_id
  ORDER BY traces.id`;

const COMPUTED_SESSIONS = `SELECT session_row_id AS id, project_id, min(start_us) AS start_us, max(end_us) AS end_us,
    count(*) AS trace_count, sum(error_count) AS error_count, sum(prompt_tokens) AS prompt_tokens,
    sum(completion_tokens) AS completion_tokens, sum(cost_nanousd) AS cost_nanousd
  FROM traces WHERE session_row_id IS NOT NULL GROUP BY session_row_id ORDER BY session_row_id`;

const STORED_SESSIONS = `SELECT id, project_id, start_us, end_us, trace_count, error_count, prompt_tokens,
    completion_tokens, cost_nanousd
  FROM sessions ORDER BY id`;

const LOST_ORIGINALS = `SELECT spans.id FROM spans
    LEFT JOIN span_locations ON span_row_id = spans.id LEFT JOIN blocks ON blocks.id = block_id
  WHERE blocks.id IS NULL OR blocks.trace_row_id <> spans.trace_row_id OR ordinal >= blocks.span_count`;

const WRONG_BLOCKS = `SELECT blocks.id FROM blocks
  WHERE live_count <> (SELECT count(*) FROM span_locations JOIN spans ON spans.id = span_row_id WHERE block_id = blocks.id)
    OR live_count = 0`;
