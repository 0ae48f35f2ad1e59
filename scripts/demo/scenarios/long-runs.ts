import { fill, readContent } from '../content.ts';
import type { ScriptedCall } from '../conversation.ts';
import { MODELS } from '../models.ts';
import type { Scenario } from '../scenario.ts';
import { isWeeklyHour } from '../schedule.ts';
import { type CodingStep, type CodingTask, recordTask } from './coding-agent.ts';

const TUESDAY = 2;
const WEDNESDAY = 3;

interface LongTask extends Omit<CodingTask, 'turns'> {
  readonly request: string;
  readonly answer: string;
}

interface MigratedFile {
  readonly name: string;
  readonly tests: number;
  readonly quirk: string;
  readonly fix: string;
}

/** Steps and calls that are written once and made for each of many files. */
const LONG = readContent<{
  readonly migration: LongTask & {
    readonly first: CodingStep;
    readonly smooth: readonly CodingStep[];
    readonly broken: readonly CodingStep[];
    readonly files: readonly MigratedFile[];
  };
  readonly rename: LongTask & {
    readonly search: string;
    readonly edit: ScriptedCall;
    readonly last: CodingStep;
    readonly files: readonly string[];
  };
}>('coding-long');

/** Once a week the agent works through fifty model calls in one trace, at any scale. */
export const LONG_MIGRATION: Scenario = {
  name: 'long-migration',
  isScaled: false,
  startsIn: (hourMs) => (isWeeklyHour(hourMs, WEDNESDAY, 14) ? 1 : 0),
  record: (random, startTimeMs) => {
    const { first, smooth, broken, files } = LONG.migration;
    const steps = files.flatMap((file, index) =>
      fill(index % 7 === 3 ? broken : smooth, {
        ...file,
        position: index + 1,
        subject: file.name.replace(/^.*\//, ''),
      }),
    );
    return recordTask(random, oneTurn(LONG.migration, [first, ...steps]), MODELS['claude-sonnet'], startTimeMs);
  },
};

/** Once a week one trace holds more than forty tool calls, eight at a time. */
export const WIDE_RENAME: Scenario = {
  name: 'wide-rename',
  isScaled: false,
  startsIn: (hourMs) => (isWeeklyHour(hourMs, TUESDAY, 10) ? 1 : 0),
  record: (random, startTimeMs) => {
    const { search, edit, last, files } = LONG.rename;
    const found = files.map((name, index) => `src/${name}.ts:${12 + ((index * 29) % 90)}: maxRetries`);
    const steps: CodingStep[] = [
      { thought: search, calls: [{ tool: 'search_code', arguments: { pattern: 'maxRetries' }, result: found }] },
    ];
    for (let start = 0; start < files.length; start += 8) {
      const batch = files.slice(start, start + 8);
      const thought = `Batch ${steps.length}: ${batch.length} files at once, they do not depend on each other.`;
      steps.push({ thought, calls: batch.map((name) => fill(edit, { name })) });
    }
    return recordTask(random, oneTurn(LONG.rename, [...steps, last]), MODELS['gpt-5-mini'], startTimeMs);
  },
};

function oneTurn(task: LongTask, steps: readonly CodingStep[]): CodingTask {
  return { ...task, turns: [{ request: task.request, steps, answer: task.answer }] };
}
