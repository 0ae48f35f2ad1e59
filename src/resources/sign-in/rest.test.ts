/** Signing in, renewing and signing out over HTTP. */
import { describe, expect, it, vi } from 'vitest';
import {
  addUser,
  app,
  auditRows,
  BOTH,
  Browser,
  checked,
  doBeforeChecks,
  engine,
  hashWith,
  isGood,
  MINUTE_MS,
  refused,
  signInCount,
  start,
  START_MS,
  STORED,
  useSignInServer,
  WRONG,
} from './rest/server.fixture.ts';

useSignInServer();

describe('signing in', () => {
  it('sets cookies that scripts cannot read and other sites cannot send', async () => {
    await addUser('ada');
    const { status, text, set } = await new Browser().logIn(' Ada@EXAMPLE.com ');
    expect([status, text]).toEqual([204, '']);
    const shared = { path: '/', httpOnly: true, sameSite: 'strict', value: expect.stringMatching(/^ey/) };
    expect(set).toEqual([
      { ...shared, name: 'phoenix-access-token', maxAge: 600 },
      { ...shared, name: 'phoenix-refresh-token', maxAge: 604_800 },
      { ...shared, name: 'cairn-known-browser', maxAge: 366 * 24 * 3600 },
    ]);
  });

  it('sets and clears them as configured, never longer than the sign-in lasts', async () => {
    const cookies = { isSecure: true, path: '/cairn' };
    start({ cookies, sessionUs: 100e6, rootPath: '/cairn' });
    await addUser('ada');
    const browser = new Browser();
    const shared = { path: '/cairn', httpOnly: true, sameSite: 'strict', secure: true };
    const { set } = await browser.logIn();
    expect(set.slice(0, 2)).toMatchObject([
      { ...shared, maxAge: 100 },
      { ...shared, maxAge: 100 },
    ]);
    const out = await browser.logOut();
    expect([out.status, out.headers.location]).toEqual([302, '/cairn/login']);
    expect(out.set).toEqual(BOTH.map((name) => ({ ...shared, name, value: '', maxAge: 0 })));
  });

  it('knows nobody without an account, with another way to sign in, or with a wrong password, by one text and the same work', async () => {
    await addUser('ada');
    await addUser('eve', { auth_method: 'OAUTH2' });
    await addUser('system', { role: 'SYSTEM' });
    for (const name of ['nobody', 'eve', 'system']) {
      expect(await new Browser().logIn(`${name}@example.com`)).toMatchObject({ ...WRONG, set: [] });
    }
    expect(await new Browser().logIn('ada@example.com', 'wrong')).toMatchObject({ ...WRONG, set: [] });
    expect(checked).toEqual([null, null, null, STORED]);
  });

  it.each([
    [{}, 401],
    [{ email: 'ada@example.com' }, 401],
    [{ email: ' ', password: 'x' }, 401],
    [{ email: 'ada@example.com', password: '' }, 401],
    [{ email: null, password: null }, 401],
    [{ email: 1, password: 'x' }, 422],
    [{ email: 'x', password: 'x'.repeat(5000) }, 422],
    [[], 422],
    ['{', 422],
  ])('answers the body %j with %i, and checks no password', async (payload, status) => {
    const headers = { 'content-type': 'application/json' };
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const response = await app.inject({ method: 'POST', url: '/auth/login', headers, payload: body });
    expect([response.statusCode, checked]).toEqual([status, []]);
    if (status === 401) expect(response.body).toBe('Email and password required');
  });

  it('is off where passwords are', async () => {
    start({ isDisabled: true });
    await addUser('ada');
    expect(await new Browser().logIn()).toMatchObject({ status: 403, set: [] });
    expect((await new Browser().logOut()).headers.location).toBe('/logout');
  });

  it('stores a password again that was stored in an older way', async () => {
    const rowId = await addUser('ada');
    start({ isOutdated: true });
    expect((await new Browser().logIn()).status).toBe(204);
    start();
    expect((await new Browser().logIn()).status).toBe(204);
    const { password_hash: hash } = await engine.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', rowId)
      .executeTakeFirstOrThrow();
    expect(hash).not.toBe(STORED.hash);
  });

  it('fails where the password changes while it is checked', async () => {
    const rowId = await addUser('ada');
    const { hash } = hashWith('salt', 'another');
    doBeforeChecks(() => engine.exec(`UPDATE users SET password_hash = '${hash}' WHERE id = ${rowId}`));
    expect(await new Browser().logIn()).toMatchObject(WRONG);
    expect(await signInCount()).toBe(0);
  });

  it('leaves a row in the log of who did what', async () => {
    const rowId = await addUser('ada');
    await new Browser().logIn();
    const ada = { caller_kind: 'user', caller_name: 'ada', address: '192.0.2.1', object_id: String(rowId) };
    expect(await auditRows()).toEqual([{ ...ada, operation: 'signIn.login' }]);
    expect(refused).toEqual([]);
  });

  it('leaves one where it is refused, too, without what somebody typed', async () => {
    const rowId = await addUser('ada');
    for (let time = 0; time < 6; time++) await new Browser().logIn('ada@example.com', 'wrong');
    await new Browser().logIn('hunter2');
    const nobody = { caller: { kind: 'nobody', role: null, address: '192.0.2.1' }, operation: 'signIn.login' };
    const ada = { ...nobody, objectType: 'User', objectId: rowId, objectName: 'ada' };
    expect(refused).toEqual([ada, ada, ada, ada, ada, ada, nobody]);
  });
});

