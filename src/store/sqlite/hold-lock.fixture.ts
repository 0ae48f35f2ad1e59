/** Takes the lock of the data file named first, says so, and holds it until it is killed. */
import { acquireServerLock } from './server-lock.ts';

acquireServerLock(process.argv[2] as string, process.pid);
process.send?.('locked');
setInterval(() => undefined, 60_000);
