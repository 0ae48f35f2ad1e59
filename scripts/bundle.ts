/**
 * Builds dist/: one bundle for the program and one for each thread (a file named `…-thread.ts`), flat beside each other so
 * that `threadEntry` finds them; the code they share goes into chunks. npm packages stay outside. The pages that show the
 * OpenAPI document come from swagger-ui-dist, with its licences.
 */
import { copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = `${ROOT}/dist`;
const DOCS_UI_FILES = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
];

async function bundleSources(): Promise<void> {
  const entries = ['src/main.ts', ...globSync('src/**/*-thread.ts', { cwd: ROOT })];
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(entries.map((path) => [basename(path, '.ts'), path])),
    platform: 'node',
    external: (id) => !/^[.#/]|^[A-Za-z]:[\\/]/.test(id),
    onLog(level, log, handle) {
      handle(level === 'warn' ? 'error' : level, log);
    },
  });
  await bundle.write({ dir: DIST, format: 'esm', sourcemap: true, chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
}

function copyDocsUi(): void {
  mkdirSync(`${DIST}/docs-ui`, { recursive: true });
  for (const file of DOCS_UI_FILES) {
    copyFileSync(`${ROOT}/node_modules/swagger-ui-dist/${file}`, `${DIST}/docs-ui/${file}`);
  }
}

rmSync(DIST, { recursive: true, force: true });
await bundleSources();
copyDocsUi();
