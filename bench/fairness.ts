/**
 * One address that asks twenty heavy operations again and again beside readers of small pages: `npm run bench:fairness`. It ends with code 1
 * where a page of another address, or the server's readiness, takes longer than it may.
 * @see docs/reliability.md
 */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { CACHE_FOLDER, cachedFile, storeRequests } from './cached-file.ts';
import { encodeRequest } from './encode-span.ts';
import { proseTraffic } from './plain-traffic.ts';
import { catchUp } from './query/month-file.ts';
import { quantile } from './query/measure.ts';
import { Random } from './random.ts';
import { startBenchServer } from './server-process.ts';
import { findProjectId } from './ui/place.ts';

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '16000' },
    operations: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '20' },
    cache: { type: 'string', default: CACHE_FOLDER },
  },
});
const PROJECT = 'prose';
const SPANS_PER_REQUEST = 80;
const WANTED_P95_MS = 200;

/** Connections of each address. */
const agents = new Map<string, Agent>();

/** A letter that most texts have: no index of words narrows it, and every original is looked at. */
const ALIASES = Array.from(
  { length: 50 },
  (_, index) => `a${index}: spans(first: 1, filterCondition: "'x' in output.value") { matchCount { count } }`,
);

ensureBuilt(process.execPath);
const file = await cachedFile(values.cache, `prose-${values.spans}`, async (path) => {
  await storeRequests(path, proseRequests(), Number(values.spans));
  await catchUp(path);
});
const server = await startBenchServer(file, []);
try {
  const projectId = await findProjectId(server.httpUrl, PROJECT);
  const heavy = JSON.stringify({
    query: `query ($id: ID!) { node(id: $id) { ... on Project { ${ALIASES.join('\n')} } } }`,
    variables: { id: projectId },
  });
  const page = `/v1/projects/${PROJECT}/spans?limit=5`;
  await ask({ path: page, from: '127.0.0.3' });
  const until = performance.now() + 1000 * Number(values.seconds);
  const [outcomes, ofOther, ofSame, readiness] = await Promise.all([
    Promise.all(Array.from({ length: Number(values.operations) }, () => askUntil(until, heavy))),
    readPages(until, page, '127.0.0.3'),
    readPages(until, page, '127.0.0.2'),
    readPages(until, '/readyz', '127.0.0.4'),
  ]);
  console.log(
    `heavy operations: ${[...Map.groupBy(outcomes.flat(), String)].map(([name, { length }]) => `${length} ${name}`).join(', ')}`,
  );
  report('pages of another address', ofOther, WANTED_P95_MS);
  report('pages of the same address', ofSame, Number.POSITIVE_INFINITY);
  report('readiness', readiness, WANTED_P95_MS);
} finally {
  await server.stop();
  server.remove();
}

function* proseRequests(): Generator<Uint8Array> {
  const spans = proseTraffic(new Random(1));
  const resource = { 'service.name': 'reader', 'openinference.project.name': PROJECT };
  for (;;)
    yield encodeRequest(
      resource,
      Array.from({ length: SPANS_PER_REQUEST }, () => spans.next().value),
    );
}

interface Asked {
  readonly path: string;
  readonly from: string;
  readonly body?: string;
}

function ask({ path, from, body }: Asked): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.httpUrl}${path}`, {
      agent: agentOf(from),
      method: body === undefined ? 'GET' : 'POST',
      localAddress: from,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
    });
    sent.once('error', reject).once('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, text: body }), reject);
    });
    sent.end(body);
  });
}

function agentOf(address: string): Agent {
  const agent = agents.get(address) ?? new Agent({ keepAlive: true, localAddress: address });
  agents.set(address, agent);
  return agent;
}

/** How each of the operations ended. */
async function askUntil(until: number, body: string): Promise<string[]> {
  const outcomes: string[] = [];
  while (performance.now() < until) {
    const answer = await ask({ path: '/graphql', from: '127.0.0.2', body });
    const code = /"code":"(\w+)"/.exec(answer.text)?.[1];
    outcomes.push(code === undefined ? `answered with ${answer.status}` : code);
  }
  return outcomes;
}

/** Milliseconds of each page, with a short pause between them as people make. */
async function readPages(until: number, path: string, from: string): Promise<number[]> {
  const waits: number[] = [];
  while (performance.now() < until) {
    const askedAt = performance.now();
    const answer = await ask({ path, from });
    waits.push(answer.status === 200 ? performance.now() - askedAt : Number.POSITIVE_INFINITY);
    if (answer.status !== 200) console.log(`${path}: ${answer.status} ${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return waits;
}

function report(name: string, waits: readonly number[], wantedMs: number): void {
  const [p50, p95, most] = [quantile(waits, 0.5), quantile(waits, 0.95), Math.max(...waits)];
  console.log(
    `${name}: ${waits.length}, p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, most ${most.toFixed(0)} ms`,
  );
  if (p95 > wantedMs) process.exitCode = 1;
}
