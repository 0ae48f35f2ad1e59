/**
 * Flips bytes in the pages of a data file and compares what a server answers with what it answered before: `npm run damage`. It ends
 * with code 1 where a flip in the pages of blocks alters an answer, or is not named. Single flips end after `--minutes`, with those that were made.
 * @see docs/reliability.md
 */
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage } from '#base/errors';
import type { Damage } from '#store/engine/damage';
import { verifyDatabase } from '#store/verify-database';
import {
  type Answers,
  compareAnswers,
  type Damaged,
  flipBytes,
  readAnswers,
  storeTraces,
} from '../test/durability/damage.ts';
import { setup as bundleProgram } from '../test/harness/bundled-program.ts';
import { launchServerProcess } from '../test/harness/server-process.ts';
import { randomNumbers } from '../test/traffic/random.ts';

const { values } = parseArgs({
  options: {
    traces: { type: 'string', default: '600' },
    blocks: { type: 'string', default: '300' },
    others: { type: 'string', default: '100' },
    singles: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
});
const [traces, seed] = [Number(values.traces), Number(values.seed)];
const FEW_TRACES = 200;
const SERVED_MS = 60_000;
const MAX_STEPS = 10_000;

// From its sources, each server takes three times as long to start.
await bundleProgram();
const program = new URL('main.js', process.env['CAIRN_TEST_PROGRAM']);
const start = (data: string) => launchServerProcess(data, { program });

const folder = mkdtempSync(join(tmpdir(), 'cairn-damage-'));
try {
  const whole = join(folder, 'whole');
  const first = await start(whole).ready;
  await storeTraces(first.url, traces, 3);
  const before = await readAnswers(first.url, traces);
  await first.end('SIGTERM');
  const ofBlocks = await damage('blocks', Number(values.blocks), (table) => table.startsWith('block'), before);
  await damage('other tables', Number(values.others), (table) => !table.startsWith('block'), before);
  await damageOneByOne(Number(values.singles));
  if (ofBlocks.altered > 0 || ofBlocks.unsaid > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function damage(what: string, flips: number, isWanted: (table: string) => boolean, before: Answers) {
  const copy = join(folder, what.replaceAll(' ', '-'));
  cpSync(join(folder, 'whole'), copy, { recursive: true });
  const { pageCount } = flipBytes(join(copy, 'cairn.db'), flips, isWanted, randomNumbers(seed));
  const server = await start(copy).ready;
  try {
    const { altered, named, refused, unsaid } = compareAnswers(before, await readAnswers(server.url, traces));
    console.log(
      `${flips} bytes flipped in ${pageCount} pages of ${what}: ${altered} altered, ${named} of ${before.spans.size} spans named, ${refused} answers refused as damaged, ${unsaid.length} not said`,
    );
    for (const line of unsaid.slice(0, 20)) console.log(`  ${line.slice(0, 200)}`);
    return { altered, unsaid: unsaid.length };
  } finally {
    await server.end('SIGKILL');
  }
}

/** One byte of tables other than blocks, in a copy of its own each time: whether the verification names it, and whether answers differ. */
async function damageOneByOne(flips: number) {
  const whole = join(folder, 'small');
  const first = await start(whole).ready;
  await storeTraces(first.url, FEW_TRACES, 3);
  const before = await readAnswers(first.url, FEW_TRACES);
  await first.end('SIGTERM');
  const pick = randomNumbers(seed);
  const count = { named: 0, byIndexes: 0, refused: 0, altered: 0, missed: 0, unsaid: 0 };
  const endMs = performance.now() + Number(values.minutes) * 60_000;
  let done = 0;
  for (; done < flips && performance.now() < endMs; done++) {
    const copy = join(folder, 'single');
    rmSync(copy, { recursive: true, force: true });
    cpSync(whole, copy, { recursive: true });
    const { flipped } = flipBytes(join(copy, 'cairn.db'), 1, (table) => !table.startsWith('block'), pick);
    const startMs = performance.now();
    const { isNamed, isByIndexes } = await verify(join(copy, 'cairn.db'));
    const verifiedMs = performance.now();
    if (isNamed) count.named++;
    if (isByIndexes) count.byIndexes++;
    const answers = await answersBesideFlip(copy, before);
    if (answers === undefined) count.refused++;
    const { altered = 0, unsaid = [] } = answers ?? {};
    if (altered > 0) count.altered++;
    if (unsaid.length > 0) count.missed++;
    const isDifferent = altered > 0 || unsaid.length > 0;
    if (!isNamed && isDifferent) count.unsaid++;
    const outcome = `${isNamed ? 'named' : 'not named'}, ${answers === undefined ? 'no start' : isDifferent ? `${altered} altered, ${unsaid.length} not said` : 'same answers'}`;
    const seconds = [verifiedMs - startMs, performance.now() - verifiedMs].map((ms) => (ms / 1000).toFixed(1));
    console.log(`${done + 1} of ${flips}: ${flipped.join()}: ${outcome} (${seconds.join(' s verified, ')} s served)`);
    for (const line of unsaid.slice(0, 2)) console.log(`  ${line.slice(0, 200)}`);
  }
  console.log(
    `${done} single bytes of other tables: the verification named ${count.named}, ${count.byIndexes} of them by comparing rows with indexes alone; ${count.altered} altered an answer, ${count.missed} left something out unsaid, ${count.unsaid} of these were not named; with ${count.refused} the server did not start`,
  );
}

/** How the answers of a server differ; `undefined` where it does not start, or does not answer. */
async function answersBesideFlip(copy: string, before: Answers): Promise<Damaged | undefined> {
  const { child, ready } = start(copy);
  const exited = once(child, 'exit');
  const late = setTimeout(() => child.kill('SIGKILL'), SERVED_MS);
  try {
    const { url } = await ready;
    return compareAnswers(before, await readAnswers(url, FEW_TRACES));
  } catch {
    return undefined;
  } finally {
    clearTimeout(late);
    child.kill('SIGKILL');
    await exited;
  }
}

/** What the verification that a server makes finds. A bounded number of steps, as a damaged end of a table would have it go on for ever. */
async function verify(path: string) {
  let steps = 0;
  try {
    const { damage, differingRowCount } = await verifyDatabase(
      { engine: 'sqlite', path, blockAboveBytes: null },
      () => {
        if (++steps > MAX_STEPS) throw new Error('the verification does not end');
      },
    );
    const isOfTables = ({ message }: Damage) => /^(The index|Rows of the table) /.test(message);
    const isNamed = damage.length > 0 || differingRowCount > 0;
    return { isNamed, isByIndexes: isNamed && differingRowCount === 0 && damage.every(isOfTables) };
  } catch (error) {
    console.log(`  ${errorMessage(error)}`);
    return { isNamed: true, isByIndexes: false };
  }
}
