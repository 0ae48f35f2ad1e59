/**
 * Flips bytes in the pages of a data file and compares what a server answers with what it answered before: `npm run damage`. It ends
 * with code 1 where a flip in the pages of blocks alters an answer, or is not named.
 * @see docs/reliability.md
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Answers, compareAnswers, flipBytes, readAnswers, storeTraces } from '../test/durability/damage.ts';
import { startServerProcess } from '../test/harness/server-process.ts';
import { randomNumbers } from '../test/traffic/random.ts';

const { values } = parseArgs({
  options: {
    traces: { type: 'string', default: '600' },
    blocks: { type: 'string', default: '300' },
    others: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const [traces, seed] = [Number(values.traces), Number(values.seed)];

const folder = mkdtempSync(join(tmpdir(), 'cairn-damage-'));
try {
  const whole = join(folder, 'whole');
  const first = await startServerProcess(whole);
  await storeTraces(first.url, traces, 3);
  const before = await readAnswers(first.url, traces);
  await first.end('SIGTERM');
  const ofBlocks = await damage('blocks', Number(values.blocks), (table) => table.startsWith('block'), before);
  await damage('other tables', Number(values.others), (table) => !table.startsWith('block'), before);
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
