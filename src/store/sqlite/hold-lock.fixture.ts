/**
 * Takes the lock of the data file named first, at the moment named second (milliseconds since the Unix epoch), says who
 * has it then, and holds it until it is killed.
 */
import { acquireServerLock } from './server-lock.ts';

const [, , path = '', at = '0'] = process.argv;
while (Date.now() < Number(at));
const lock = acquireServerLock(path, process.pid);
process.send?.('release' in lock ? process.pid : lock.pid);
setInterval(() => undefined, 60_000);
