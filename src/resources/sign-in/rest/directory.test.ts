/** Signing in with a directory, which here knows what each test says. */
import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import type { Directory, DirectoryPerson } from '#credentials/port';
import {
  addUser,
  app,
  auditRows,
  Browser,
  engine,
  refused,
  signInCount,
  start,
  useSignInServer,
} from './server.fixture.ts';

const WRONG = { status: 401, text: 'Invalid username and/or password' };
const PASSWORD = 'of-the-directory';
const ADA: DirectoryPerson = { email: 'ada@example.com', uniqueId: null, displayName: 'Ada Lovelace', role: 'MEMBER' };

useSignInServer();

let asked: string[];

/** Why people with the right password were not let in. */
let logged: string[];

/** Starts a server whose directory knows these people by their names. */
function startWith(people: Readonly<Record<string, DirectoryPerson>>, allowsSignUp = true): void {
  asked = [];
  logged = [];
  const directory: Directory = {
    allowsSignUp,
    authenticate: async (name, password) => {
      asked.push(name);
      return password === PASSWORD ? (people[name] ?? null) : null;
    },
    logRefusal: (reason) => logged.push(reason),
  };
  start({ directory });
}

const logIn = (username: string, password = PASSWORD, browser = new Browser()) =>
  browser.send('POST', '/auth/ldap/login', { username, password });

/** Five at once: each refusal takes its time. */
const failFive = (names: readonly string[], browser?: Browser) =>
  Promise.all(names.map(async (name) => expect(await logIn(name, 'wrong', browser)).toMatchObject(WRONG)));

const accounts = () => engine.rows('SELECT username, email, role, auth_method, ldap_unique_id FROM users ORDER BY id');

async function addPrepared(email: string): Promise<void> {
  const times = { created_at_us: 1, updated_at_us: 1 };
  const values = { username: 'prepared', email, role: 'VIEWER', auth_method: 'LDAP', ...times } as const;
  await engine.db.insertInto('users').values(values).execute();
}

