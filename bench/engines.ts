/**
 * `npm run bench:engines`: the questions of `bench:query` to one and the same month in a file and in PostgreSQL, each question to
 * one and then to the other, so that a busy machine slows both alike. Fails where their answers differ.
 */
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { CACHE_FOLDER } from './cached-file.ts';
import { askTimes, quantile, warmUp } from './query/measure.ts';
import { openMonth } from './query/open-month.ts';
import type { Month, Question } from './query/question.ts';
import { QUESTIONS } from './query/questions.ts';
import { OPEN_MONTH, type StoredMonth } from './query/stored-month.ts';

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '50' },
    only: { type: 'string' },
    cache: { type: 'string', default: CACHE_FOLDER },
  },
});

/** One of the two. */
interface Asked {
  readonly stored: StoredMonth;
  readonly month: Month;
}

ensureBuilt(process.execPath);
const times = Number(values.times);
const options = { folder: values.cache, spanCount: Number(values.spans), nodeOptions: [] };
const opened: StoredMonth[] = [];
const both: Asked[] = [];
try {
  for (const open of [OPEN_MONTH.sqlite, OPEN_MONTH.postgres]) {
    const stored = await open(options);
    opened.push(stored);
    both.push({ stored, month: await openMonth(stored.server.httpUrl) });
  }
  console.log(
    '| Question | SQLite, p50 and p95 | PostgreSQL, p50 and p95 | of SQLite’s p50 | Processor, SQLite; PostgreSQL |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const question of QUESTIONS.filter(({ name }) => values.only === undefined || name.includes(values.only))) {
    await ask(question);
  }
} finally {
  for (const stored of opened) await stored.close();
}

async function ask(question: Question): Promise<void> {
  const tries = both.map(({ stored, month }) => ({ stored, month, waits: [] as number[], cpuSeconds: 0, held: '' }));
  for (const { month } of tries) await warmUp(question, month);
  for (let time = 0; time < times; time++) {
    for (const one of tries) {
      const before = one.stored.readCpuSeconds();
      const { waits, held } = await askTimes(question, one.month, 1);
      one.cpuSeconds += one.stored.readCpuSeconds() - before;
      one.waits.push(...waits);
      one.held = held;
    }
  }
  const [file, server] = tries as [(typeof tries)[0], (typeof tries)[0]];
  if (answerOf(file.held) !== answerOf(server.held)) {
    console.error(`${question.name}: ${file.held} of the file, ${server.held} of PostgreSQL`);
    process.exitCode = 1;
  }
  const waited = tries.map(({ waits }) => `${round(quantile(waits, 0.5))}, ${round(quantile(waits, 0.95))}`);
  const ratio = quantile(server.waits, 0.5) / quantile(file.waits, 0.5);
  const processor = tries.map(({ cpuSeconds }) => round((cpuSeconds / times) * 1000)).join('; ');
  console.log(`| ${[question.name, ...waited, ratio.toFixed(1), processor].join(' | ')} |`);
}

/** How far an answer looked in its time is nobody's mistake. */
function answerOf(held: string): string {
  return held.replace(/, looked at .*/, '');
}

function round(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : String(Math.round(ms));
}
