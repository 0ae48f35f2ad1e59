/**
 * Builds the web UI into ui/ in the folder that is named: GraphQL documents → artifacts → browser code.
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
const outDir = `${FOLDER}/ui`;
await build({ configFile: `${ROOT}/ui/vite.config.ts`, logLevel: 'warn', build: { outDir, emptyOutDir: true } });

// Vite collects the licences of scripts alone.
for (const font of ['inter', 'jetbrains-mono']) {
  copyFileSync(`${ROOT}/node_modules/@fontsource-variable/${font}/LICENSE`, `${outDir}/LICENSE-${font}.txt`);
}

for (const path of globSync('**/*.{js,css,svg}', { cwd: outDir })) {
  const bytes = readFileSync(`${outDir}/${path}`);
  if (bytes.length < MIN_COMPRESSED_BYTES) continue;
  writeFileSync(`${outDir}/${path}.br`, brotliCompressSync(bytes));
  writeFileSync(`${outDir}/${path}.gz`, gzipSync(bytes, { level: 9 }));
}
