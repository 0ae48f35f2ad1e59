/** The question whether an application may act in one's name, and the list of those that may. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson, bearer, sendJson, WITH_PEOPLE } from '../harness/accounts.ts';
import { findBarriers, openPage, sharedBrowser, THEMES } from '../harness/browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openSignedIn } from './signed-in-page.ts';

/** What the browser notes of answers that the pages expect. */
const EXPECTED = /^console: Failed to load resource: .* (400|401) /;

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer(WITH_PEOPLE)]);
});
afterAll(() => server[Symbol.asyncDispose]());

/** An application on this machine: where it asks, and what it is answered. */
async function startApplication(clientId: string) {
  const answered = Promise.withResolvers<URLSearchParams>();
  const listener = createServer(({ url = '' }, response) => {
    const address = new URL(url, 'http://127.0.0.1');
    response.end('Back at the application');
    if (address.pathname === '/callback') answered.resolve(address.searchParams);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const redirectUri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: randomBytes(16).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return {
    path: `/oauth2/authorize?${asked}`,
    answer: answered.promise,
    exchange: async (code: string) => {
      const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri };
      const body = new URLSearchParams({ ...form, client_id: clientId });
      const response = await fetch(`${server.url}/oauth2/token`, { method: 'POST', body });
      return (await response.json()) as { access_token: string };
    },
    [Symbol.dispose]: () => {
      listener.close();
      listener.closeAllConnections();
    },
  };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

it('comes after signing in, says who asks for what, and leads back to the application, which is revoked on the profile', async () => {
  const person = await addPerson(server.url, 'ada', 'MEMBER');
  using application = await startApplication('phoenix-cli');
  await using tab = await openPage(browser, `${server.url}${application.path}`);
  const { page } = tab;
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('own-password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, 'Let Command line in?').waitFor();
  for (const text of ['Command line of this server', 'ada', 'a program on this machine', /^90 days/]) {
    await page
      .getByText(text, { exact: typeof text === 'string' })
      .first()
      .waitFor();
  }
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page), colorScheme).toEqual([]);
  }
  await page.getByRole('button', { name: 'Let it in', exact: true }).click();
  await page.getByText('Back at the application').waitFor();
  const { access_token: token } = await application.exchange((await application.answer).get('code') ?? '');
  const read = async () => (await sendJson(server.url, 'GET', '/v1/projects', undefined, bearer(token))).status;
  expect(await read()).toBe(200);

  await page.goto(`${server.url}/profile`);
  const applications = page.getByRole('region', { name: 'Applications' });
  await applications.getByText('Command line').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await applications.getByRole('button', { name: 'Revoke Command line' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await applications.getByText('You have let no application in').waitFor();
  expect(await read()).toBe(401);
  expect(person.id).not.toBe('');
  expect(tab.faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]);
});

it('warns of applications that nobody has checked, and may be answered with no by the keyboard', async () => {
  const person = await addPerson(server.url, 'grace', 'VIEWER');
  const registered = await sendJson(
    server.url,
    'POST',
    '/oauth2/register',
    { client_name: 'Helpful agent', redirect_uris: ['http://127.0.0.1/callback'] },
    {},
  );
  using application = await startApplication((registered.body as { client_id: string }).client_id);
  await using tab = await openSignedIn(browser, server.url, person, application.path);
  await heading(tab.page, 'Let Helpful agent in?').waitFor();
  await tab.page.getByText('Nobody has checked this name').waitFor();
  await tab.page.getByRole('button', { name: 'Do not let it in' }).press('Enter');
  await tab.page.getByText('Back at the application').waitFor();
  expect((await application.answer).get('error')).toBe('access_denied');
  expect(tab.faults).toEqual([]);
});

it('is not put for an address that the application has not registered', async () => {
  const person = await addPerson(server.url, 'mary', 'VIEWER');
  using application = await startApplication('phoenix-cli');
  const path = application.path.replace('/oauth2/authorize?', '/oauth2/consent?').replace('callback', 'other');
  await using tab = await openSignedIn(browser, server.url, person, path);
  await tab.page.getByRole('alert').getByText('This request is not valid').waitFor();
  expect(await tab.page.getByRole('button').count()).toBe(0);
});

it('needs no password where the session can be renewed', async () => {
  const person = await addPerson(server.url, 'joan', 'VIEWER');
  using application = await startApplication('phoenix-cli');
  await using tab = await openSignedIn(browser, server.url, person, '/profile');
  await heading(tab.page, 'Profile').waitFor();
  await tab.context.clearCookies({ name: 'phoenix-access-token' });
  await tab.page.goto(`${server.url}${application.path}`);
  await heading(tab.page, 'Let Command line in?').waitFor();
});

it('shows administrators whom a user let in, and lets them end it', async () => {
  const [admin, member] = [await addPerson(server.url, 'root', 'ADMIN'), await addPerson(server.url, 'max', 'MEMBER')];
  using application = await startApplication('phoenix-cli');
  const asked = Object.fromEntries(new URL(application.path, server.url).searchParams);
  const { body } = await sendJson(
    server.url,
    'POST',
    '/oauth2/authorize/decision',
    { ...asked, approved: true },
    { ...member.headers, origin: server.url },
  );
  const code = new URL((body as { redirect_to: string }).redirect_to).searchParams.get('code') ?? '';
  const { access_token: token } = await application.exchange(code);
  await using tab = await openSignedIn(browser, server.url, admin, `/settings/users/${member.id}`);
  const applications = tab.page.getByRole('region', { name: 'Applications' });
  await applications.getByRole('button', { name: 'Revoke Command line' }).click();
  await tab.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await applications.getByText('This user let no application in.').waitFor();
  expect((await sendJson(server.url, 'GET', '/v1/projects', undefined, bearer(token))).status).toBe(401);
});
