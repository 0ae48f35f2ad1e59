/** Gives way, and tells its own priority and that of the main thread. */
import { readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { yieldToOthers } from './thread-priority.ts';

yieldToOthers();
const thread = Number(basename(readlinkSync('/proc/thread-self')));
parentPort?.postMessage({ ofThread: getPriority(thread), ofProcess: getPriority(process.pid) });
