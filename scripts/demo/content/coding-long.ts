import { type CodingStep, type CodingTask, edit, failing, read, run, search, step } from './coding-script.ts';

/** A test file to move from one runner to another, and what is special about it. */
type MigratedFile = readonly [name: string, testCount: number, quirk: string, fix: string];

const FILES: readonly MigratedFile[] = [
  [
    'auth/login',
    14,
    'uses `this.timeout(5000)` in a `before` hook',
    'the limit moves to the second argument of `beforeAll`',
  ],
  ['auth/token', 9, 'stubs the clock with sinon', '`vi.useFakeTimers` with the same start date'],
  ['auth/roles', 22, 'builds its cases in a loop over a table', '`it.each` over the same table'],
  [
    'cart/totals',
    31,
    'compares floats with `closeTo`',
    '`toBeCloseTo` counts digits instead of a delta, so 0.005 becomes 2',
  ],
  ['cart/merge', 12, 'relies on the order of object keys', 'the assertion sorts the keys first'],
  ['cart/voucher', 17, 'calls `done` after a callback', 'the callback becomes a promise that the test awaits'],
  ['catalog/search', 26, 'has two tests of the same name', 'the second one says what differs: "ignores accents"'],
  ['catalog/facets', 19, 'shares a fixture that a test changes', 'each test gets a copy by `structuredClone`'],
  ['catalog/images', 8, 'reads files relative to the working directory', 'paths go through `import.meta.dirname`'],
  ['customer/profile', 13, 'uses chai-as-promised', '`await expect(…).rejects.toThrow`'],
  ['customer/address', 24, 'runs only in one time zone', 'the zone is pinned in the config'],
  ['customer/privacy', 11, 'deletes rows of the shared database', 'runs in a transaction that is rolled back'],
  ['invoice/number', 7, 'depends on a test that ran before it', 'a `beforeEach` that seeds the counter'],
  ['invoice/pdf', 6, 'compares bytes of a PDF with a date inside', 'the clock is fixed, so the bytes are stable'],
  ['invoice/tax', 38, 'uses `should` style', 'translated to `expect`, one assertion a line'],
  ['mail/queue', 15, 'waits 300 ms and hopes', 'waits for the event instead'],
  ['mail/template', 21, 'snapshots in one JSON file', 'inline snapshots beside the test'],
  ['payment/capture', 16, 'mocks a module with proxyquire', '`vi.mock` with a factory'],
  ['payment/refund', 18, 'expects an error by message text', 'checks the error code, the text changes per language'],
  ['payment/webhook', 20, 'starts a server on port 4000', 'port 0 and the address it got'],
  ['report/monthly', 10, 'skips a test since 2023', 'the test passes now; the skip is gone'],
  ['report/export', 12, 'holds a 3 MB expected string', 'a fixture file with a checksum'],
  ['stock/reserve', 27, 'is slow because of bcrypt', 'cost 4 in tests by configuration'],
  ['stock/transfer', 14, 'leaves a timer behind, so that the runner hangs', 'an `afterEach` that stops the worker'],
];

/** Fifty model calls in one turn, with a history that grows by each of them. */
export const MIGRATION_TASK: CodingTask = {
  repository: 'shop-monolith',
  language: 'TypeScript',
  issue: 'SHOP-2020',
  turns: [
    {
      request:
        'Please migrate all our tests from Mocha/Chai to Vitest, file by file, and run each one after you changed it. Do not weaken any assertion. SHOP-2020',
      steps: [
        step(
          'I list what there is before I touch anything.',
          run(
            'find test -name "*.spec.ts" | wc -l && npx mocha --dry-run | tail -1',
            0,
            `${FILES.length}\n${FILES.reduce((sum, [, count]) => sum + count, 0)} tests`,
          ),
        ),
        ...FILES.flatMap(migrateFile),
      ],
      answer: `All ${FILES.length} files are on Vitest, with **${FILES.reduce((sum, [, count]) => sum + count, 0)} tests** as before and no assertion weakened. Eight files had hidden problems that the old runner did not show (shared fixtures, an order dependence, a test skipped since 2023, a timer left behind); each is described in the commit for its file. The whole suite takes 21 s instead of 94 s. Mocha, Chai, sinon and proxyquire can be removed from \`package.json\`.`,
    },
  ],
};

