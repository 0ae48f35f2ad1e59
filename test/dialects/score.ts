/**
 * How many of the facts that recorded requests carry are shown, by folder: `node test/dialects/score.ts -v vercel-ai-6`.
 * Read in this process, without a server, in seconds.
 */
import { parseArgs } from 'node:util';
import { findException, judgeReading } from './judge.ts';
import type { Judgement } from './question.ts';
import { readInProcess } from './read-in-process.ts';
import type { Reading } from './reading.ts';
import { listFolders, type RecordedScenario, readScenarios } from './recording.ts';

const USAGE = `node test/dialects/score.ts [options] [folder or its beginning…]

  -v, --verbose   each fact that is not shown, with what was expected and what is shown instead
  --scenario NAME one scenario alone
  --fact NAME     one fact alone
  --show          what is shown: every attribute of every span`;

const { values, positionals } = readArguments();
const folders = listFolders().filter(
  (name) => positionals.length === 0 || positionals.some((given) => isMeant(given, name)),
);

const totals = { carried: 0, shown: 0, excepted: 0, wrong: 0 };
console.log('folder                        carried  shown      %  excepted  wrong');
for (const folder of folders) {
  const counts = { carried: 0, shown: 0, excepted: 0, wrong: 0 };
  const lines: string[] = [];
  for (const scenario of readScenarios(folder)) {
    if (values.scenario !== undefined && values.scenario !== scenario.name) continue;
    const reading = readInProcess(scenario);
    if (values.show) lines.push(...drawReading(scenario, reading));
    for (const judgement of judgeReading(scenario, reading)) {
      if (values.fact !== undefined && values.fact !== judgement.fact) continue;
      const exception = judgement.verdict === 'shown' ? undefined : findException(scenario, judgement.fact);
      if (judgement.verdict === 'wrong') counts.wrong += exception === undefined ? 1 : 0;
      else {
        counts.carried++;
        counts.shown += judgement.verdict === 'shown' ? 1 : 0;
        counts.excepted += exception === undefined ? 0 : 1;
      }
      if (judgement.verdict !== 'shown' && exception === undefined) lines.push(describe(scenario, judgement));
    }
  }
  for (const name of ['carried', 'shown', 'excepted', 'wrong'] as const) totals[name] += counts[name];
  console.log(formatRow(folder, counts));
  if (values.verbose || values.show) console.log(lines.join('\n'));
}
console.log(formatRow('total', totals));

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        verbose: { type: 'boolean', short: 'v', default: false },
        show: { type: 'boolean', default: false },
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
function isMeant(given: string, folder: string): boolean {
  return listFolders().includes(given) ? given === folder : folder.startsWith(given);
}

function formatRow(name: string, { carried, shown, excepted, wrong }: typeof totals): string {
  const percent = carried === 0 ? '' : ((100 * shown) / carried).toFixed(1);
  const cells = [String(carried).padStart(7), String(shown).padStart(7), percent.padStart(7)];
  return `${name.padEnd(30)}${cells.join('')}${String(excepted).padStart(10)}${String(wrong).padStart(7)}`;
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
      ...span.events.map((event) => `      event ${event.name} ${cut(JSON.stringify(event.attributes))}`),
    ]),
  ];
}
