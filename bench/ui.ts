/**
 * `npm run bench:ui`: what people wait for on the pages, over a database of many spans, the demo's week, a trace of 10,000 spans
 * and one of 50,000. Prints one table, each row a statement about time with its target. See docs/performance.md.
 */
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { batchSpans } from '../scripts/demo/batches.ts';
import { sendSpans, tracesUrl } from '../scripts/demo/send.ts';
import { recordWeek } from '../scripts/demo/week.ts';
import { launchBrowser } from '../test/harness/browser.ts';
import { sendBigTrace } from './big-trace.ts';
import { CACHE_FOLDER } from './cached-file.ts';
import { prefilledFile } from './prefill.ts';
import { startBenchServer } from './server-process.ts';
import { findProjectId, type Place } from './ui/place.ts';
import { sendLongOutput, sendLongSession } from './ui/sent.ts';
import { type Measured, STATEMENTS } from './ui/statements.ts';

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '1000000' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    cache: { type: 'string', default: CACHE_FOLDER },
  },
});

ensureBuilt(process.execPath);
const spanCount = values.quick ? 20_000 : Number(values.spans);
const server = await startBenchServer(await prefilledFile(values.cache, spanCount), []);
const browser = await launchBrowser();
try {
  const place = await fill(server.httpUrl);
  const only = values.only?.split(',');
  const rows: (Measured & { readonly name: string })[] = [];
  for (const { name, measure } of STATEMENTS) {
    if (only !== undefined && !only.some((start) => name.startsWith(start))) continue;
    rows.push(...(await measureIn(browser, place, name, measure)));
  }
  print(rows);
} finally {
  await browser.close();
  await server.stop();
  server.remove();
}

/** Sends what the statements look at. */
async function fill(url: string): Promise<Place> {
  const traffic = recordWeek({ seed: 'demo', days: 7, scale: 1, untilMs: Date.now() });
  for (const spans of batchSpans(traffic)) await sendSpans({ url: tracesUrl(url), key: null }, spans);
  const big = await sendBigTrace(url, 10_000, 'big');
  const huge = await sendBigTrace(url, 50_000, 'big');
  const longOutput = await sendLongOutput(url, 'big');
  await sendLongSession(url, 'big', 500);
  return {
    url,
    manyProjectId: await findProjectId(url, 'bench-0'),
    bigProjectId: await findProjectId(url, 'big'),
    traceIds: { big, huge, longOutput },
  };
}

async function measureIn(
  shared: Browser,
  place: Place,
  name: string,
  measure: (typeof STATEMENTS)[number]['measure'],
): Promise<readonly (Measured & { readonly name: string })[]> {
  try {
    return (await measure(shared, place)).map((measured) => ({ name, ...measured }));
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return [{ name, what: reason, target: '', value: 'failed', isMet: false }];
  }
}

function print(rows: readonly (Measured & { readonly name: string })[]): void {
  console.log('| | | Target | Measured | |\n| --- | --- | ---: | ---: | --- |');
  for (const { name, what, target, value, isMet } of rows) {
    console.log(`| ${name} | ${what} | ${target} | ${value} | ${isMet ? 'met' : '**missed**'} |`);
  }
}
