/**
 * A server's part in coordination, in a process of its own, which ends with the test that started it. It writes a line whenever it begins and
 * ends to lead: the word, and nanoseconds of the machine's clock.
 */
import type { PostgresAddress } from '../engine/postgres-address.ts';
import { PostgresCoordination } from './coordination.ts';

const write = (word: string) => void process.stdout.write(`${word} ${process.hrtime.bigint()}\n`);

const coordination = new PostgresCoordination({
  address: JSON.parse(process.argv[2] ?? '') as PostgresAddress,
  serverId: `process ${process.pid}`,
  onError: () => undefined,
  // It looks as often as it can, so that a server that stops too late is caught.
  times: { lookMs: 1, answerMs: 1500, leaseMs: 2000 },
});
coordination.serve('compaction', () => {
  write('begin');
  return { stop: async () => write('stop'), wake: () => undefined };
});
// Servers have more to do: what comes meanwhile waits.
setInterval(() => {
  for (const until = performance.now() + 20; performance.now() < until; );
}, 30);
process.stdin.on('end', () => process.exit()).resume();
