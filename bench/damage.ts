/**
 * Flips bytes in the pages of a data file and compares what a server answers with what it answered before: `npm run damage`. It ends
 * with code 1 where a flip in the pages of blocks alters an answer, or is not named.
 * @see docs/reliability.md
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Damage } from '#store/engine/damage';
import { verifyDatabase } from '#store/verify-database';
import { type Answers, compareAnswers, flipBytes, readAnswers, storeTraces } from '../test/durability/damage.ts';
import { startServerProcess } from '../test/harness/server-process.ts';
import { randomNumbers } from '../test/traffic/random.ts';

const { values } = parseArgs({
  options: {
    traces: { type: 'string', default: '600' },
    blocks: { type: 'string', default: '300' },
    others: { type: 'string', default: '100' },
    singles: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const [traces, seed] = [Number(values.traces), Number(values.seed)];
const FEW_TRACES = 60;

const folder = mkdtempSync(join(tmpdir(), 'cairn-damage-'));
try {
  const whole = join(folder, 'whole');
  const first = await startServerProcess(whole);
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
  const pageCount = flipBytes(join(copy, 'cairn.db'), flips, isWanted, randomNumbers(seed));
  const server = await startServerProcess(copy);
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
  const first = await startServerProcess(whole);
  await storeTraces(first.url, FEW_TRACES, 3);
  const before = await readAnswers(first.url, FEW_TRACES);
  await first.end('SIGTERM');
  const pick = randomNumbers(seed);
  const count = { named: 0, byIndexes: 0, refused: 0, altered: 0, missed: 0, unsaid: 0 };
  for (let flip = 0; flip < flips; flip++) {
    const copy = join(folder, 'single');
    rmSync(copy, { recursive: true, force: true });
    cpSync(whole, copy, { recursive: true });
    flipBytes(join(copy, 'cairn.db'), 1, (table) => !table.startsWith('block'), pick);
    const { isNamed, isByIndexes } = await verify(join(copy, 'cairn.db'));
    if (isNamed) count.named++;
    if (isByIndexes) count.byIndexes++;
    const server = await startServerProcess(copy).catch(() => undefined);
    if (server === undefined) {
      count.refused++;
      continue;
    }
    const { altered, unsaid } = compareAnswers(before, await readAnswers(server.url, FEW_TRACES));
    await server.end('SIGKILL');
    if (altered > 0) count.altered++;
    if (unsaid.length > 0) count.missed++;
    if (!isNamed && (altered > 0 || unsaid.length > 0)) count.unsaid++;
  }
  console.log(
    `${flips} single bytes of other tables: the verification named ${count.named}, ${count.byIndexes} of them by comparing rows with indexes alone; ${count.altered} altered an answer, ${count.missed} left something out unsaid, ${count.unsaid} of these were not named; with ${count.refused} the server did not start`,
  );
}

/** What the verification that a server makes finds. */
async function verify(path: string) {
  try {
    const { damage, differingRowCount } = await verifyDatabase(
      { engine: 'sqlite', path, blockAboveBytes: null },
      () => undefined,
    );
    const isOfTables = ({ message }: Damage) => /^(The index|Rows of the table) /.test(message);
    const isNamed = damage.length > 0 || differingRowCount > 0;
    return { isNamed, isByIndexes: isNamed && differingRowCount === 0 && damage.every(isOfTables) };
  } catch {
    return { isNamed: true, isByIndexes: false };
  }
}
