/**
 * Makes requests from the OpenAPI document for as long as one likes, with authentication and without: `npm run openapi -- --examples 200`.
 * @see docs/reliability.md
 */
import { parseArgs } from 'node:util';
import { installPythonClients, findPython } from '../harness/python.ts';
import { startTestServer } from '../harness/server.ts';
import { CALLERS } from './callers.ts';
import { runTester } from './run-tester.ts';
import { storeData } from './stored-data.ts';

const USAGE = `npm run openapi -- [options]

  --examples N  requests of each operation and kind; 100
  --seed N      repeats the requests of a run; otherwise at random`;

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { examples: text, seed: text, help: { type: 'boolean' } } });
if (values.help) console.log(USAGE);
else process.exitCode = await run(values.examples ?? '100', values.seed ?? String(Date.now() % 100_000));

async function run(examples: string, seed: string): Promise<number> {
  const problem = await installPythonClients();
  const { program: python } = findPython();
  if (python === null) {
    console.error(`cairn: ${problem}`);
    return 1;
  }
  let failed = 0;
  for (const { who, settings, headers } of CALLERS) {
    await using server = await startTestServer(settings);
    await storeData(server.url, headers);
    const parameters = [
      '--phases',
      'coverage,fuzzing',
      '--max-examples',
      examples,
      '--seed',
      seed,
      '--generation-database',
      'none',
    ];
    const { code, output } = await runTester(server.url, { python, headers, parameters });
    console.log(`${who}, seed ${seed}:\n${output}${server.complaints.join('\n')}`);
    if (code !== 0 || server.complaints.length > 0) failed = 1;
  }
  return failed;
}