function migrateFile([name, testCount, quirk, fix]: MigratedFile, position: number): CodingStep[] {
  const path = `test/${name}.spec.ts`;
  const subject = name.split('/')[1] ?? name;
  const converted = run(
    `npx vitest run ${path}`,
    0,
    ` ✓ ${path} (${testCount} tests)\n      Tests  ${testCount} passed (${testCount})`,
  );
  const isFirstTryBroken = position % 7 === 3;
  return [
    step(
      `File ${position + 1} of ${FILES.length}: ${name}. I read it first.`,
      read(
        path,
        `1   import { expect } from 'chai';\n2   import sinon from 'sinon';\n3   import { ${subject} } from '../../src/${name}.js';\n4   \n5   describe('${name}', function () {\n6     // ${testCount} tests; this file ${quirk.replaceAll('`', '')}\n7     beforeEach(function () { this.sandbox = sinon.createSandbox(); });\n8     afterEach(function () { this.sandbox.restore(); });`,
      ),
    ),
    step(
      `It ${quirk}. The way out: ${fix}.`,
      edit(
        path,
        "import { expect } from 'chai';\nimport sinon from 'sinon';",
        "import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';",
      ),
      isFirstTryBroken
        ? failing(
            run(`npx vitest run ${path}`, 1, ''),
            `exit code 1: ReferenceError: sinon is not defined at ${path}:7`,
          )
        : converted,
      ...(isFirstTryBroken
        ? [edit(path, 'this.sandbox = sinon.createSandbox();', 'vi.restoreAllMocks();'), converted]
        : []),
    ),
  ];
}

// biome-ignore format: a list of names
const RENAMED_FILES = [
  'client/http', 'client/grpc', 'client/pool', 'client/retry', 'config/defaults', 'config/env', 'config/schema', 'jobs/billing',
  'jobs/cleanup', 'jobs/export', 'jobs/import', 'jobs/mail', 'jobs/report', 'queue/consumer', 'queue/producer', 'queue/dead-letter',
  'sync/calendar', 'sync/contacts', 'sync/files', 'sync/orders', 'sync/prices', 'sync/stock', 'webhook/deliver', 'webhook/sign',
  'webhook/verify', 'search/indexer', 'search/reindex', 'search/suggest', 'storage/s3', 'storage/gcs', 'storage/local', 'mail/smtp',
  'mail/bounce', 'auth/oidc', 'auth/ldap', 'auth/refresh', 'cache/redis', 'cache/memory', 'events/bus', 'events/outbox',
  'feature/flags', 'geo/lookup', 'image/resize', 'payment/client',
];

/** More than forty tool calls, eight at a time. */
export const RENAME_TASK: CodingTask = {
  repository: 'platform-core',
  language: 'TypeScript',
  issue: 'CORE-771',
  turns: [
    {
      request:
        'Rename the option `maxRetries` to `retryLimit` everywhere and keep the old name working with a warning for one release.',
      steps: [
        step(
          'Where is it used?',
          search(
            'maxRetries',
            ...RENAMED_FILES.map((name, position) => `src/${name}.ts:${12 + ((position * 29) % 90)}: maxRetries`),
          ),
        ),
        ...chunk(RENAMED_FILES, 8).map((names, position) =>
          step(
            `Batch ${position + 1}: ${names.length} files at once, they do not depend on each other.`,
            ...names.map((name) => edit(`src/${name}.ts`, 'maxRetries', 'retryLimit')),
          ),
        ),
        step(
          'Now the old name, in the one place where options are read.',
          edit(
            'src/config/schema.ts',
            'retryLimit: z.number().int().min(0).default(3),',
            'retryLimit: z.number().int().min(0).default(3),\n  /** Old name of retryLimit; read with a warning until 9.0. */\n  maxRetries: z.number().int().min(0).optional(),',
          ),
          run('npx tsc -p . && npx vitest run', 0, ' Test Files  118 passed (118)\n      Tests  1204 passed (1204)'),
        ),
      ],
      answer: `Renamed in ${RENAMED_FILES.length} files. \`maxRetries\` still works: the schema reads it, warns once, and goes away in 9.0. Type check and all 1,204 tests pass.`,
    },
  ],
};

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, position) =>
    items.slice(position * size, (position + 1) * size),
  );
}