describe('renewing', () => {
  it('gives new tokens for a refresh token once; the access token dies with it', async () => {
    await addUser('ada');
    const browser = new Browser();
    await browser.logIn();
    const old = browser.copy(...BOTH);
    const withoutAccess = browser.copy('phoenix-refresh-token');
    vi.setSystemTime(START_MS + MINUTE_MS);
    const renewed = await withoutAccess.refresh();
    expect([renewed.status, renewed.set.map(({ name, maxAge }) => [name, maxAge])]).toEqual([
      204,
      [
        [BOTH[0], 600],
        [BOTH[1], 604_800],
      ],
    ]);
    expect([await isGood(old), await isGood(withoutAccess)]).toEqual([false, true]);
    expect((await withoutAccess.refresh()).status).toBe(204);
  });

  it('ends the sign-in where a refresh token is used again, and logs it', async () => {
    const rowId = await addUser('ada');
    const browser = new Browser();
    await browser.logIn();
    const stolen = browser.copy(...BOTH);
    await browser.refresh();
    expect(await stolen.refresh()).toMatchObject({ status: 401, set: [] });
    expect(await isGood(browser)).toBe(false);
    expect((await browser.refresh()).status).toBe(401);
    expect(await auditRows()).toMatchObject([
      { operation: 'signIn.login' },
      { operation: 'signIn.endReused', caller_kind: 'system', object_id: String(rowId), address: '192.0.2.1' },
    ]);
  });

  it('ends it, too, where the token that is used again has expired meanwhile', async () => {
    await addUser('ada');
    const browser = new Browser();
    await browser.logIn();
    const stolen = browser.copy(...BOTH);
    vi.setSystemTime(START_MS + 6 * 24 * 60 * MINUTE_MS);
    await browser.refresh();
    vi.setSystemTime(START_MS + 8 * 24 * 60 * MINUTE_MS);
    expect((await stolen.refresh()).status).toBe(401);
    expect((await browser.refresh()).status).toBe(401);
  });

  it('lets one of several at once through', async () => {
    await addUser('ada');
    const browser = new Browser();
    await browser.logIn();
    const copies = Array.from({ length: 4 }, () => browser.copy(...BOTH));
    const statuses = await Promise.all(copies.map(async (copy) => (await copy.refresh()).status));
    expect(statuses.toSorted((one, other) => one - other)).toEqual([204, 401, 401, 401]);
    expect(await signInCount()).toBe(0);
  });

  it('refuses what is no refresh token, or has expired', async () => {
    await addUser('ada');
    const browser = new Browser();
    expect(await browser.refresh()).toMatchObject({ status: 401, text: 'Missing refresh token' });
    await browser.logIn();
    const truncated = browser.copy();
    truncated.cookies.set('phoenix-refresh-token', browser.cookies.get('phoenix-refresh-token')?.slice(1) ?? '');
    expect(await truncated.refresh()).toMatchObject({ status: 401, text: 'Invalid refresh token' });
    const swapped = browser.copy();
    swapped.cookies.set('phoenix-refresh-token', browser.access);
    expect(await swapped.refresh()).toMatchObject({ status: 401, text: 'Invalid refresh token' });
    vi.setSystemTime(START_MS + 604_800_000);
    expect(await browser.refresh()).toMatchObject({ status: 401, text: 'Expired refresh token' });
  });

  it('ends with the sign-in, however often it was renewed', async () => {
    start({ sessionUs: 1000e6 });
    await addUser('ada');
    const browser = new Browser();
    await browser.logIn();
    vi.setSystemTime(START_MS + 900_000);
    const { set } = await browser.refresh();
    expect(set.map(({ maxAge }) => maxAge)).toEqual([100, 100]);
    vi.setSystemTime(START_MS + 1_000_000);
    expect((await browser.refresh()).status).toBe(401);
  });

  it('is refused where the account is gone', async () => {
    const rowId = await addUser('ada');
    const browser = new Browser();
    await browser.logIn();
    await engine.exec(`DELETE FROM users WHERE id = ${rowId}`);
    expect(await browser.refresh()).toMatchObject({ status: 401, text: 'Expired refresh token' });
  });

  it('deletes sign-ins and attempts that no longer count', async () => {
    await addUser('ada');
    await new Browser().logIn();
    await new Browser().logIn('nobody@example.com');
    vi.setSystemTime(START_MS + 2_592_000_000);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + MINUTE_MS);
    await new Browser().logIn();
    vi.restoreAllMocks();
    expect(await signInCount()).toBe(1);
    expect(await engine.rows('SELECT * FROM sign_in_attempts')).toEqual([]);
  });
});

