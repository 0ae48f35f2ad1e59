/**
 * `npm run bench:query`: questions to a month of 1,000,000 spans, while none arrive and while some do (`--load 0`: none), each beside
 * bare SQL that answers the same on the same data, in a file or with `--engine postgres`. Prints tables for docs/performance.md.
 */
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { CACHE_FOLDER } from './cached-file.ts';
import { quantile, type Timing, timeQuestion } from './query/measure.ts';
import type { Month } from './query/question.ts';
import { QUESTIONS } from './query/questions.ts';
import { openMonth } from './query/open-month.ts';
import { startSteadyLoad, type SteadyLoad } from './query/steady-load.ts';
import { type BenchEngine, OPEN_MONTH, type StoredMonth } from './query/stored-month.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    spans: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '50' },
    only: { type: 'string' },
    load: { type: 'string', default: '1000' },
    cache: { type: 'string', default: CACHE_FOLDER },
  },
});

ensureBuilt(process.execPath);
const spanCount = Number(values.spans);
const times = Number(values.times);
const spansPerSecond = Number(values.load);
const questions = QUESTIONS.filter(({ name }) => values.only === undefined || name.includes(values.only));
const stored = await OPEN_MONTH[values.engine as BenchEngine]({ folder: values.cache, spanCount, nodeOptions: [] });
try {
  const url = stored.server.httpUrl;
  const month = await openMonth(url);
  console.log(`${spanCount.toLocaleString('en')} spans; quiet, then with ${values.load} spans/s arriving`);
  const quiet = await askAll(month, undefined);
  await print(quiet, spansPerSecond > 0 ? await askWhileSpansArrive(month) : [], stored);
} finally {
  await stored.close();
}

interface Answered extends Timing {
  /** Milliseconds that requests which arrived meanwhile waited for their acknowledgement, at p99. */
  readonly acknowledgedP99Ms: number;
}

async function askWhileSpansArrive(month: Month): Promise<readonly Answered[]> {
  const load = await startSteadyLoad({ url: month.url, spansPerSecond, project: 'arriving' });
  const answered = await askAll(month, load);
  await load.stop();
  return answered;
}

async function askAll(month: Month, load: SteadyLoad | undefined): Promise<readonly Answered[]> {
  const answered: Answered[] = [];
  for (const question of questions) {
    await load?.takeWaits();
    const timing = await timeQuestion(question, month, times);
    answered.push({ ...timing, acknowledgedP99Ms: quantile((await load?.takeWaits()) ?? [], 0.99) });
  }
  return answered;
}

async function print(quiet: readonly Answered[], busy: readonly Answered[], { timeSql }: StoredMonth): Promise<void> {
  console.log('\n| Question | Target | busy p50 | p95 | p99 | quiet p50 | p95 | first | SQL | ack p99 | | Answer |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |');
  for (const [place, question] of questions.entries()) {
    const [calm, full] = [quiet[place], busy[place]];
    if (calm === undefined) continue;
    const judged = full ?? calm;
    const withLoad = [full?.p50Ms, full?.p95Ms, full?.p99Ms];
    const without = [calm.p50Ms, calm.p95Ms, calm.coldMs, await timeSql(question)];
    const figures = [
      `${question.targetMs}`,
      ...[...withLoad, ...without, full?.acknowledgedP99Ms].map(round),
      judged.p95Ms <= question.targetMs ? 'met' : 'missed',
      judged.held,
    ];
    console.log(`| ${question.name} | ${figures.join(' | ')} |`);
  }
}

function round(ms = Number.NaN): string {
  if (Number.isNaN(ms)) return '–';
  return ms < 10 ? ms.toFixed(1) : String(Math.round(ms));
}
