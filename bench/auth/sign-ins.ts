/** Measures how long a sign-in takes, and how much of that time goes into the hash of the password. */
import { hashPassword } from '#credentials/password-hashes';
import { quantile } from '../query/measure.ts';
import { type AuthRow, signIn, startAuthServer } from './auth-server.ts';

const TIMES = 20;
const PASSWORD_MS = { least: 50, most: 250 };

/** Signs in, one after the other, on a server that lets a client do so as often as it likes. */
export async function measureSignIns(): Promise<readonly AuthRow[]> {
  const { server } = await startAuthServer({ SERVICE_DISABLE_RATE_LIMIT: 'true' });
  try {
    const signInMs = await time(async () => {
      const status = await signIn(server, 'admin@localhost', 'admin');
      if (status !== 204) throw new Error(`a sign-in was answered with ${status}`);
    });
    const passwordMs = await time(async () => hashPassword('a password of the benchmark'));
    const typical = quantile(passwordMs, 0.5);
    return [
      {
        what: 'argon2 of one password, p50',
        target: `${PASSWORD_MS.least} to ${PASSWORD_MS.most} ms`,
        measured: `${typical.toFixed(0)} ms`,
        isMet: typical >= PASSWORD_MS.least && typical <= PASSWORD_MS.most,
      },
      {
        what: 'sign-in, p50 and p95',
        target: `${PASSWORD_MS.most} ms`,
        measured: `${quantile(signInMs, 0.5).toFixed(0)} and ${quantile(signInMs, 0.95).toFixed(0)} ms`,
        isMet: quantile(signInMs, 0.5) <= PASSWORD_MS.most,
      },
    ];
  } finally {
    await server.stop();
    server.remove();
  }
}

/** Milliseconds of each time, after one that warms up. */
async function time(run: () => Promise<void> | Promise<unknown>): Promise<readonly number[]> {
  await run();
  const took: number[] = [];
  for (let count = 0; count < TIMES; count++) {
    const startedAt = performance.now();
    await run();
    took.push(performance.now() - startedAt);
  }
  return took;
}
