/**
 * `npm run bench:text-filters`: filters that ask for a text in prose of 100,000 spans, answered to their end, page by page, and counted.
 * Prints a table for docs/performance.md.
 */
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CACHE_FOLDER, cachedFile, storeRequests } from './cached-file.ts';
import { formatProfiles } from './cpu-profile.ts';
import { encodeRequest } from './encode-span.ts';
import { proseTraffic, RARE_WORD } from './plain-traffic.ts';
import { catchUp } from './query/month-file.ts';
import { quantile } from './query/measure.ts';
import { readPages } from './query/read-pages.ts';
import { Random } from './random.ts';
import { startBenchServer } from './server-process.ts';
import { findProjectId, query } from './ui/place.ts';

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '100000' },
    times: { type: 'string', default: '9' },
    only: { type: 'string' },
    profile: { type: 'boolean', default: false },
    cache: { type: 'string', default: CACHE_FOLDER },
  },
});
const spanCount = Number(values.spans);
const times = Number(values.times);
const PROJECT = 'prose';
const SPANS_PER_REQUEST = 80;

const FILTERS = [
  `'a text that is nowhere' in output.value`,
  `'${RARE_WORD}' in output.value`,
  `'${RARE_WORD}' in output.value or 'likewise nowhere' in input.value`,
  `output.value == 'a text that is nowhere'`,
  `'a text that is nowhere' not in output.value`,
  `'${RARE_WORD}' not in output.value`,
  `output.value != 'a text that is nowhere'`,
  `'a text that is nowhere' in attributes['app.note']`,
  `'нигде' in output.value`,
];

/** A filter that most spans match has as many pages as there are. */
const MAX_PAGES = 20;

const COUNT = `query ($id: ID!, $filterCondition: String) { node(id: $id) { ... on Project {
  spans(first: 1, filterCondition: $filterCondition) { matchCount { count isExact } } } } }`;

ensureBuilt(process.execPath);
const file = await cachedFile(values.cache, `prose-${spanCount}`, async (path) => {
  await storeRequests(path, proseRequests(), spanCount);
  await catchUp(path);
});
const profiles = values.profile ? mkdtempSync(join(tmpdir(), 'cairn-profile-')) : undefined;
const server = await startBenchServer(file, profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]);
try {
  await waitUntilIndexed(server.httpUrl);
  const projectId = await findProjectId(server.httpUrl, PROJECT);
  console.log(
    `| ${spanCount.toLocaleString('en')} spans | matches | pages | first page, ms | to the end, ms | count | ms |`,
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const filterCondition of FILTERS.filter((text) => text.includes(values.only ?? ''))) {
    const read = await repeat(() => readPages(server.httpUrl, projectId, filterCondition, MAX_PAGES));
    const counted = await repeat(() => countMatches(server.httpUrl, projectId, filterCondition));
    const figures = [
      read.last.matches,
      read.last.pages,
      median(read.all.map(({ firstMs }) => firstMs)),
      median(read.all.map(({ wholeMs }) => wholeMs)),
      `${counted.last.count}${counted.last.isExact ? '' : ' at least'}`,
      median(counted.all.map(({ ms }) => ms)),
    ];
    console.log(`| \`${filterCondition}\` | ${figures.join(' | ')} |`);
  }
} finally {
  await server.stop();
  server.remove();
}
if (profiles !== undefined) console.log(formatProfiles(profiles));

function* proseRequests(): Generator<Uint8Array> {
  const spans = proseTraffic(new Random(1));
  const resource = { 'service.name': 'reader', 'openinference.project.name': PROJECT };
  for (;;)
    yield encodeRequest(
      resource,
      Array.from({ length: SPANS_PER_REQUEST }, () => spans.next().value),
    );
}

/** The background work of {@link catchUp} leaves a rest. */
async function waitUntilIndexed(url: string): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text();
    if (/^cairn_search_pending_spans 0$/m.test(text)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function countMatches(url: string, id: string, filterCondition: string) {
  const askedAt = performance.now();
  const answer: CountAnswer = await query(url, COUNT, { id, filterCondition });
  return { ...answer.node.spans.matchCount, ms: performance.now() - askedAt };
}

interface CountAnswer {
  readonly node: { readonly spans: { readonly matchCount: { readonly count: number; readonly isExact: boolean } } };
}

async function repeat<Result>(ask: () => Promise<Result>) {
  let last = await ask();
  const all: Result[] = [];
  for (let time = 0; time < times; time++) {
    last = await ask();
    all.push(last);
  }
  return { last, all };
}

function median(waits: readonly number[]): string {
  return quantile(waits, 0.5).toFixed(0);
}
