/**
 * Makes requests from the OpenAPI document for as long as one likes, with authentication and without: `npm run openapi -- --examples 200`.
 * @see docs/reliability.md
 */
import { parseArgs } from 'node:util';
import { installPythonClients, findPython } from '../harness/python.ts';
import { startTestServer } from '../harness/server.ts';
import { type Caller, CALLERS } from './callers.ts';
import { runTester } from './run-tester.ts';
import { storeData } from './stored-data.ts';

const USAGE = `npm run openapi -- [options]

  --examples N  random requests of each operation, beside those of all bounds; 50
  --minutes N   ends the run after so many minutes, and names what was not asked; 30
  --seed N      repeats the requests of a run; otherwise at random`;

const PHASES = ['coverage', 'fuzzing'];

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { examples: text, minutes: text, seed: text, help: { type: 'boolean' } } });
if (values.help) console.log(USAGE);
else {
  const { examples = '50', minutes = '30', seed = String(Date.now() % 100_000) } = values;
  process.exitCode = await run(examples, Number(minutes), seed);
}

async function run(examples: string, minutes: number, seed: string): Promise<number> {
  if (!(minutes > 0)) {
    console.error('cairn: --minutes takes a number above 0.');
    return 1;
  }
  const problem = await installPythonClients();
  const { program: python } = findPython();
  if (python === null) {
    console.error(`cairn: ${problem}`);
    return 1;
  }
  const signal = AbortSignal.timeout(minutes * 60_000);
  const passed = await Promise.all(CALLERS.map((caller) => askAs(caller, { python, examples, seed, signal })));
  return passed.every(Boolean) ? 0 : 1;
}

/** How a caller asks. */
interface Run {
  readonly python: string;
  readonly examples: string;
  readonly seed: string;
  readonly signal: AbortSignal;
}

/** Prints what was found. Most of the time goes into making requests, so callers ask side by side. Returns whether nothing was found. */
async function askAs({ who, settings, headers }: Caller, { python, examples, seed, signal }: Run): Promise<boolean> {
  await using server = await startTestServer(settings);
  await storeData(server.url, headers);
  let isFound = false;
  let count = 0;
  const asked = new Map(PHASES.map((phase) => [phase, 0]));
  const { code, output } = await runTester(server.url, {
    python,
    headers,
    signal,
    parameters: [
      '--phases',
      PHASES.join(),
      '--max-examples',
      examples,
      '--seed',
      seed,
      '--generation-database',
      'none',
    ],
    onAsked({ phase, operation, place, of, requests, seconds, isFailed }) {
      isFound ||= isFailed;
      count = of;
      asked.set(phase, place);
      const judged = isFailed ? ', FAILED' : '';
      console.log(
        `${who}, ${phase} ${place}/${of}: ${operation}, ${requests} requests in ${seconds.toFixed(1)} s${judged}`,
      );
    },
  });
  console.log(`${who}, seed ${seed}:\n${output}${server.complaints.join('\n')}`);
  if (signal.aborted) {
    const left = [...asked].map(([phase, place]) => `${phase} ${count - place} of ${count}`);
    console.log(`${who}: ended by --minutes. Operations that were not asked for: ${left.join(', ')}.`);
  }
  return !isFound && (code === 0 || signal.aborted) && server.complaints.length === 0;
}
