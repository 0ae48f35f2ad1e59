/**
 * `npm run bench:lists`: the figures of a project's header over GraphQL, and the first pages of lists over REST, each with the
 * processor time that an answer takes. Prints a table for docs/performance.md.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { CACHE_FOLDER, cachedFile, storeRequests } from './cached-file.ts';
import { LISTED, listRequests } from './list-traffic.ts';
import { formatProfiles } from './cpu-profile.ts';
import { readCpuSeconds } from './process-usage.ts';
import { quantile } from './query/measure.ts';
import { catchUp } from './query/month-file.ts';
import { startBenchServer } from './server-process.ts';
import { findProjectId, query } from './ui/place.ts';

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '100000' },
    times: { type: 'string', default: '100' },
    only: { type: 'string' },
    profile: { type: 'boolean', default: false },
    cache: { type: 'string', default: CACHE_FOLDER },
  },
});
const spanCount = Number(values.spans);
const times = Number(values.times);

const WARMING_UP_MS = 2000;

const HEADER = `query ($id: ID!, $timeRange: TimeRange) { node(id: $id) { ... on Project {
  traceCount(timeRange: $timeRange) recordCount(timeRange: $timeRange) sessionCount(timeRange: $timeRange)
  tokenCountPrompt(timeRange: $timeRange) tokenCountCompletion(timeRange: $timeRange)
  costSummary(timeRange: $timeRange) { total { cost } }
  p50: latencyMsQuantile(probability: 0.5, timeRange: $timeRange)
  p99: latencyMsQuantile(probability: 0.99, timeRange: $timeRange) } } }`;

/** Neither at the start of a quarter of an hour nor at its end. */
const FIFTEEN_DAYS = {
  start: new Date(LISTED.endUs / 1000 - 15 * 86_400_000 + 123_456).toISOString(),
  end: new Date(LISTED.endUs / 1000 - 234_567).toISOString(),
};

interface Question {
  readonly name: string;
  /** Asks, and @returns how many bytes the answer has. */
  readonly ask: () => Promise<number>;
}

ensureBuilt(process.execPath);
const file = await cachedFile(values.cache, `lists-${spanCount}`, async (path) => {
  await storeRequests(path, listRequests(spanCount));
  await catchUp(path);
});
const profiles = values.profile ? mkdtempSync(join(tmpdir(), 'cairn-profile-')) : undefined;
const server = await startBenchServer(file, profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]);
try {
  console.log(`| ${spanCount.toLocaleString('en')} spans | p50, ms | p95, ms | processor, ms | bytes |`);
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const question of await listQuestions(server.httpUrl)) {
    if (!question.name.includes(values.only ?? '')) continue;
    const { waits, processorMs, bytes } = await askTimes(question);
    const figures = [quantile(waits, 0.5), quantile(waits, 0.95), processorMs].map((ms) => ms.toFixed(1));
    console.log(`| ${question.name} | ${figures.join(' | ')} | ${bytes.toLocaleString('en')} |`);
  }
} finally {
  await server.stop();
  server.remove();
}
if (profiles !== undefined) console.log(formatProfiles(profiles));

async function listQuestions(url: string): Promise<readonly Question[]> {
  const id = await findProjectId(url, LISTED.project);
  const read = (path: string) => async () => {
    const response = await fetch(`${url}/v1/projects/${LISTED.project}/${path}`);
    const body = await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${Buffer.from(body).toString()}`);
    return body.byteLength;
  };
  const header = async (variables: object) => JSON.stringify(await query(url, HEADER, { id, ...variables })).length;
  return [
    { name: 'header, 15 days', ask: () => header({ timeRange: FIFTEEN_DAYS }) },
    { name: 'header, all time', ask: () => header({}) },
    { name: 'spans', ask: read('spans?limit=100') },
    { name: 'sessions', ask: read('sessions?limit=100') },
    { name: 'spans by name and status', ask: read(`spans?limit=100&name=${LISTED.name}&status_code=ERROR`) },
  ];
}

/** Once the code that answers has been compiled. */
async function askTimes({ ask }: Question) {
  for (const until = performance.now() + WARMING_UP_MS; performance.now() < until; ) await ask();
  const waits: number[] = [];
  let bytes = 0;
  const cpuBefore = readCpuSeconds(server.pid);
  for (let time = 0; time < times; time++) {
    const askedAt = performance.now();
    bytes = await ask();
    waits.push(performance.now() - askedAt);
  }
  const processorMs = ((readCpuSeconds(server.pid) - cpuBefore) / times) * 1000;
  return { waits, processorMs, bytes };
}