describe('signing out', () => {
  it('ends all sign-ins of the account, and of nobody else', async () => {
    await addUser('ada');
    await addUser('bob');
    const [one, other, bob] = [new Browser(), new Browser(), new Browser()];
    await one.logIn();
    await other.logIn();
    await bob.logIn('bob@example.com');
    const out = await one.logOut();
    expect([out.status, out.headers.location, one.cookies.size]).toEqual([302, '/login', 1]);
    expect([await isGood(other), await isGood(bob)]).toEqual([false, true]);
    expect((await auditRows()).at(-1)).toMatchObject({ operation: 'signIn.logout', caller_name: 'ada' });
  });

  it.each([
    ['with the access token alone', (browser: Browser) => browser.copy('phoenix-access-token')],
    ['with the refresh token alone', (browser: Browser) => browser.copy('phoenix-refresh-token')],
  ])('works %s', async (_how, copy) => {
    await addUser('ada');
    const browser = new Browser();
    await browser.logIn();
    expect((await copy(browser).logOut()).status).toBe(302);
    expect(await signInCount()).toBe(0);
  });

  it('works with a refresh token of a sign-in that has ended', async () => {
    await addUser('ada');
    const [one, other] = [new Browser(), new Browser()];
    await one.logIn();
    const spent = one.copy(...BOTH);
    await one.refresh();
    await spent.refresh();
    await other.logIn();
    expect((await spent.logOut()).status).toBe(302);
    expect(await isGood(other)).toBe(false);
  });

  it.each([{}, { cookie: 'phoenix-refresh-token=x; phoenix-access-token=y' }, { authorization: 'Bearer z' }])(
    'never fails for others, such as with %j',
    async (headers) => {
      const { statusCode } = await app.inject({ method: 'GET', url: '/auth/logout', headers });
      expect(statusCode).toBe(302);
      expect(await auditRows()).toEqual([]);
    },
  );
});
