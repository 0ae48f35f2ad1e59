/** The pages of signing in, as people without a session meet them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { findBarriers, openPage, sharedBrowser } from '../harness/browser.ts';
import { findFreePort } from '../harness/free-port.ts';
import { MAIL_LOGIN, type MailServer, startMailServer } from '../harness/mail-server.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const ADMIN = { email: 'admin@localhost', password: 'admin' };
/** What {@link addPerson} gives everybody. */
const OWN_PASSWORD = 'own-password';

/** What the browser notes of answers that the pages expect and explain. */
const EXPECTED = /^console: Failed to load resource: .* (401|429) /;

let browser: Browser;
let mail: MailServer;
let server: TestServer;

beforeAll(async () => {
  [browser, mail] = await Promise.all([sharedBrowser(), startMailServer()]);
  const port = String(await findFreePort());
  server = await startTestServer({
    ...WITH_PEOPLE,
    PORT: port,
    ROOT_URL: `http://127.0.0.1:${port}`,
    SMTP_HOSTNAME: 'localhost',
    SMTP_PORT: String(mail.port),
    SMTP_USERNAME: MAIL_LOGIN.username,
    SMTP_PASSWORD: MAIL_LOGIN.password,
    SMTP_MAIL_FROM: 'cairn@example.com',
    SMTP_VALIDATE_CERTS: 'false',
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

describe('signing in', () => {
  it('is asked for by every page, says one thing of whatever is wrong, and leads to the page that was asked for', async () => {
    await addPerson(server.url, 'ada', 'MEMBER');
    await using tab = await openPage(browser, `${server.url}/projects?sort=name#there`);
    const { page } = tab;
    await heading(page, 'Sign in').waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    expect(await findBarriers(page)).toEqual([]);

    await submit(page);
    await page.getByRole('alert').getByText('Enter your email address and your password.').waitFor();
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      await signIn(page, email, 'wrong-password');
      await page.getByRole('alert').getByText('The email address or the password is wrong.').waitFor();
    }
    await signIn(page, ' Ada@Example.com ', OWN_PASSWORD);
    await page.getByRole('link', { name: 'default' }).first().waitFor();
    const { pathname, search, hash } = new URL(page.url());
    expect(pathname + search + hash).toBe('/projects?sort=name#there');
    expect(tab.faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]);
  });

  it('leads to no other site', async () => {
    await addPerson(server.url, 'grace', 'VIEWER');
    for (const returnUrl of ['https://evil.example.com/', '//evil.example.com']) {
      await using tab = await openPage(browser, `${server.url}/login?returnUrl=${encodeURIComponent(returnUrl)}`);
      await signIn(tab.page, 'grace@example.com', OWN_PASSWORD);
      await tab.page.getByRole('link', { name: 'default' }).first().waitFor();
      expect(new URL(tab.page.url()).pathname).toBe('/projects');
    }
  });

  it('leads to pages that the server gives by itself, and needs no password while the session can be renewed', async () => {
    await addPerson(server.url, 'mary', 'VIEWER');
    await using tab = await openPage(browser, `${server.url}/docs`);
    const { page, context } = tab;
    await signIn(page, 'mary@example.com', OWN_PASSWORD);
    await heading(page, 'API reference').waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs');
    await context.clearCookies({ name: 'phoenix-access-token' });
    const expired = await page.goto(`${server.url}/graphql`);
    expect(expired?.status()).toBe(401);
    await page.getByRole('button', { name: /Execute query/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/graphql');
  });

  it('says why nothing follows where the browser does not keep the cookies', async () => {
    await addPerson(server.url, 'ruth', 'VIEWER');
    await using tab = await openPage(browser, `${server.url}/login`);
    const { page, context } = tab;
    await page.route('**/auth/login', async (route) => {
      const response = await route.fetch();
      await context.clearCookies();
      await route.fulfill({ status: response.status() });
    });
    await signIn(page, 'ruth@example.com', OWN_PASSWORD);
    await page.getByRole('alert').getByText('The browser did not keep your sign-in.').waitFor();
  });

  it('says when to try again after too many wrong passwords', async () => {
    await addPerson(server.url, 'alan', 'VIEWER');
    await using tab = await openPage(browser, `${server.url}/login`);
    for (let attempt = 0; attempt < 5; attempt++) {
      const answered = tab.page.waitForResponse(/\/auth\/login$/);
      await signIn(tab.page, 'alan@example.com', `wrong-password-${attempt}`);
      await answered;
    }
    await signIn(tab.page, 'alan@example.com', OWN_PASSWORD);
    await tab.page
      .getByRole('alert')
      .getByText(/^Too many attempts\. Try again in [45] minutes\.$/)
      .waitFor();
  });
});

describe('a first password', () => {
  it('opens nothing but the page that replaces it', async () => {
    await using tab = await openPage(browser, `${server.url}/login`);
    const { page } = tab;
    await signIn(page, ADMIN.email, ADMIN.password);
    await heading(page, 'Choose a new password').waitFor();
    await page.goto(`${server.url}/projects`);
    await heading(page, 'Choose a new password').waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await change(page, { current: ADMIN.password, next: 'abc' });
    await page
      .getByText(/at least \d+ characters/)
      .first()
      .waitFor();
    await change(page, { current: ADMIN.password, next: ADMIN.password });
    await page.getByText('Choose a password that differs from the current one.').waitFor();
    await change(page, { current: ADMIN.password, next: 'a-better-password', repeated: 'another-password' });
    await page.getByText('The two passwords differ.').waitFor();
    await change(page, { current: 'not-it', next: 'a-better-password' });
    await page.getByRole('alert').getByText(/\w/).first().waitFor();
    await change(page, { current: ADMIN.password, next: 'a-better-password' });
    await page.getByText('Your password was changed. Sign in with the new one.').waitFor();
    await signIn(page, ADMIN.email, 'a-better-password');
    await page.getByRole('link', { name: 'default' }).first().waitFor();
  });
});

describe('a forgotten password', () => {
  it('is replaced by a link that is mailed, once', async () => {
    await addPerson(server.url, 'joan', 'MEMBER');
    await using tab = await openPage(browser, `${server.url}/login?returnUrl=%2Fprojects%3Fsort%3Dname`);
    const { page } = tab;
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Forgot your password?').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Email').fill('joan@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('If there is an account for joan@example.com').waitFor();

    const link = await mailedLink('joan@example.com');
    await page.goto(link);
    await heading(page, 'Choose a new password').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await choose(page, 'the-next-password');
    await page.getByText('Your password was changed. Sign in with the new one.').waitFor();
    await signIn(page, 'joan@example.com', 'the-next-password');
    await page.getByRole('link', { name: 'default' }).first().waitFor();

    await page.goto(link);
    await choose(page, 'one-more-password');
    await page.getByRole('alert').getByText('This link has expired or has already been used.').waitFor();
    await page.goto(link.replace(/token=.*/, ''));
    await page.getByText('This link is incomplete.').waitFor();
  });
});

describe('signing out', () => {
  it('says that all sessions have ended', async () => {
    await using tab = await openPage(browser, `${server.url}/logout`);
    await heading(tab.page, 'You are signed out').waitFor();
    expect(await findBarriers(tab.page)).toEqual([]);
    await tab.page.getByRole('link', { name: 'Sign in again' }).click();
    await heading(tab.page, 'Sign in').waitFor();
  });
});

function heading(page: Page, name: string | RegExp) {
  return page.getByRole('heading', { name, level: 1, exact: true });
}

async function submit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await submit(page);
}

async function change(page: Page, { current, ...next }: { current: string; next: string; repeated?: string }) {
  await page.getByLabel('Current password', { exact: true }).fill(current);
  await choose(page, next.next, next.repeated);
}

async function choose(page: Page, next: string, repeated = next): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(next);
  await page.getByLabel('Repeat new password', { exact: true }).fill(repeated);
  await page.getByRole('button', { name: 'Save the password' }).click();
}

async function mailedLink(email: string): Promise<string> {
  const mailed = () => mail.mails.find(({ to }) => to.includes(email));
  await expect.poll(mailed).toBeDefined();
  return /<a id="reset-url" href="([^"]+)"/.exec(mailed()?.html ?? '')?.[1] ?? expect.fail('The mail has no link.');
}
