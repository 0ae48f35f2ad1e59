#!/usr/bin/env node
// Starts the program. No dependency and no newer syntax: an older Node must be able to read this file, and must leave it
// before anything native is loaded, which would crash it without a word.
import { existsSync } from 'node:fs';
import module from 'node:module';

const REQUIRED_MAJOR = 24;

const bundle = new URL('../dist/main.js', import.meta.url);
const source = new URL('../src/main.ts', import.meta.url);

if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
  const command = existsSync(source) ? 'npm start' : 'npx -y -p node@24 -p cairn cairn serve';
  console.error(
    `Cairn needs Node ${REQUIRED_MAJOR}, and this is ${process.versions.node}. This brings the right one: ${command}`,
  );
  process.exitCode = 1;
} else {
  module.enableCompileCache();
  void import(existsSync(bundle) ? bundle : source);
}
