/** What traces and sessions say must be what their spans say, whatever was sent, in whatever order and company. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spanId, type TestSpan, traceId, traceRequest } from '../harness/otlp-json.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';
import { findContradictions } from './contradictions.ts';
import { randomNumbers } from '../traffic/random.ts';

const REQUESTS = 400;
const CLIENTS = 6;
const TRACES = 8;
const SPANS_OF_A_TRACE = 6;

let folder: string;
let server: ServerProcess;

beforeEach(async () => {
  folder = createTestFolder('rollups');
  server = await startServerProcess(folder);
});

afterEach(() => removeTestFolder(folder));

describe('traces and sessions', () => {
  it.each(orInLongRun([1], [1, 2]))(
    'equal what is computed from their spans, after random requests (seed %i)',
    async (seed) => {
      const random = randomNumbers(seed);
      const bodies = Array.from({ length: REQUESTS }, () => randomRequest(random));
      await Promise.all(Array.from({ length: CLIENTS }, () => sendAll(server.url, bodies)));
      expect(await server.end('SIGTERM')).toBe(0);

      expect(findContradictions(join(folder, 'cairn.db'))).toEqual([]);
    },
  );
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
        'openinference.span.kind': ['CHAIN', 'TOOL', 'LLM', 'LLM', 'LLM'][random(5)] as string,
        ...(random(2) === 0 && { 'gen_ai.response.id': `answer ${random(3)}` }),
        ...(random(3) > 0 && { 'llm.token_count.prompt': random(50), 'llm.token_count.completion': random(9) }),
        ...(random(3) === 0 && { 'llm.cost.total': random(4) / 10 }),
        ...(random(2) === 0 && { 'session.id': `session ${random(4)}` }),
      },
    };
  });
  const request = traceRequest(spans, { 'openinference.project.name': `project ${random(2)}` });
  for (const { scopeSpans } of request.resourceSpans) {
    for (const { scope } of scopeSpans) scope.name = `instrumentation ${random(2)}`;
  }
  return new TextEncoder().encode(JSON.stringify(request));
}
