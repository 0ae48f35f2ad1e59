/**
 * Builds into the folder that is named: ui/, the web UI (GraphQL documents → artifacts → browser code), and graphiql/, the
 * page at /graphql.
 * Each text is also compressed beside itself, for browsers that take it so.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = resolve(process.argv[2] ?? 'dist');

/** Smaller answers fit one packet either way. */
const MIN_COMPRESSED_BYTES = 1024;

const { status } = spawnSync(process.execPath, ['node_modules/relay-compiler/cli.js'], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (status !== 0) throw new Error('relay-compiler failed; its message is above.');

// A test runner's own value would build React as it is for development.
process.env['NODE_ENV'] = 'production';
for (const [page, config] of [
  ['ui', 'ui/vite.config.ts'],
  ['graphiql', 'ui/graphiql/vite.config.ts'],
]) {
  const outDir = `${FOLDER}/${page}`;
  await build({ configFile: `${ROOT}/${config}`, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
}

// Vite collects the licences of scripts alone.
for (const font of ['inter', 'jetbrains-mono']) {
  copyFileSync(`${ROOT}/node_modules/@fontsource-variable/${font}/LICENSE`, `${FOLDER}/ui/LICENSE-${font}.txt`);
}

for (const path of globSync('{ui,graphiql}/**/*.{js,css,svg}', { cwd: FOLDER })) {
  const bytes = readFileSync(`${FOLDER}/${path}`);
  if (bytes.length < MIN_COMPRESSED_BYTES) continue;
  writeFileSync(`${FOLDER}/${path}.br`, brotliCompressSync(bytes));
  writeFileSync(`${FOLDER}/${path}.gz`, gzipSync(bytes, { level: 9 }));
}
