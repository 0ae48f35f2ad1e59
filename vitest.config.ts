import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One a core: most tests wait for a server or a browser, and one at a time takes twice as long on two cores.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Node and Vite choose different files of graphql: what builds on it must get the one that we get.
    server: { deps: { inline: ['@pothos/core'] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'ui/**/*.test.ts', 'scripts/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/packaging/**', 'test/ui/**'],
          pool: 'forks',
        },
      },
      {
        extends: true,
        test: {
          name: 'ui',
          include: ['test/ui/**/*.test.ts'],
          globalSetup: ['test/ui/build-pages.ts'],
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
