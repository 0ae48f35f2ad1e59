/** Builds dist/ but for the web UI. */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundleProgram } from './bundle/program.ts';

const DIST = resolve(import.meta.dirname, '../dist');

rmSync(DIST, { recursive: true, force: true });
await bundleProgram(DIST);
