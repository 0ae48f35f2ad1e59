/** New passwords by mail, over a whole server and a real mail server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../harness/free-port.ts';
import { MAIL_LOGIN, type MailServer, startMailServer } from '../harness/mail-server.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const ADMIN_SECRET = 'another-long-secret-of-this-test-01234';
const AUTH = { ENABLE_AUTH: 'true', SECRET: 'a-long-secret-of-this-test-0123456789', ADMIN_SECRET };
/** What people reach the server at; the test itself reaches it elsewhere. */
const ROOT_URL = 'https://cairn.example.com/traces';
const ROOT = { ROOT_URL, HOST_ROOT_PATH: '/traces' };
const WORDS = 'Invalid token: ask for another mail.';

let mail: MailServer;
let server: TestServer;
let url: string;

beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(() => mail[Symbol.asyncDispose]());

async function start(settings: Readonly<Record<string, string>>): Promise<void> {
  const port = await findFreePort();
  server = await startTestServer({ PORT: String(port), ...settings });
  url = `http://127.0.0.1:${port}`;
}

function mailSettings(): Record<string, string> {
  return {
    SMTP_HOSTNAME: 'localhost',
    SMTP_PORT: String(mail.port),
    SMTP_USERNAME: MAIL_LOGIN.username,
    SMTP_PASSWORD: MAIL_LOGIN.password,
    SMTP_MAIL_FROM: 'cairn@example.com',
    SMTP_VALIDATE_CERTS: 'false',
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookies: string;
}

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  return { status: response.status, text: await response.text(), cookies: cookies.join('; ') };
}

const admin = { authorization: `Bearer ${ADMIN_SECRET}` };
const signIn = (email: string, password: string) => post('/auth/login', { email, password });
const ask = (email: unknown, headers?: Record<string, string>) =>
  post('/auth/password-reset-email', { email }, headers);
const choose = (token: unknown, password: unknown) => post('/auth/password-reset', { token, password });
const read = async (headers: Record<string, string>, path = '/v1/projects') =>
  (await fetch(`${url}${path}`, { headers })).status;

/** The id of a new account, whose mail of welcome is not sent unless it is asked for. */
async function addUser(name: string, password: string, more: object = {}): Promise<string> {
  const user = { auth_method: 'LOCAL', email: `${name}@example.com`, username: name, role: 'MEMBER', password };
  const { status, text } = await post('/v1/users', { user, send_welcome_email: false, ...more }, admin);
  expect([status, text]).toEqual([201, expect.anything()]);
  return (JSON.parse(text) as { data: { id: string } }).data.id;
}

/** The mails to somebody, once there are so many. */
async function mailsTo(name: string, count: number) {
  const received = () => mail.mails.filter(({ to }) => to.includes(`${name}@example.com`));
  await expect.poll(() => received().length).toBe(count);
  return received();
}

function linkIn(html: string): URL {
  return new URL(/<a id="reset-url" href="([^"]+)"/.exec(html)?.[1] ?? 'nothing:');
}

/** What the newest of the mails to somebody lets them choose a password with. */
async function tokenFor(name: string, count: number): Promise<string> {
  const mails = await mailsTo(name, count);
  return linkIn(mails.at(-1)?.html ?? '').searchParams.get('token') ?? '';
}

