/** Builds all but the web UI into the folder that is named. */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundleProgram } from './bundle/program.ts';

const FOLDER = resolve(process.argv[2] ?? 'dist');

rmSync(FOLDER, { recursive: true, force: true });
await bundleProgram(FOLDER);
