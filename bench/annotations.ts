/**
 * `npm run bench:annotations`: how long a request that stores annotations takes, of 10,000 on as many spans, and of one; both waited
 * for. Prints a table.
 */
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { spanId, traceId, traceRequest } from '../test/harness/otlp-json.ts';
import { startOnPostgres } from './on-postgres.ts';
import { startOnSqlite } from './on-sqlite.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    /** Requests of 10,000 annotations: the first inserts, the others overwrite. */
    large: { type: 'string', default: '5' },
    /** Requests of one annotation. */
    small: { type: 'string', default: '500' },
  },
});

const SPANS = 10_000;
const SPANS_OF_TRACE = 10;
const SPANS_OF_REQUEST = 1000;

ensureBuilt(process.execPath);
const start = values.engine === 'postgres' ? startOnPostgres : startOnSqlite;
const measured = await start({ base: undefined, nodeOptions: [] });
const { server } = measured;
try {
  for (let first = 0; first < SPANS; first += SPANS_OF_REQUEST) {
    const spans = Array.from({ length: SPANS_OF_REQUEST }, (_, place) => ({
      traceId: traceId(Math.floor((first + place) / SPANS_OF_TRACE)),
      spanId: spanId(first + place),
    }));
    await post('/v1/traces', traceRequest(spans));
  }
  const large: number[] = [];
  for (let round = 0; round < Number(values.large); round++) {
    const data = Array.from({ length: SPANS }, (_, number) => annotation(number, round));
    large.push(await post('/v1/span_annotations?sync=true', { data }));
  }
  const small: number[] = [];
  for (let round = 0; round < Number(values.small); round++) {
    small.push(await post('/v1/span_annotations?sync=true', { data: [annotation(round, round)] }));
  }
  const rows = [
    [`${SPANS} annotations, inserted`, 1000, large[0] ?? 0],
    [`${SPANS} annotations, overwritten, slowest`, 1000, Math.max(...large.slice(1))],
    ['one annotation, p95', 10, quantile(small, 0.95)],
    ['one annotation, median', 10, quantile(small, 0.5)],
  ] as const;
  console.log(`| ${values.engine} | Target | Measured | |\n| --- | ---: | ---: | --- |`);
  for (const [what, targetMs, ms] of rows) {
    console.log(`| ${what} | ${targetMs} ms | ${ms.toFixed(1)} ms | ${ms <= targetMs ? 'met' : 'missed'} |`);
  }
} finally {
  await server.stop();
  await measured.remove();
}

function annotation(number: number, round: number) {
  return {
    span_id: spanId(number),
    name: 'correctness',
    annotator_kind: 'LLM',
    result: { label: round % 2 === 0 ? 'correct' : 'wrong', score: round, explanation: `because of ${number}` },
    metadata: { model: 'judge', round },
  };
}

/** Milliseconds until the answer is read. */
async function post(path: string, body: unknown): Promise<number> {
  const text = JSON.stringify(body);
  const startedAt = performance.now();
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${server.httpUrl}${path}`, { method: 'POST', headers, body: text });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer}`);
  return performance.now() - startedAt;
}

function quantile(sample: readonly number[], share: number): number {
  return sample.toSorted((a, b) => a - b)[Math.floor(sample.length * share)] ?? 0;
}
