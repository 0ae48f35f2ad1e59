import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { findPostgres } from './test/harness/postgres/find-postgres.ts';

/** Servers of tests run their threads from a bundle. */
const BUNDLED_THREADS = {
  '#base/thread-entry': fileURLToPath(new URL('test/harness/thread-entry.ts', import.meta.url)),
};

/** Tests of the store that hold on every engine: they open it by `openTestEngine`. */
const STORE_ON_POSTGRES = [
  'src/store/engine/*.test.ts',
  'src/store/queries/prepared-query.test.ts',
  'src/store/spans/{read/store.contract,read/list-traces,write/count-calls}.test.ts',
  'src/store/logs/{read,rows,write}/*.test.ts',
  'src/store/writer/{writer,long-texts}.test.ts',
  'src/store/compaction/compaction.test.ts',
  'src/store/deletion/*.test.ts',
  'src/store/columns/{attribute-paths,boundaries,chunk-reader,collect-attributes,columns,segment-screen}.test.ts',
  'src/store/query/{query,grains/grains,spans/browse-by-subtree,spans/owned-spans}.test.ts',
  'src/store/aggregates/{aggregates,facets,grains,root-batches,sessions,traces}.test.ts',
  'src/store/prices/prices.test.ts',
  'src/store/retention/retainer.test.ts',
  'src/store/reindex/reindex.test.ts',
  'src/store/*.test.ts',
  'src/store/projects/*.test.ts',
  'src/store/search/{as-if-read-through,hostile-texts,search,search-page}.test.ts',
  'src/resources/{deletion,models}/rest.test.ts',
  'src/resources/retention/operations.test.ts',
];

/** Of PostgreSQL alone, and too long for each run. */
const COMMANDS_ON_POSTGRES = 'test/servers/commands.test.ts';

/** Tests of whole servers that hold on every engine. */
const SERVERS_ON_POSTGRES = [
  'test/{ingestion,graphql}/*.test.ts',
  'test/server/{search,graphql,spans-over-rest}.test.ts',
  COMMANDS_ON_POSTGRES,
];

/** Reverse proxies, where they are installed. */
const PROXIES = ['test/ui/proxies.test.ts', 'test/servers/one-address.test.ts'];

/** Skipped, with the reason, where there is no PostgreSQL. */
const SAYS_WHY_NOT = 'src/store/dialect/dialect.test.ts';

export default defineConfig({
  test: {
    // One a core: most tests wait for a server or a browser, and one at a time takes twice as long on two cores.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes when it comes, on a slow machine too.
    expect: { poll: { timeout: 50_000 } },
    // Node and Vite choose different files of graphql: what builds on it must get the one that we get.
    server: { deps: { inline: ['@pothos/core'] } },
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
          include: findPostgres().kind === 'none' ? [SAYS_WHY_NOT] : STORE_ON_POSTGRES,
          exclude: ['**/node_modules/**', '**/*.sqlite.test.ts'],
          env: { CAIRN_TEST_ENGINE: 'postgres' },
          globalSetup: ['test/harness/postgres/shared-cluster.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        resolve: { alias: BUNDLED_THREADS },
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/packaging/**', 'test/ui/**', COMMANDS_ON_POSTGRES, ...PROXIES],
          globalSetup: ['test/harness/bundled-program.ts', 'test/harness/postgres/shared-cluster.ts'],
          pool: 'forks',
        },
      },
      {
        extends: true,
        resolve: { alias: BUNDLED_THREADS },
        test: {
          name: 'integration-postgres',
          include: findPostgres().kind === 'none' ? [SAYS_WHY_NOT] : SERVERS_ON_POSTGRES,
          exclude: ['**/node_modules/**', 'test/graphql/statements.test.ts'],
          env: { CAIRN_TEST_ENGINE: 'postgres' },
          globalSetup: ['test/harness/bundled-program.ts', 'test/harness/postgres/shared-cluster.ts'],
          pool: 'forks',
        },
      },
      {
        extends: true,
        resolve: { alias: BUNDLED_THREADS },
        test: {
          name: 'ui',
          include: ['test/ui/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...PROXIES],
          globalSetup: ['test/ui/build-pages.ts', 'test/harness/bundled-program.ts'],
          pool: 'forks',
        },
      },
      {
        extends: true,
        resolve: { alias: BUNDLED_THREADS },
        test: {
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
