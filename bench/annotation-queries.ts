/**
 * `npm run bench:annotation-queries`: filters, orders and sums of 200,000 annotations on a month of 1,000,000 spans, in this process
 * and in a data file. Prints how long each question takes.
 */
import { parseArgs } from 'node:util';
import { parseFilter } from '#filter/parse-filter';
import type { Condition } from '#filter/tree';
import { relationalAggregates } from '#store/aggregates/aggregates';
import { buildSegment } from '#store/columns/build-segment';
import { findDueSegments } from '#store/columns/due-segments';
import { openSegments, storeSegment } from '#store/columns/store-segment';
import { browseSpansByAnnotation, browseTracesByAnnotation } from '#store/spans/read/browse-annotated';
import { browseSpans, countSpans } from '#store/spans/read/browse-spans';
import { EnvelopeCache } from '#store/spans/rows/envelope-cache';
import { TraceTrees } from '#store/spans/rows/trace-trees';
import { openSqliteWriter } from '#store/sqlite/connection';
import { openSqliteReadEngine, sqliteEngineOn } from '#store/sqlite/engine';
import { CACHE_FOLDER, cachedFile, storeRequests } from './cached-file.ts';
import { quantile } from './query/measure.ts';
import { MONTH, monthRequests } from './query/traffic.ts';

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '1000000' },
    annotations: { type: 'string', default: '200000' },
    times: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    cache: { type: 'string', default: CACHE_FOLDER },
  },
});

const [spanCount, annotationCount, times] = [values.spans, values.annotations, values.times].map(Number) as [
  number,
  number,
  number,
];
const path = await cachedFile(values.cache, `annotated-${spanCount}-${annotationCount}`, fill);
const { db, dialect } = openSqliteReadEngine({ path });
const scope = { db, dialect, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
const aggregates = relationalAggregates(scope);
const project = await db
  .selectFrom('projects')
  .select('id')
  .where('name', '=', MONTH.project)
  .executeTakeFirstOrThrow();
const projectRowId = project.id;

const page = { order: 'desc', limit: 50, after: null } as const;
const spans = (text?: string) => ({ projectRowId, rootsOnly: false, ...(text && { condition: read(text) }) });
const byScore = { ...page, sort: { name: 'quality', by: 'score' } } as const;
const byLabel = { ...page, sort: { name: 'quality', by: 'label' } } as const;
const sums = { projectRowId, condition: null, name: 'quality', bucket: null, target: 'span' } as const;
const month = { startTimeUs: MONTH.startUs, endTimeUs: MONTH.endUs };
const days = { unit: 'DAY', zone: 'UTC' } as const;
const RARE = "annotations['quality'].score < 0.001";
const COMMON = "annotations['quality'].score < 0.5";
const QUESTIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  'page by start, rare score': () => browseSpans(scope, spans(RARE), { ...page, sort: 'start_time' }),
  'page by start, common score': () => browseSpans(scope, spans(COMMON), { ...page, sort: 'start_time' }),
  'page by start, no annotation': () =>
    browseSpans(scope, spans("not annotations['quality']"), { ...page, sort: 'start_time' }),
  'page by latency, common score': () => browseSpans(scope, spans(COMMON), { ...page, sort: 'latency' }),
  'page by start, text in label': () =>
    browseSpans(scope, spans("'BAD' in annotations['quality'].label"), { ...page, sort: 'start_time' }),
  'page by start, score above latency': () =>
    browseSpans(scope, spans("annotations['quality'].score * 1000 > latency_ms"), { ...page, sort: 'start_time' }),
  'number of matches, common score': () => countSpans(scope, spans(COMMON), 60_000),
  'page by score': () => browseSpansByAnnotation(scope, spans(), byScore),
  'page by label': () => browseSpansByAnnotation(scope, spans(), byLabel),
  'page by score, of a week': () =>
    browseSpansByAnnotation(scope, { ...spans(), startTimeUs: MONTH.endUs - 7 * 86_400_000_000 }, byScore),
  'page by score, filtered': () => browseSpansByAnnotation(scope, spans("span_kind == 'LLM'"), byScore),
  'page by score, behind all that have one': () =>
    browseSpansByAnnotation(scope, spans(), { ...byScore, after: { kind: 'rest', after: null } }),
  'traces by score': () => browseTracesByAnnotation(scope, { projectRowId }, byScore),
  'summary of thirty days': () => aggregates.summarizeAnnotations({ ...sums, ...month }),
  'summary of thirty days by day': () => aggregates.summarizeAnnotations({ ...sums, ...month, bucket: days }),
  'summary of thirty days, filtered': () =>
    aggregates.summarizeAnnotations({ ...sums, ...month, condition: read("span_kind == 'LLM'") }),
  'summary of traces of thirty days': () => aggregates.summarizeAnnotations({ ...sums, ...month, target: 'trace' }),
};

console.log(`${spanCount.toLocaleString('en')} spans, ${annotationCount.toLocaleString('en')} annotations of them\n`);
console.log('| Question | first | p50 | p95 |\n| --- | ---: | ---: | ---: |');
for (const [name, ask] of Object.entries(QUESTIONS).filter(([one]) => one.includes(values.only))) {
  const waits: number[] = [];
  for (let time = 0; time <= times; time++) {
    const startedAt = performance.now();
    await ask();
    waits.push(performance.now() - startedAt);
  }
  const [first = 0, ...others] = waits;
  const cells = [first, quantile(others, 0.5), quantile(others, 0.95)].map((ms) => `${ms.toFixed(0)} ms`);
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}

function read(text: string): Condition {
  const { condition } = parseFilter('span', text);
  if (condition === null) throw new Error(text);
  return condition;
}

/** Fills a file with spans, columns and annotations: of every fifth span, and of every trace. */
async function fill(file: string): Promise<void> {
  await storeRequests(file, monthRequests(spanCount), spanCount);
  const connection = openSqliteWriter(file);
  const engine = sqliteEngineOn(connection);
  while (await openSegments(engine));
  for (let due = await findDueSegments(engine.db); due.due.length > 0; due = await findDueSegments(engine.db)) {
    for (const segment of due.due) {
      const plan = await buildSegment(engine.db, segment);
      if (plan !== undefined) await storeSegment(engine, plan);
    }
  }
  const every = Math.max(Math.floor(spanCount / annotationCount), 1);
  connection.exec(insertOf('span', 'spans', `id % ${every} = 0`));
  connection.exec(insertOf('trace', 'traces', '1 = 1'));
  connection.exec('ANALYZE');
  connection.close();
}

/** A score from 0 to 1 and one of three labels, by the row id. */
function insertOf(target: string, table: string, where: string): string {
  return `INSERT INTO annotations
      (target, target_row_id, project_id, name, annotator_kind, score, label, metadata, source, created_at_us, updated_at_us)
    SELECT '${target}', id, project_id, 'quality', 'LLM', (id * 7919 % 100003) / 100003.0,
      CASE id * 31 % 10 WHEN 0 THEN 'bad' WHEN 1 THEN 'fair' ELSE 'good' END, '{}', 'API', 1, 1
    FROM ${table} WHERE ${where} ORDER BY id`;
}
