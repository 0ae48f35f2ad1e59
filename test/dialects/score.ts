/**
 * How many of the facts that recorded requests carry are shown, by folder: `npm run dialects -- -v vercel-ai-6`. Read in
 * this process, in seconds and without sums; with `--server` what a server answers over REST, which it starts for that.
 */
import { parseArgs } from 'node:util';
import { listTraceIds } from './evidence.ts';
import { findException, judgeReading } from './judge.ts';
import { isFine, type Judgement } from './question.ts';
import { readInProcess } from './read-in-process.ts';
import type { Reading } from './reading.ts';
import { listFolders, type RecordedScenario, readScenarios } from './recording.ts';

const USAGE = `npm run dialects -- [options] [folder, or the beginning of some…]

  -v, --verbose    each fact that is not shown, with what was expected and what is shown instead
  --elsewhere      also the facts that another span shows than that of the call
  --scenario NAME  one scenario alone
  --fact NAME      one fact alone
  --show           every attribute of every span
  --server         ask a running server, sums included`;

const COUNTS = ['carried', 'shown', 'elsewhere', 'excepted', 'missing', 'wrong'] as const;
/** Of the columns after the first. */
const WIDTHS: readonly number[] = [7, 7, 7, 11, 10, 9, 7];

type Counts = Record<(typeof COUNTS)[number], number>;

const { values, positionals } = readArguments();

const totals = zero();
console.log(`folder${' '.repeat(24)}carried  shown      %  elsewhere  excepted  missing  wrong`);
const source = values.server ? await startServer() : undefined;
try {
  for (const folder of listFolders().filter(isWanted)) {
    const counts = zero();
    const lines: string[] = [];
    const scenarios = readScenarios(folder);
    const read = source === undefined ? readInProcess : await source.read(folder, scenarios);
    for (const scenario of scenarios.filter(({ name }) => (values.scenario ?? name) === name)) {
      const reading = read(scenario);
      if (values.show) lines.push(...drawReading(scenario, reading));
      for (const judgement of judgeReading(scenario, reading)) {
        if ((values.fact ?? judgement.fact) !== judgement.fact) continue;
        const outcome = count(counts, scenario, judgement);
        const isTold = outcome === 'elsewhere' ? values.elsewhere : outcome !== 'shown' && outcome !== 'excepted';
        if (isTold) lines.push(describe(scenario, judgement));
      }
    }
    for (const name of COUNTS) totals[name] += counts[name];
    console.log(formatRow(folder, counts));
    if (lines.length > 0 && (values.verbose || values.show || values.elsewhere)) console.log(lines.join('\n'));
  }
  console.log(formatRow('total', totals));
} finally {
  await source?.close();
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        verbose: { type: 'boolean', short: 'v', default: false },
        elsewhere: { type: 'boolean', default: false },
        show: { type: 'boolean', default: false },
        server: { type: 'boolean', default: false },
        scenario: { type: 'string' },
        fact: { type: 'string' },
      },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

/** A whole name means that folder alone. */
function isWanted(folder: string): boolean {
  if (positionals.length === 0) return true;
  return positionals.some((given) => (listFolders().includes(given) ? given === folder : folder.startsWith(given)));
}

/** The server is loaded only where it is wanted. */
async function startServer() {
  const { startTestServer } = await import('../harness/server.ts');
  const { readProject, selectTraces, sendRequests } = await import('./read-over-rest.ts');
  const server = await startTestServer();
  return {
    read: async (folder: string, scenarios: readonly RecordedScenario[]) => {
      const to = { url: server.url, grpcAddress: server.grpcAddress, project: folder };
      await sendRequests(
        to,
        scenarios.flatMap(({ requests }) => requests),
      );
      const reading = await readProject(to);
      return (scenario: RecordedScenario) => selectTraces(reading, listTraceIds(scenario));
    },
    close: () => server[Symbol.asyncDispose](),
  };
}

function zero(): Counts {
  return { carried: 0, shown: 0, elsewhere: 0, excepted: 0, missing: 0, wrong: 0 };
}

/** Counts a judgement; returns what it counts as. */
function count(counts: Counts, scenario: RecordedScenario, judgement: Judgement): keyof Counts {
  const { fact, verdict } = judgement;
  const isExcepted = !isFine(judgement) && findException(scenario, fact) !== undefined;
  if (verdict !== 'wrong') counts.carried++;
  if (verdict === 'elsewhere') counts.shown++;
  const outcome = isExcepted ? 'excepted' : verdict;
  counts[outcome]++;
  return outcome;
}

function formatRow(name: string, counts: Counts): string {
  const { carried, shown, elsewhere, excepted, missing, wrong } = counts;
  const percent = carried === 0 ? '' : ((100 * shown) / carried).toFixed(1);
  const cells = [carried, shown, percent, elsewhere, excepted, missing, wrong];
  return name.padEnd(30) + cells.map((cell, place) => String(cell).padStart(WIDTHS[place] ?? 0)).join('');
}

function describe({ name }: RecordedScenario, { fact, verdict, expected, got }: Judgement): string {
  return `  ${name}: ${fact} ${verdict}\n    expected ${cut(expected)}\n    got      ${cut(got)}`;
}

function cut(text: string): string {
  const line = text.replaceAll('\n', '\n             ');
  return line.length > 1500 ? `${line.slice(0, 1500)}…` : line;
}

function drawReading({ name }: RecordedScenario, { spans, traces = [], sessions }: Reading): string[] {
  return [
    `  ${name}`,
    ...traces.map(
      (trace) => `    trace ${trace.trace_id}: ${trace.token_count_prompt} in, ${trace.token_count_completion} out`,
    ),
    ...sessions.map((session) => `    session ${session.session_id}`),
    ...spans.flatMap((span) => [
      `    ${span.span_kind} ${span.name} ${span.status_code} ${span.context.span_id} below ${span.parent_id}`,
      ...Object.entries(span.attributes).map(([key, value]) => `      ${key} = ${cut(JSON.stringify(value))}`),
      ...Object.entries(span.derived_attributes ?? {}).map(
        ([key, value]) => `      derived ${key} = ${cut(JSON.stringify(value))}`,
      ),
      ...span.events.map((event) => `      event ${event.name} ${cut(JSON.stringify(event.attributes))}`),
    ]),
  ];
}