describe('signing in with a directory', () => {
  it('makes an account with the first sign-in, and follows the directory with each', async () => {
    startWith({ ada: ADA });
    const browser = new Browser();
    const { status, set } = await logIn(' ada ', PASSWORD, browser);
    expect(status).toBe(204);
    expect(set.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
      ['phoenix-access-token', true, 'strict'],
      ['phoenix-refresh-token', true, 'strict'],
      ['cairn-known-browser', true, 'strict'],
    ]);
    const account = {
      username: 'Ada Lovelace',
      email: 'ada@example.com',
      role: 'MEMBER',
      auth_method: 'LDAP',
      ldap_unique_id: null,
    };
    expect(await accounts()).toEqual([account]);
    startWith({ ada: { ...ADA, displayName: 'Another name', role: 'ADMIN' } });
    expect((await logIn('ada')).status).toBe(204);
    expect(await accounts()).toEqual([{ ...account, role: 'ADMIN' }]);
    expect(await signInCount()).toBe(2);
    expect((await browser.refresh()).status).toBe(204);
    expect((await auditRows()).map(({ operation, caller_name }) => [operation, caller_name])).toEqual([
      ['signIn.syncFromDirectory', 'sign-in'],
      ['signIn.loginByDirectory', 'Ada Lovelace'],
      ['signIn.syncFromDirectory', 'sign-in'],
      ['signIn.loginByDirectory', 'Ada Lovelace'],
    ]);
  });

  it('refuses all that is wrong by one text, and counts it', async () => {
    startWith({ ada: ADA });
    expect(await logIn('ada', 'wrong')).toMatchObject(WRONG);
    expect(await logIn('unknown')).toMatchObject(WRONG);
    expect(refused.map(({ operation }) => operation)).toEqual(['signIn.loginByDirectory', 'signIn.loginByDirectory']);
    for (const body of [{}, { username: 'ada' }, { username: ' ', password: 'x' }, { username: 'ada', password: '' }]) {
      const response = await new Browser().send('POST', '/auth/ldap/login', body);
      expect(response).toMatchObject({ status: 401, text: 'Username and password required' });
    }
    expect(asked).toEqual(['ada', 'unknown']);
    expect(logged).toEqual([]);
    expect(await accounts()).toEqual([]);
  });

  it('answers a body that cannot be read without repeating it', async () => {
    startWith({ ada: ADA });
    for (const payload of [
      { username: 1, password: 'hunter2' },
      { username: 'a'.repeat(5000), password: 'hunter2' },
    ]) {
      const response = await app.inject({ method: 'POST', url: '/auth/ldap/login', payload });
      expect(response.statusCode).toBe(422);
      expect(response.body).not.toMatch(/hunter2|aaaa/);
    }
  });

  it('is 503 where there is no directory', async () => {
    expect(await logIn('ada')).toMatchObject({
      status: 503,
      text: 'This server has no directory (LDAP) to sign in with.',
    });
  });

  it('locks a name after five wrong passwords, in any spelling, and not after outages', async () => {
    startWith({ ada: ADA });
    await failFive(['ada', ' ADA', 'Ada ', 'ada', 'aDa']);
    expect(await logIn('ada')).toMatchObject({ status: 429, text: 'Too many wrong passwords. Try again later.' });
    expect(asked).toHaveLength(5);

    const outage = new AppError('unavailable', 'The directory does not answer.', { retryAfterSeconds: 5 });
    start({
      directory: { allowsSignUp: true, logRefusal: () => undefined, authenticate: () => Promise.reject(outage) },
    });
    for (let attempt = 0; attempt < 7; attempt++) {
      const { status, text, headers } = await logIn('bob');
      expect([status, text, headers['retry-after']]).toEqual([503, 'The directory does not answer.', '5']);
    }
    startWith({ bob: { ...ADA, email: 'bob@example.com' } });
    expect((await logIn('bob')).status).toBe(204);
  });

  it('lets a browser in that signed in with the name before, whatever strangers do', async () => {
    startWith({ ada: ADA, eve: { ...ADA, email: 'eve@example.com' } });
    const [known, stranger] = [new Browser(), new Browser()];
    await logIn('ada', PASSWORD, known);
    await logIn('eve', PASSWORD, stranger);
    await failFive(Array<string>(5).fill('ada'), stranger);
    // The cookie of another name counts for nothing.
    for (const browser of [stranger, new Browser()]) {
      expect(await logIn('ada', PASSWORD, browser)).toMatchObject({ status: 429 });
    }
    expect(await logIn('ada', PASSWORD, known)).toMatchObject({ status: 204 });
    await failFive(Array<string>(5).fill('ada'), known);
    expect(await logIn('ada', PASSWORD, known)).toMatchObject({ status: 429 });
  });

  it('takes nobody else’s account', async () => {
    await addUser('ada');
    await addUser('bob', { auth_method: 'OAUTH2' });
    await addUser('system', { role: 'SYSTEM' });
    const person = (email: string) => ({ ...ADA, email, uniqueId: `id of ${email}` });
    startWith({
      ada: person('ada@example.com'),
      bob: person('bob@example.com'),
      system: person('system@example.com'),
    });
    const before = await accounts();
    for (const name of ['ada', 'bob', 'system']) expect(await logIn(name)).toMatchObject(WRONG);
    expect(logged).toEqual([
      'ada@example.com belongs to an account that signs in in another way (LOCAL)',
      'bob@example.com belongs to an account that signs in in another way (OAUTH2)',
      'system@example.com belongs to an account that signs in in another way (LOCAL)',
    ]);
    expect(await accounts()).toEqual(before);
    expect(await signInCount()).toBe(0);
  });

  it('ends the sign-ins of somebody whose groups let them in no more, and of nobody else', async () => {
    const eve: DirectoryPerson = { ...ADA, email: 'eve@example.com', uniqueId: 'of eve' };
    startWith({ ada: { ...ADA, uniqueId: 'of ada' }, eve });
    for (const name of ['ada', 'ada', 'eve']) expect((await logIn(name)).status).toBe(204);
    startWith({
      ada: { ...ADA, uniqueId: 'of somebody else', role: null },
      nobody: { ...ADA, email: null, role: null },
    });
    for (const name of ['ada', 'nobody']) expect(await logIn(name)).toMatchObject(WRONG);
    expect(await signInCount()).toBe(3);
    startWith({ ada: { ...ADA, uniqueId: 'of ada', role: null } });
    expect(await logIn('ada', 'wrong')).toMatchObject(WRONG);
    expect(await signInCount()).toBe(3);
    expect(await logIn('ada')).toMatchObject(WRONG);
    expect(logged).toEqual(['none of the groups with a role fits']);
    expect(await signInCount()).toBe(1);
    expect((await auditRows()).at(-1)).toMatchObject({
      operation: 'signIn.barByDirectory',
      caller_name: 'sign-in',
      object_id: '1',
    });
  });

  it('makes no accounts where it may not, and takes those that were prepared', async () => {
    startWith({ ada: { ...ADA, uniqueId: 'one' }, bob: { ...ADA, email: 'bob@example.com', uniqueId: 'two' } }, false);
    await addPrepared('ada@example.com');
    expect(await logIn('bob')).toMatchObject(WRONG);
    expect(logged).toEqual(['bob@example.com has no account, and sign-up is off']);
    expect((await logIn('ada')).status).toBe(204);
    expect(await accounts()).toEqual([
      { username: 'prepared', email: 'ada@example.com', role: 'MEMBER', auth_method: 'LDAP', ldap_unique_id: 'one' },
    ]);
  });

  it('binds an account to what never changes: it follows another address, and no other person', async () => {
    await addPrepared('ada@example.com');
    startWith({ ada: { ...ADA, uniqueId: 'one' } });
    expect((await logIn('ada')).status).toBe(204);
    // Somebody else has the address now.
    startWith({ other: { ...ADA, uniqueId: 'two' }, ada: { ...ADA, uniqueId: 'one' } });
    expect(await logIn('other')).toMatchObject(WRONG);
    expect(logged).toEqual(['ada@example.com belongs to the account of somebody else in the directory']);
    // The person has another.
    startWith({ ada: { ...ADA, uniqueId: 'one', email: 'new@example.com' } });
    expect((await logIn('ada')).status).toBe(204);
    expect(await accounts()).toMatchObject([{ email: 'new@example.com', ldap_unique_id: 'one' }]);
    // Which somebody else has here.
    await addUser('grace');
    startWith({ ada: { ...ADA, uniqueId: 'one', email: 'grace@example.com' } });
    expect(await logIn('ada')).toMatchObject(WRONG);
    expect(logged).toEqual(['prepared is grace@example.com in the directory now, which another account has']);
    expect(await accounts()).toMatchObject([{ email: 'new@example.com' }, { email: 'grace@example.com' }]);
  });

  it('knows people without addresses by what never changes alone, and tells those of one name apart', async () => {
    const nameless = { email: null, displayName: 'Sam', role: 'VIEWER' } as const;
    startWith({ sam: { ...nameless, uniqueId: 'one' }, sam2: { ...nameless, uniqueId: 'two' } });
    for (const name of ['sam', 'sam2', 'sam']) expect((await logIn(name)).status).toBe(204);
    expect(await accounts()).toEqual([
      { username: 'Sam', email: null, role: 'VIEWER', auth_method: 'LDAP', ldap_unique_id: 'one' },
      {
        username: expect.stringMatching(/^Sam \([0-9a-f]{6}\)$/),
        email: null,
        role: 'VIEWER',
        auth_method: 'LDAP',
        ldap_unique_id: 'two',
      },
    ]);
  });

  it.each([
    [null, 'ada'],
    ['\u202e\0', 'ada'],
    ['x'.repeat(500), 'x'.repeat(180)],
  ])('calls somebody whom the directory calls %j %j', async (displayName, username) => {
    startWith({ ada: { ...ADA, displayName } });
    expect((await logIn('ada')).status).toBe(204);
    expect(await accounts()).toMatchObject([{ username }]);
  });

  it('makes one account however many sign in at once', async () => {
    startWith({ ada: ADA });
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => logIn('ada')));
    expect(outcomes.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await accounts()).toHaveLength(1);
  });
});
