/**
 * Builds dist/ui/, the web UI: GraphQL documents → artifacts → browser code; and dist/graphiql/, the page at /graphql.
 * Each text is also compressed beside itself, for browsers that take it so.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = `${ROOT}/dist`;

/** Smaller answers fit one packet either way. */
const MIN_COMPRESSED_BYTES = 1024;

const { status } = spawnSync(process.execPath, ['node_modules/relay-compiler/cli.js'], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (status !== 0) throw new Error('relay-compiler failed; its message is above.');

// A test runner's own value would build React as it is for development.
process.env['NODE_ENV'] = 'production';
await build({ configFile: `${ROOT}/ui/vite.config.ts`, logLevel: 'warn' });
await build({ configFile: `${ROOT}/ui/graphiql/vite.config.ts`, logLevel: 'warn' });

// Vite collects the licences of scripts alone.
for (const font of ['inter', 'jetbrains-mono']) {
  copyFileSync(`${ROOT}/node_modules/@fontsource-variable/${font}/LICENSE`, `${DIST}/ui/LICENSE-${font}.txt`);
}

for (const path of globSync('{ui,graphiql}/**/*.{js,css,svg}', { cwd: DIST })) {
  const bytes = readFileSync(`${DIST}/${path}`);
  if (bytes.length < MIN_COMPRESSED_BYTES) continue;
  writeFileSync(`${DIST}/${path}.br`, brotliCompressSync(bytes));
  writeFileSync(`${DIST}/${path}.gz`, gzipSync(bytes, { level: 9 }));
}
