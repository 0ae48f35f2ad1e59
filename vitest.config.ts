import { defineConfig } from 'vitest/config';
import { listEngineTests } from './test/harness/engine-tests.ts';
import { findPostgres } from './test/harness/postgres/find-postgres.ts';
import { temporaryInMemory } from './test/harness/shared-memory.ts';

/** Servers of tests run their threads from a bundle. */
const BUNDLED_THREADS = ['test/harness/bundled-threads.ts'];

/** Of PostgreSQL alone, and too long for each run. */
const COMMANDS_ON_POSTGRES = 'test/servers/commands.test.ts';

/** Tests of whole servers that hold on every engine. */
const SERVERS_ON_POSTGRES = [
  'test/{ingestion,graphql}/*.test.ts',
  'test/server/{search,graphql,spans-over-rest,accounts,api-keys,applications,application-grants,application-discovery,operator-commands}.test.ts',
  COMMANDS_ON_POSTGRES,
];

/** Reverse proxies, where they are installed. */
const PROXIES = ['test/ui/proxies.test.ts', 'test/servers/one-address.test.ts'];

/** Skipped, with the reason, where there is no PostgreSQL. */
const SAYS_WHY_NOT = 'src/store/dialect/dialect.test.ts';

export default defineConfig({
  test: {
    // One more than two cores: most tests wait for a server or a browser.
    maxWorkers: 3,
    env: temporaryInMemory(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes when it comes, on a slow machine too.
    // Each look takes processor time from what the test waits for.
    expect: { poll: { timeout: 50_000, interval: 150 } },
    // Node runs the sources as they are: what Vite makes of them takes longer to make, and runs slower.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'ui/**/*.test.ts', 'scripts/**/*.test.ts'],
          globalSetup: ['test/harness/postgres/shared-cluster.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit-postgres',
          include: findPostgres().kind === 'none' ? [SAYS_WHY_NOT] : listEngineTests(),
          env: { CAIRN_TEST_ENGINE: 'postgres' },
          globalSetup: ['test/harness/postgres/shared-cluster.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          setupFiles: BUNDLED_THREADS,
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/packaging/**', 'test/ui/**', COMMANDS_ON_POSTGRES, ...PROXIES],
          globalSetup: ['test/harness/bundled-program.ts', 'test/harness/postgres/shared-cluster.ts'],
          pool: 'forks',
          // A server's modules are read once a worker.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          setupFiles: BUNDLED_THREADS,
          name: 'integration-postgres',
          include: findPostgres().kind === 'none' ? [SAYS_WHY_NOT] : SERVERS_ON_POSTGRES,
          exclude: ['**/node_modules/**', 'test/graphql/statements.test.ts'],
          env: { CAIRN_TEST_ENGINE: 'postgres' },
          globalSetup: ['test/harness/bundled-program.ts', 'test/harness/postgres/shared-cluster.ts'],
          pool: 'forks',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          setupFiles: BUNDLED_THREADS,
          name: 'ui',
          include: ['test/ui/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...PROXIES],
          env: { CAIRN_TEST_KEEPS_ADDRESS: '1' },
          globalSetup: ['test/ui/build-pages.ts', 'test/harness/bundled-program.ts'],
          pool: 'forks',
          // Files of a worker share its browser.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          setupFiles: BUNDLED_THREADS,
          name: 'proxies',
          include: PROXIES,
          globalSetup: [
            'test/ui/build-pages.ts',
            'test/harness/bundled-program.ts',
            'test/harness/postgres/shared-cluster.ts',
          ],
          pool: 'forks',
        },
      },
      {
        extends: true,
        test: {
          name: 'packaging',
          include: ['test/packaging/**/*.test.ts'],
          pool: 'forks',
        },
      },
    ],
  },
});
