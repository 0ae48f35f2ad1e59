/** A server that logs as much as it can, and what it leaves on the disk, hold nothing that lets anybody in. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bearer, sendJson } from '../harness/accounts.ts';
import { AS_ADMIN, ASKING, makeSystemKey } from '../harness/asking-server.ts';
import { findFreePort } from '../harness/free-port.ts';
import { MAIL_LOGIN, startMailServer } from '../harness/mail-server.ts';
import { startServerProcess } from '../harness/server-process.ts';

const VALUES = {
  initialPassword: 'the-initial-password',
  wrongPassword: 'a-wrong-password',
  firstPassword: 'the-first-password',
  chosenPassword: 'the-chosen-password',
  secret: 'sk-a-value-to-keep',
  malformed: 'typed-into-the-wrong-field',
};

it('after sign-ins, keys, secrets, mails and requests that are refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-secret-'));
  await using mail = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('refused') ? Object.assign(new Error(address), { responseCode: 550 }) : null),
  });
  const port = String(await findFreePort());
  const server = await startServerProcess(folder, {
    ...ASKING,
    PORT: port,
    LOGGING_LEVEL: 'debug',
    DEFAULT_ADMIN_INITIAL_PASSWORD: VALUES.initialPassword,
    ROOT_URL: `http://127.0.0.1:${port}`,
    SMTP_HOSTNAME: 'localhost',
    SMTP_PORT: String(mail.port),
    SMTP_USERNAME: MAIL_LOGIN.username,
    SMTP_PASSWORD: MAIL_LOGIN.password,
    SMTP_MAIL_FROM: 'cairn@example.com',
    SMTP_VALIDATE_CERTS: 'false',
  });
  const { url } = server;
  const post = (path: string, body: unknown, headers = {}) => sendJson(url, 'POST', path, body, headers);
  const found: Record<string, string> = { ...VALUES, smtpPassword: MAIL_LOGIN.password };

  const logIn = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@localhost', password: VALUES.initialPassword }),
  });
  for (const line of logIn.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    found[name] = value;
  }
  expect(Object.keys(found)).toEqual(expect.arrayContaining(['phoenix-access-token', 'phoenix-refresh-token']));
  for (const email of ['admin@localhost', VALUES.malformed, 'nobody@example.com']) {
    expect((await post('/auth/login', { email, password: VALUES.wrongPassword })).status).toBe(401);
  }

  found['key'] = (await makeSystemKey(url)).key;
  expect((await sendJson(url, 'GET', '/v1/projects', undefined, bearer(found['key']))).status).toBe(200);
  expect((await sendJson(url, 'GET', '/v1/users', undefined, bearer(found['key']))).status).toBe(403);
  expect((await sendJson(url, 'GET', '/v1/projects', undefined, bearer(`${found['key']}x`))).status).toBe(401);

  const secrets = [{ key: 'OPENAI_API_KEY', value: VALUES.secret }];
  expect((await sendJson(url, 'PUT', '/v1/secrets', { secrets }, AS_ADMIN)).status).toBe(200);
  const misplaced = { secrets: [{ key: 'A', value: [VALUES.malformed] }, { [VALUES.malformed]: 1 }] };
  const refused = await sendJson(url, 'PUT', '/v1/secrets', misplaced, AS_ADMIN);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.not.stringContaining(VALUES.malformed)]);

  for (const name of ['ada', 'refused']) {
    const user = {
      auth_method: 'LOCAL',
      email: `${name}@example.com`,
      username: name,
      role: 'MEMBER',
      password: VALUES.firstPassword,
    };
    expect((await post('/v1/users', { user, send_welcome_email: false }, AS_ADMIN)).status).toBe(201);
    expect((await post('/auth/password-reset-email', { email: `${name}@example.com` })).status).toBe(204);
  }
  await expect.poll(() => mail.mails.length).toBe(1);
  await expect.poll(server.output).toContain('the mail server answered 550 to RCPT TO');
  found['resetToken'] = /token=([\w.-]+)/.exec(mail.mails[0]?.text ?? '')?.[1] ?? '';
  const choice = { token: found['resetToken'], password: VALUES.chosenPassword };
  expect((await post('/auth/password-reset', { ...choice, password: 'abc' })).status).toBe(422);
  expect((await post('/auth/password-reset', choice)).status).toBe(204);
  expect((await post('/auth/password-reset', choice)).status).toBe(401);
  expect((await post('/auth/password-reset', [choice])).status).toBe(422);
  const page = await fetch(`${url}/reset-password-with-token?token=${found['resetToken']}`);
  await page.text();

  await server.end('SIGTERM');
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const stored = Buffer.concat(await Promise.all(files.map((file) => readFile(file)))).toString('latin1');
  expect(stored).toContain('OPENAI_API_KEY');
  expect(stored).toContain('signIn.login');
  await rm(folder, { recursive: true });
  const everything = { ...found, SECRET: ASKING.SECRET, ADMIN_SECRET: ASKING.ADMIN_SECRET };
  for (const [name, text] of Object.entries(everything)) {
    expect([name, text.length > 10]).toEqual([name, true]);
    expect([name, server.output().includes(text), stored.includes(text)]).toEqual([name, false, false]);
  }
  expect(server.output()).not.toMatch(/ada@example|refused@example/);
});
