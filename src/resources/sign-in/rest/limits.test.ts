/** How often somebody may try to sign in over HTTP. */
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#base/errors';
import {
  addUser,
  app,
  auditRows,
  BOTH,
  Browser,
  checked,
  doBeforeChecks,
  MINUTE_MS,
  start,
  START_MS,
  useSignInServer,
  WRONG,
} from './server.fixture.ts';

useSignInServer();

describe('wrong passwords', () => {
  const LOCKED = { status: 429, text: 'Too many wrong passwords. Try again later.' };

  async function fail(times: number, browser = new Browser(), email = 'ada@example.com'): Promise<void> {
    for (let time = 0; time < times; time++) expect(await browser.logIn(email, 'wrong')).toMatchObject(WRONG);
  }

  it('lock an account after five, also for the right one, for five minutes', async () => {
    const rowId = await addUser('ada');
    await fail(5);
    const locked = await new Browser().logIn(' ADA@example.com ');
    expect([locked, locked.headers['retry-after']]).toMatchObject([LOCKED, '300']);
    expect(checked).toHaveLength(5);
    vi.setSystemTime(START_MS + 5 * MINUTE_MS - 1);
    expect(await new Browser().logIn()).toMatchObject(LOCKED);
    vi.setSystemTime(START_MS + 5 * MINUTE_MS);
    await fail(4);
    expect((await new Browser().logIn()).status).toBe(204);
    expect(await auditRows()).toMatchObject([
      { operation: 'signIn.lock', caller_kind: 'system', object_id: String(rowId), address: '192.0.2.1' },
      { operation: 'signIn.login' },
    ]);
  });

  it('are forgotten by a right one, and after a quarter of an hour', async () => {
    await addUser('ada');
    await fail(4);
    expect((await new Browser().logIn()).status).toBe(204);
    await fail(4);
    vi.setSystemTime(START_MS + 15 * MINUTE_MS);
    await fail(4);
    expect((await new Browser().logIn()).status).toBe(204);
  });

  it('lock addresses without an account alike', async () => {
    await fail(5, new Browser(), 'nobody@example.com');
    expect(await new Browser().logIn('nobody@example.com')).toMatchObject(LOCKED);
    // Anybody could fill the log.
    expect(await auditRows()).toEqual([]);
  });

  it('are no more at once than one after the other', async () => {
    await addUser('ada');
    const guesses = Array.from({ length: 20 }, () => new Browser().logIn('ada@example.com', 'wrong'));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect([statuses.filter((status) => status === 401).length, checked.length]).toEqual([5, 5]);
  });

  it('of strangers do not lock out a browser that signed in before, whose own count by themselves', async () => {
    await addUser('ada');
    await addUser('bob');
    const known = new Browser();
    await known.logIn();
    await known.logOut();
    await fail(5);
    expect((await known.logIn()).set.map(({ name }) => name)).toEqual(BOTH);
    await fail(5, known);
    expect(await known.logIn()).toMatchObject(LOCKED);
    // It is known to one account.
    expect(await known.logIn('bob@example.com')).toMatchObject({ status: 204 });
    vi.setSystemTime(START_MS + 5 * MINUTE_MS);
    expect((await new Browser().logIn()).status).toBe(204);
  });

  it('are not counted where the server fails', async () => {
    await addUser('ada');
    await fail(4);
    doBeforeChecks(async () => {
      throw new AppError('unavailable', 'The thread died.');
    });
    for (let time = 0; time < 3; time++) expect((await new Browser().logIn()).status).toBe(503);
    doBeforeChecks(async () => undefined);
    expect((await new Browser().logIn()).status).toBe(204);
  });

  it('never lock where that is off', async () => {
    start({ lockoutAttempts: null });
    await addUser('ada');
    await fail(7);
    expect((await new Browser().logIn()).status).toBe(204);
  });
});

describe('rate limits', () => {
  it('refuse more sign-ins of a client than twelve, whatever they send, before anything else', async () => {
    start({ isRateLimited: true });
    await addUser('ada');
    const statuses: number[] = [];
    for (let time = 0; time < 13; time++) {
      const { statusCode } = await app.inject({ method: 'POST', url: '/auth/login', payload: [] });
      statuses.push(statusCode);
    }
    expect(statuses).toEqual([...Array<number>(12).fill(422), 429]);
    const refused = await new Browser().send('POST', '/auth/login', {}, '127.0.0.1');
    expect([refused.status, refused.text, refused.headers['retry-after']]).toEqual([
      429,
      'Too many requests. Try again in 5 s.',
      '5',
    ]);
    expect((await new Browser().logIn()).status).toBe(204);
    expect((await new Browser().send('POST', '/auth/refresh', undefined, '127.0.0.1')).status).toBe(401);
  });

  it('refuse more sign-ins with an account, from wherever they come', async () => {
    start({ isRateLimited: true, lockoutAttempts: null });
    const statuses = [];
    for (let client = 0; client < 26; client++) {
      const body = { email: 'nobody@example.com', password: 'wrong' };
      statuses.push((await new Browser().send('POST', '/auth/login', body, `192.0.2.${client}`)).status);
    }
    expect(statuses).toEqual([...Array<number>(24).fill(401), 429, 429]);
    expect(checked).toHaveLength(24);
  });
});
