/** Gives way as often as it is told, and tells its own priority and that of the main thread. */
import { readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { yieldToOthers } from './thread-priority.ts';

for (const steps of workerData as readonly (number | undefined)[]) yieldToOthers(steps);
const thread = Number(basename(readlinkSync('/proc/thread-self')));
parentPort?.postMessage({ ofThread: getPriority(thread), ofProcess: getPriority(process.pid) });
