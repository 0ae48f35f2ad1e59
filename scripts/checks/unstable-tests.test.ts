import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Runs tests that pass at the second attempt only. */
async function runUnstable(count: number): Promise<{ readonly code: unknown; readonly output: string }> {
  // Below the checkout, whose packages the tests import.
  using folder = createFolder();
  writeFileSync(
    join(folder.path, 'unstable.test.js'),
    `import { expect, it } from 'vitest';
    let runs = 0;
    for (let place = 1; place <= ${count}; place++) it(\`fails once \${place}\`, () => expect(runs++ % 2).toBe(1));`,
  );
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const reporter = join(ROOT, 'scripts/checks/unstable-tests.ts');
  const options = ['run', '--retry=1', '--root', folder.path, `--reporter=${reporter}`];
  return await new Promise((done) => {
    execFile(process.execPath, [vitest, ...options], (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

function createFolder() {
  const path = mkdtempSync(join(ROOT, '.cairn-unstable-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

it('names three unstable tests, and fails a run with four', async () => {
  const [three, four] = await Promise.all([runUnstable(3), runUnstable(4)]);
  expect(three.code).toBe(0);
  expect(three.output).toContain('unstable.test.js > fails once 3');
  expect(four.code).toBe(1);
});
