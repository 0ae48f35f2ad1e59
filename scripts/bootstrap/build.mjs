// Builds dist/ when the sources are not those it was built from.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, announce, runStep } from './run.mjs';

const DIST = join(ROOT, 'dist');
const NEXT = join(ROOT, '.cairn-next');
const LAST = join(ROOT, '.cairn-last');

/** Says in the build what it was made from. */
const MARKER = '.built-from';

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
  if (readIfThere(join(DIST, MARKER)) !== hashSources(ROOT)) build(node);
}

/** Builds with the given Node, beside dist/ and then into its place: a server may be serving what is there. */
export function build(node) {
  announce('building dist/');
  for (const script of ['scripts/bundle.ts', 'scripts/bundle-ui.ts']) {
    runStep(node, [script, NEXT], { hint: 'the build failed; its message is above.' });
  }
  writeFileSync(join(NEXT, MARKER), hashSources(ROOT));
  rmSync(LAST, { recursive: true, force: true });
  if (existsSync(DIST)) renameSync(DIST, LAST);
  renameSync(NEXT, DIST);
  rmSync(LAST, { recursive: true, force: true });
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

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // never built
  }
}
