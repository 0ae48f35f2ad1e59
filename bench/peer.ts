/**
 * `npm run bench:peer -- --urls A,B`: the same questions to servers that run already, each of which speaks Phoenix's REST and GraphQL
 * interfaces, Cairn beside Phoenix for example. `--send` first sends them the spans, and waits until each has counted them. Prints a
 * table for docs/performance.md with a column for each server.
 */
import { parseArgs } from 'node:util';
import { LISTED, listRequests } from './list-traffic.ts';
import { RARE_WORD } from './plain-traffic.ts';
import { quantile } from './query/measure.ts';
import { readPages } from './query/read-pages.ts';
import { findProjectId, query } from './ui/place.ts';

const { values } = parseArgs({
  options: {
    urls: { type: 'string' },
    spans: { type: 'string', default: '100000' },
    send: { type: 'boolean', default: false },
    times: { type: 'string', default: '9' },
  },
});
const urls = values.urls?.split(',') ?? [];
if (urls.length === 0) throw new Error('--urls names the servers to ask, separated by commas.');
const spanCount = Number(values.spans);

/** Requests that are under way together. */
const EXPORTERS = 8;

const HEADER = `query ($id: ID!, $timeRange: TimeRange) { node(id: $id) { ... on Project {
  traceCount(timeRange: $timeRange) recordCount(timeRange: $timeRange)
  tokenCountPrompt(timeRange: $timeRange) tokenCountCompletion(timeRange: $timeRange)
  costSummary(timeRange: $timeRange) { total { cost } }
  p50: latencyMsQuantile(probability: 0.5, timeRange: $timeRange)
  p99: latencyMsQuantile(probability: 0.99, timeRange: $timeRange) } } }`;

const HALF_US = (LISTED.endUs - LISTED.startUs) / 2;

/** Ends of the range differ, so that no server has the answer ready. */
function fifteenDays(attempt: number) {
  const endMs = LISTED.endUs / 1000 - 234_567 - attempt * 61_000;
  return { start: new Date(endMs - HALF_US / 1000).toISOString(), end: new Date(endMs).toISOString() };
}

/** A question to the project of a server; answers with what it found. */
type Question = (url: string, id: string, attempt: number) => Promise<number>;

const QUESTIONS: Readonly<Record<string, Question>> = {
  'a text that is nowhere, first page': (url, id) =>
    countMatches(url, id, `'a text that is nowhere' in output.value`, 1),
  'a text that is nowhere, to the end': (url, id) => countMatches(url, id, `'a text that is nowhere' in output.value`),
  'a rare word, first page': (url, id) => countMatches(url, id, `'${RARE_WORD}' in output.value`, 1),
  'a rare word, to the end': (url, id) => countMatches(url, id, `'${RARE_WORD}' in output.value`),
  "a project's header, fifteen days": async (url, id, attempt) => {
    const { node } = await query<{ node: { recordCount: number } }>(url, HEADER, {
      id,
      timeRange: fifteenDays(attempt),
    });
    return node.recordCount;
  },
  'spans over REST, first 100': (url) => readList(`${url}/v1/projects/${LISTED.project}/spans?limit=100`),
  'sessions over REST, first 100': (url) => readList(`${url}/v1/projects/${LISTED.project}/sessions?limit=100`),
  'spans over REST by name and status, first 100': (url) =>
    readList(
      `${url}/v1/projects/${LISTED.project}/spans?limit=100&name=${encodeURIComponent(LISTED.name)}&status_code=ERROR`,
    ),
};

if (values.send) for (const url of urls) await send(url);
const ids = await Promise.all(urls.map((url) => findProjectId(url, LISTED.project)));
console.log(`| ${spanCount.toLocaleString('en')} spans, ms at p50 (found) | ${urls.join(' | ')} |`);
console.log(`| --- |${' ---: |'.repeat(urls.length)}`);
for (const [name, ask] of Object.entries(QUESTIONS)) {
  const cells: string[] = [];
  for (const [place, url] of urls.entries()) cells.push(await time(ask, url, ids[place] as string));
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}

/** Asks twice before the clock starts. */
async function time(ask: Question, url: string, id: string): Promise<string> {
  const waits: number[] = [];
  let found = 0;
  for (let attempt = -2; attempt < Number(values.times); attempt++) {
    const askedAt = performance.now();
    found = await ask(url, id, attempt);
    if (attempt >= 0) waits.push(performance.now() - askedAt);
  }
  return `${quantile(waits, 0.5).toFixed(1)} (${found})`;
}

async function countMatches(url: string, id: string, filterCondition: string, maxPages?: number): Promise<number> {
  return (await readPages(url, id, filterCondition, maxPages)).matches;
}

async function readList(url: string): Promise<number> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: readonly unknown[] };
  return data.length;
}

/** Sends everything, and says how fast the server took it and how fast it stored it. */
async function send(url: string): Promise<void> {
  const startedAt = performance.now();
  let bytes = 0;
  const waits: number[] = [];
  let waiting: Promise<unknown>[] = [];
  let sentAt = startedAt;
  for (const body of listRequests(spanCount)) {
    bytes += body.byteLength;
    waiting.push(sendOne(url, body));
    if (waiting.length < EXPORTERS) continue;
    await Promise.all(waiting);
    waiting = [];
    waits.push(performance.now() - sentAt);
    sentAt = performance.now();
  }
  await Promise.all(waiting);
  const sentSeconds = (performance.now() - startedAt) / 1000;
  const tenth = Math.ceil(waits.length / 10);
  const mean = (some: readonly number[]) => some.reduce((sum, ms) => sum + ms, 0) / some.length;
  const lastOfFirst = mean(waits.slice(0, tenth)) / mean(waits.slice(-tenth));
  const id = await findProjectId(url, LISTED.project);
  for (;;) {
    const { node } = await query<{ node: { recordCount: number } }>(
      url,
      'query ($id: ID!) { node(id: $id) { ... on Project { recordCount } } }',
      { id },
    );
    if (node.recordCount >= spanCount) break;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  const storedSeconds = (performance.now() - startedAt) / 1000;
  const speed = (seconds: number) => `${Math.round(spanCount / seconds).toLocaleString('en')} spans/s`;
  console.log(
    `${url}: ${(bytes / 1e6).toFixed(0)} MB, acknowledged at ${speed(sentSeconds)}, the last tenth at ${(lastOfFirst * 100).toFixed(0)} % of the speed of the first, stored at ${speed(storedSeconds)}`,
  );
}

/** Sends until the server takes it: one that is full asks for a pause. */
async function sendOne(url: string, body: Uint8Array): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: Buffer.from(body),
    });
    await response.arrayBuffer();
    if (response.ok) return;
    if (response.status !== 429 && response.status !== 503) throw new Error(`${url}: ${response.status}`);
    const seconds = Number(response.headers.get('retry-after') ?? '1');
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
