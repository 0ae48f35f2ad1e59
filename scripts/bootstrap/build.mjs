// Builds dist/ when the sources are not those it was built from.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, announce, runStep } from './run.mjs';

/** Everything that decides what the build puts out, the names of files included. */
const INPUTS = [
  'src',
  'ui',
  'docs/schema.graphql',
  'relay.config.json',
  'scripts/bundle',
  'scripts/bundle.ts',
  'scripts/bundle-ui.ts',
  'package.json',
  'package-lock.json',
];

/** Builds with the given Node unless dist/ is from these very sources. */
export function ensureBuilt(node) {
  if (readIfThere(markerOf(ROOT)) !== hashSources(ROOT)) build(node);
}

/** Builds with the given Node. */
export function build(node) {
  announce('building dist/');
  for (const script of ['scripts/bundle.ts', 'scripts/bundle-ui.ts']) {
    runStep(node, [script], { hint: 'the build failed; its message is above.' });
  }
  writeFileSync(markerOf(ROOT), hashSources(ROOT));
}

/** A digest of the sources of the checkout `root`, tests left out; equal for equal contents, whatever the files' times are. */
export function hashSources(root) {
  const hash = createHash('sha256');
  for (const path of INPUTS.flatMap((input) => filesBelow(root, input))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(root, path) {
  if (path.endsWith('/__generated__')) return [];
  if (statSync(join(root, path)).isFile()) return path.endsWith('.test.ts') ? [] : [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(root, `${path}/${name}`));
}

function markerOf(root) {
  return join(root, 'dist/.built-from');
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // never built
  }
}
