/** What is left of the speed of `/v1/traces` while somebody guesses passwords. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openHttpExporter } from '../http-exporter.ts';
import type { BenchServer } from '../server-process.ts';
import { exporterRequests, SHAPES } from '../shapes.ts';
import { type AuthRow, signIn, startAuthServer } from './auth-server.ts';

const GUESSES_PER_MINUTE = 1000;
/** Accounts that are guessed at in turns, so that it is not the lock of one that answers. */
const ACCOUNTS = 50;
const TARGET_RATIO = 0.9;
const EXPORTERS = 8;

/** Sends spans as fast as they are taken: undisturbed, twice beside guesses, undisturbed. */
export async function measureGuessing(seconds: number): Promise<readonly AuthRow[]> {
  const { server, key } = await startAuthServer();
  try {
    const load = await openLoad(server, key);
    await load.run(3);
    const statuses: number[] = [];
    const alone = [await load.run(seconds)];
    const beside = [
      await guessDuring(server, statuses, load.run(seconds)),
      await guessDuring(server, statuses, load.run(seconds)),
    ];
    alone.push(await load.run(seconds));
    load.close();
    const ratio = mean(beside) / mean(alone);
    const refused = statuses.filter((status) => status === 429).length;
    return [
      {
        what: `spans/s to /v1/traces beside ${GUESSES_PER_MINUTE.toLocaleString('en')} failed sign-ins a minute, of those without`,
        target: `${TARGET_RATIO * 100} %`,
        measured: `${(ratio * 100).toFixed(0)} % (${Math.round(mean(beside)).toLocaleString('en')} of ${Math.round(mean(alone)).toLocaleString('en')})`,
        isMet: ratio >= TARGET_RATIO,
      },
      {
        what: 'of those sign-ins, answered with 429',
        target: 'most',
        measured: `${refused} of ${statuses.length}`,
        isMet: refused > statuses.length / 2 && statuses.every((status) => status === 429 || status === 401),
      },
    ];
  } finally {
    await server.stop();
    server.remove();
  }
}

/** What sends spans. */
interface Load {
  /** Sends for so many seconds. @returns spans a second */
  run(seconds: number): Promise<number>;
  close(): void;
}

async function openLoad({ httpUrl }: BenchServer, key: string): Promise<Load> {
  const shape = { ...SHAPES.small, spansPerRequest: 64 };
  const exporters = await Promise.all(
    Array.from({ length: EXPORTERS }, async (_, seed) => ({
      exporter: await openHttpExporter(httpUrl, { authorization: `Bearer ${key}` }),
      requests: exporterRequests(shape, seed),
    })),
  );
  return {
    async run(seconds) {
      const startedAt = performance.now();
      let spanCount = 0;
      await Promise.all(
        exporters.map(async ({ exporter, requests }) => {
          while (performance.now() - startedAt < seconds * 1000) {
            const { body, spanCount: count } = requests.next().value;
            await exporter.send(body);
            spanCount += count;
          }
        }),
      );
      return (spanCount * 1000) / (performance.now() - startedAt);
    },
    close: () => {
      for (const { exporter } of exporters) exporter.close();
    },
  };
}

/** Guesses until the work is done. @param statuses takes what the guesses are answered */
async function guessDuring(server: BenchServer, statuses: number[], work: Promise<number>): Promise<number> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  const guesses: Promise<void>[] = [];
  while (!isDone) {
    const email = `somebody-${guesses.length % ACCOUNTS}@example.com`;
    guesses.push(signIn(server, email, `guess ${guesses.length}`).then((status) => void statuses.push(status)));
    await sleep(60_000 / GUESSES_PER_MINUTE);
  }
  await Promise.all(guesses);
  return ended;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