describe('with mail', () => {
  beforeEach(() => start({ ...AUTH, ...ROOT, ...mailSettings() }));
  afterEach(() => server[Symbol.asyncDispose]());

  it('a new password is chosen by the link: sign-ins end, the old password fails, nothing is pending, keys stay', async () => {
    await addUser('ada', 'first-password');
    const before = await signIn('ada@example.com', 'first-password');
    expect(before.status).toBe(204);
    expect(await read({ cookie: before.cookies })).toBe(403);
    const elsewhere = {
      referer: 'https://evil.example/',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    };
    expect((await ask(' Ada@Example.COM ', { ...elsewhere, origin: url })).status).toBe(204);

    const [received] = await mailsTo('ada', 1);
    const link = linkIn(received?.html ?? '');
    expect(link.href.startsWith(`${ROOT_URL}/reset-password-with-token?token=`)).toBe(true);
    expect(received?.text).toContain(`\n${link.href}\n`);
    expect(received?.source).toMatch(/^From: cairn@example\.com$/m);
    expect(received?.isEncrypted).toBe(true);
    expect(received?.source).not.toContain('evil');

    const { status, text } = await choose(link.searchParams.get('token'), 'second-password');
    expect([status, text]).toEqual([204, '']);
    expect((await signIn('ada@example.com', 'first-password')).status).toBe(401);
    expect(await read({ cookie: before.cookies })).toBe(401);
    expect((await post('/auth/refresh', {}, { cookie: before.cookies })).status).toBe(401);
    const after = await signIn('ada@example.com', 'second-password');
    expect(after.status).toBe(204);
    expect(await read({ cookie: after.cookies })).toBe(200);

    const key = await post('/v1/user/api_keys', { data: { name: 'mine' } }, { cookie: after.cookies });
    const bearer = { authorization: `Bearer ${(JSON.parse(key.text) as { data: { key: string } }).data.key}` };
    expect(await read(bearer)).toBe(200);
    await ask('ada@example.com');
    expect((await choose(await tokenFor('ada', 2), 'third-password')).status).toBe(204);
    expect([await read({ cookie: after.cookies }), await read(bearer)]).toEqual([401, 200]);
    expect(server.complaints.join('\n')).not.toMatch(/token=|password-|ada@/);
  });

  it('only the newest token works, once, and none of an account that was deleted', async () => {
    const id = await addUser('grace', 'first-password');
    await ask('grace@example.com');
    const older = await tokenFor('grace', 1);
    await ask('grace@example.com');
    const newer = await tokenFor('grace', 2);
    expect(await choose(older, 'other-password')).toMatchObject({ status: 401, text: WORDS });
    expect((await choose(newer, 'other-password')).status).toBe(204);
    expect(await choose(newer, 'third-password')).toMatchObject({ status: 401, text: WORDS });
    expect((await signIn('grace@example.com', 'other-password')).status).toBe(204);

    await ask('grace@example.com');
    const last = await tokenFor('grace', 3);
    expect((await fetch(`${url}/v1/users/${id}`, { method: 'DELETE', headers: admin })).status).toBe(204);
    expect(await choose(last, 'third-password')).toMatchObject({ status: 401, text: WORDS });
  });

  it('a link is of no use once the password was changed in another way', async () => {
    const id = await addUser('mary', 'first-password');
    await ask('mary@example.com');
    const token = await tokenFor('mary', 1);
    const query = `mutation { patchUser(input: { userId: "${id}", newPassword: "by-the-admin" }) { user { id } } }`;
    expect((await post('/graphql', { query }, admin)).text).toContain(id);
    expect((await choose(token, 'other-password')).status).toBe(401);
  });

  it('a locked account is unlocked', async () => {
    await addUser('joan', 'first-password');
    for (let count = 0; count < 5; count++) await signIn('joan@example.com', 'wrong');
    expect((await signIn('joan@example.com', 'first-password')).status).toBe(429);
    await ask('joan@example.com');
    expect((await choose(await tokenFor('joan', 1), 'second-password')).status).toBe(204);
    expect((await signIn('joan@example.com', 'second-password')).status).toBe(204);
  });

  it('an address of nobody is answered like one of somebody, and nothing is sent', async () => {
    await addUser('jean', 'first-password');
    const before = mail.mails.length;
    const [nobody, somebody] = [await ask('nobody@example.com'), await ask('jean@example.com')];
    expect(nobody).toEqual(somebody);
    expect(nobody).toEqual({ status: 204, text: '', cookies: '' });
    await mailsTo('jean', 1);
    expect(mail.mails.slice(before).flatMap(({ to }) => to)).toEqual(['jean@example.com']);
  });

  it('what is missing or wrong is said with a status and a sentence', async () => {
    await addUser('kay', 'first-password');
    await ask('kay@example.com');
    const token = await tokenFor('kay', 1);
    for (const email of [undefined, null, '', '  ']) {
      expect(await ask(email)).toMatchObject({ status: 422, text: 'Email required' });
    }
    for (const password of [undefined, null, '']) {
      expect(await choose(token, password)).toMatchObject({ status: 422, text: 'Password required' });
    }
    expect(await choose(token, 'abc')).toMatchObject({ status: 422, text: 'A password needs at least 4 characters.' });
    for (const wrong of [undefined, '', `${token}x`, token.slice(0, -4), ADMIN_SECRET]) {
      expect(await choose(wrong, 'good-password')).toMatchObject({ status: 401, text: WORDS });
    }
    const malformed = await choose({ token }, ['hunter2']);
    expect([malformed.status, malformed.text.includes('hunter2'), malformed.text.includes(token)]).toEqual([
      422,
      false,
      false,
    ]);
    expect((await choose(token, 'good-password')).status).toBe(204);
  });

  it('an account is asked for a few times only, whether it is there or not', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) statuses.push((await ask('nobody@example.com')).status);
    expect(statuses).toEqual([204, 204, 204, 429]);
  });

  it('people are welcomed to new accounts, at the address of the server', async () => {
    await addUser('rosa', 'first-password', { send_welcome_email: true });
    const [welcome] = await mailsTo('rosa', 1);
    expect(welcome?.html).toContain(`<a id="welcome-url" href="${ROOT_URL}">`);
    expect(welcome?.source).not.toContain('first-password');
    const query = `mutation { createUser(input: { email: "nina@example.com", username: "nina", password: "first-password",
      role: VIEWER, sendWelcomeEmail: true }) { user { id } } }`;
    await post('/graphql', { query }, admin);
    await mailsTo('nina', 1);
  });
});

describe('a token', () => {
  it('is good for as long as it is said', async () => {
    await start({ ...AUTH, ...ROOT, ...mailSettings(), PASSWORD_RESET_TOKEN_EXPIRY_MINUTES: '0.0001' });
    await addUser('lise', 'first-password');
    await ask('lise@example.com');
    const token = await tokenFor('lise', 1);
    await expect.poll(async () => (await choose(token, 'other-password')).status).toBe(401);
    expect((await signIn('lise@example.com', 'first-password')).status).toBe(204);
    await server[Symbol.asyncDispose]();
  });
});

describe('without', () => {
  afterEach(() => server[Symbol.asyncDispose]());

  it.each([
    ['mail', ROOT, false],
    ['an address of the server', {}, true],
  ])('%s, nothing is looked up', async (_what, settings, isMailed) => {
    await start({ ...AUTH, ...settings, ...(isMailed && mailSettings()) });
    expect(await ask('nobody@example.com')).toMatchObject({ status: 503, text: /cannot send mail/ });
    expect(await ask('')).toMatchObject({ status: 422 });
  });

  it('authentication, there is no such path', async () => {
    await start({ ...ROOT, ...mailSettings() });
    expect([(await ask('a@example.com')).status, (await choose('x', 'y')).status]).toEqual([404, 404]);
  });
});
