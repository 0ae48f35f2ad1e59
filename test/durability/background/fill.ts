/** Data files with spans of two projects and work left to do in the background, made by the real store without a server. */
import { copyFileSync } from 'node:fs';
import { buildSegment } from '#store/columns/build-segment';
import { findDueSegments } from '#store/columns/due-segments';
import { openSegments, storeSegment } from '#store/columns/store-segment';
import { sqliteDialect } from '#store/dialect/sqlite';
import { spansOf } from '#store/logs/write/open-writer.fixture';
import { noteRules } from '#store/reindex/state';
import { planIndex } from '#store/search/plan-index';
import { STEPS } from '#store/search/plan-where-idle';
import { noteTokenizer } from '#store/texts/progress';
import { storeIndex } from '#store/search/store-index';
import { EnvelopeCache } from '#store/spans/rows/envelope-cache';
import { TraceTrees } from '#store/spans/rows/trace-trees';
import { type BenchWriter, openBenchWriter } from '../../../bench/open-writer.ts';
import { spanId, TEST_START_US, type TestSpan, type TestValue, traceId } from '../../harness/otlp-json.ts';

/** One of them is deleted. */
export const PROJECTS = ['kept', 'gone'] as const;

/** One of {@link PROJECTS}. */
export type ProjectName = (typeof PROJECTS)[number];

/** Half of them in each project. */
const SPAN_COUNT = 2400;

/** Row ids of this many spans follow each other; then they go on shortly before the next segment of columns. */
const SPANS_TOGETHER = 400;
const SEGMENT_ROWS = 4096;
const BEFORE_SEGMENT = 300;

const SPANS_PER_REQUEST = 50;

/** Blocks of ten spans are a trace, but these belong to one large trace in each project. */
const SPANS_PER_TRACE = 10;
const LARGE = { firstBlock: 40, endBlock: 90 };

/** Paths of data files, each with more of the work done. */
export interface DataFiles {
  /** Spans, and nothing made of them. */
  readonly stored: string;
  /** With the search index. */
  readonly searchable: string;
  /** With columns. */
  readonly columnar: string;
  /** With both. */
  readonly settled: string;
}

/** Makes them in the folder. */
export async function makeDataFiles(folder: string): Promise<DataFiles> {
  const pathOf = (name: string) => `${folder}/${name}.db`;
  const stored = pathOf('stored');
  await withWriter(stored, async ({ db }) => {
    await noteRules(db);
    await noteTokenizer(db);
  });
  for (let first = 0; first < SPAN_COUNT; first += SPANS_TOGETHER) {
    await withWriter(stored, (writer) => storeSpans(writer, first, first + SPANS_TOGETHER));
  }
  const searchable = pathOf('searchable');
  copyFileSync(stored, searchable);
  await withWriter(searchable, indexTexts);
  const columnar = pathOf('columnar');
  copyFileSync(stored, columnar);
  await withWriter(columnar, buildColumns);
  const settled = pathOf('settled');
  copyFileSync(searchable, settled);
  await withWriter(settled, buildColumns);
  return { stored, searchable, columnar, settled };
}

async function withWriter(path: string, work: (open: BenchWriter) => Promise<void>): Promise<void> {
  const open = await openBenchWriter(path);
  try {
    await work(open);
  } finally {
    open.close();
  }
}

/** Projects come in turn, so that rows of both are in every segment. */
async function storeSpans({ db, writer }: BenchWriter, first: number, end: number): Promise<void> {
  for (let number = first; number < end; number += SPANS_PER_REQUEST) {
    const numbers = Array.from({ length: SPANS_PER_REQUEST }, (_, place) => number + place);
    const requests = PROJECTS.map((project) =>
      spansOf(numbers.filter((one) => projectOf(one) === project).map(spanOf), {
        resource: { 'openinference.project.name': project },
      }),
    );
    await writer.write(requests);
  }
  const ids = db.selectFrom('row_ids').select('next_id').where('table_name', '=', 'spans');
  const { next_id: next } = await ids.executeTakeFirstOrThrow();
  const segmentEnd = Math.ceil((next + BEFORE_SEGMENT) / SEGMENT_ROWS) * SEGMENT_ROWS;
  // The writer that knows another next id is closed after this.
  await db
    .updateTable('row_ids')
    .set({ next_id: segmentEnd - BEFORE_SEGMENT })
    .where('table_name', '=', 'spans')
    .execute();
}

async function indexTexts({ db, writer }: BenchWriter): Promise<void> {
  const scope = { db, dialect: sqliteDialect, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
  for (;;) {
    const plan = await planIndex(scope, STEPS.patient);
    if (plan === undefined) return;
    await writer.change((change) => storeIndex(change, plan));
  }
}

async function buildColumns({ db, writer }: BenchWriter): Promise<void> {
  while (await writer.change(openSegments));
  for (const segment of (await findDueSegments(db)).due) {
    const plan = await buildSegment(db, segment);
    if (plan !== undefined) await writer.change((change) => storeSegment(change, plan));
  }
}

function projectOf(number: number): ProjectName {
  return Math.floor(number / SPANS_PER_TRACE) % 2 === 0 ? 'kept' : 'gone';
}

/** The number of the first span of its trace. */
function rootOf(number: number): number {
  const block = Math.floor(number / SPANS_PER_TRACE);
  const isLarge = block >= LARGE.firstBlock && block < LARGE.endBlock;
  return (isLarge ? LARGE.firstBlock + (block % 2) : block) * SPANS_PER_TRACE;
}

const WORDS = ['alpine', 'basalt', 'cobalt', 'delta'];
const TIERS: readonly TestValue[] = ['gold', 'Silver', 1, '1'];
const STATUSES = ['UNSET', 'OK', 'ERROR'] as const;

function spanOf(number: number): TestSpan {
  const root = rootOf(number);
  const startUs = TEST_START_US + number * 1000;
  const tier = TIERS[number % 5];
  return {
    traceId: traceId(root + 1),
    spanId: spanId(number + 1),
    ...(number !== root && { parentSpanId: spanId(root + 1) }),
    name: `step ${number % 20}`,
    startUs,
    endUs: startUs + ((number * 7) % 13) * 1000,
    status: STATUSES[number % 3] ?? 'UNSET',
    attributes: {
      'session.id': `${projectOf(number)} ${root % 30}`,
      ...(tier !== undefined && { tier }),
      ...(number % 4 === 0 && { tags: ['red', number % 8 === 0 ? 'blue' : 'green'] }),
      'input.value': inputOf(number),
      'output.value': `parcel number${number} is on its way, says ${projectOf(number)}`,
      ...kindOf(number, number === root),
    },
  };
}

function kindOf(number: number, isRoot: boolean): Readonly<Record<string, TestValue>> {
  if (isRoot) return { 'openinference.span.kind': 'AGENT' };
  if (number % 2 === 0) return { 'openinference.span.kind': 'TOOL' };
  return {
    'openinference.span.kind': 'LLM',
    'llm.model_name': number % 3 === 0 ? 'house-large' : 'house-small',
    'llm.token_count.prompt': 1 + (number % 50),
    'llm.token_count.completion': 1 + (number % 9),
  };
}

/** Short, longer than a row holds, or messages, with some of the words. */
function inputOf(number: number): string {
  const words = WORDS.filter((_, place) => (number * 5 + place * 3) % 7 < 3);
  if (number % 6 === 0) return `${'lorem ipsum '.repeat(40)}${words.join(' ')}`;
  if (number % 9 === 0) return JSON.stringify(words.map((content) => ({ content: `${content}, said at some length` })));
  return words.join(' ');
}
