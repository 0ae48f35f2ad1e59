/** Signing in with a provider, as people meet it in a browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProviderRefusalCode } from '#domain/provider-sign-in';
import { ASKING } from '../harness/asking-server.ts';
import { findBarriers, openPage, sharedBrowser } from '../harness/browser.ts';
import { findFreePort } from '../harness/free-port.ts';
import { type IdentityProviderServer, startIdentityProvider } from '../harness/identity-provider.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const SECRET = 'a-secret-of-these-tests-0123456789';

/** Not one that a provider knows from before. */
const FRESH = { isFirstVisit: true };

let browser: Browser;
let provider: IdentityProviderServer;

beforeAll(async () => {
  browser = await sharedBrowser();
});

async function start(more: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const port = String(await findFreePort());
  // Another host than the provider's: ports of one host share cookies.
  const rootUrl = `http://127.0.0.1:${port}`;
  provider = await startIdentityProvider({
    clients: ['one', 'two'].map((id) => ({
      id,
      secret: SECRET,
      method: 'client_secret_basic',
      redirectUri: `${rootUrl}/oauth2/${id}/tokens`,
    })),
    people: { ada: { email: 'ada@example.com', name: 'Ada' }, eve: { name: 'Eve' } },
  });
  const ofProvider = (name: string) => ({
    [`OAUTH2_${name}_CLIENT_ID`]: name.toLowerCase(),
    [`OAUTH2_${name}_CLIENT_SECRET`]: SECRET,
    [`OAUTH2_${name}_OIDC_CONFIG_URL`]: provider.configUrl,
  });
  const settings = { ...ASKING, DISABLE_RATE_LIMIT: 'true', PORT: port, ROOT_URL: rootUrl };
  return startTestServer({
    ...settings,
    ...ofProvider('ONE'),
    ...ofProvider('TWO'),
    OAUTH2_TWO_DISPLAY_NAME: 'My Company',
    ...more,
  });
}

/** What the page says of each refusal. */
const SENTENCES: Readonly<Record<ProviderRefusalCode, string>> = {
  unknown_idp: 'This server does not know that provider.',
  auth_failed: 'You could not be signed in.',
  invalid_state: 'This sign-in took too long, or was started in another tab or browser.',
  unsafe_return_url: 'The link that you followed leads to no page of this server.',
  oauth_error: 'The provider did not answer as expected.',
  no_oidc_support: 'The provider does not say who you are.',
  missing_email_scope: 'The provider did not share your email address.',
  email_in_use: 'Another account has your email address.',
  sign_in_not_allowed: 'There is no account for you on this server.',
};

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const signedIn = (page: Page) => page.getByRole('link', { name: 'default' }).first();

describe('providers and passwords', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  it('are offered, and a provider leads to the page that was asked for', async () => {
    await using tab = await openPage(browser, `${server.url}/projects?sort=name`, FRESH);
    const { page } = tab;
    await heading(page, 'Sign in').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in with One' }).waitFor();
    await page.getByLabel('Email').waitFor();
    await page.getByRole('link', { name: 'Sign in with My Company' }).click();
    await heading(page, 'Who are you?').waitFor();
    await page.getByRole('link', { name: 'ada' }).click();
    await signedIn(page).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe('/projects?sort=name');
    await page.goto(`${server.url}/profile`);
    await page.getByText('ada@example.com').first().waitFor();
    expect(await page.getByRole('button', { name: /Change.*password/ }).count()).toBe(0);

    await page.goto(`${server.url}/projects`);
    await tab.context.clearCookies({ name: /^phoenix-/ });
    await page.getByRole('searchbox').first().fill('zzz');
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByRole('link', { name: 'Sign in with My Company' }).waitFor();
    expect(await again.getByLabel('Password').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    const [other] = await Promise.all([
      tab.context.waitForEvent('page'),
      again.getByRole('link', { name: 'Sign in with My Company' }).click(),
    ]);
    await signedIn(other).waitFor();
    // A browser without a window gives no tab the focus.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await again.waitFor({ state: 'detached' });
  });

  it('say what was refused, in words of their own', async () => {
    await using tab = await openPage(browser, `${server.url}/login`, FRESH);
    const { page } = tab;
    await page.getByRole('link', { name: 'Sign in with One' }).click();
    await page.getByRole('link', { name: 'eve' }).click();
    await page.getByRole('alert').getByText('The provider did not share your email address.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    for (const [code, sentence] of Object.entries(SENTENCES)) {
      await page.goto(`${server.url}/login?error=${code}`);
      await page.getByRole('alert').getByText(sentence).waitFor();
      await page.getByRole('link', { name: 'Sign in with One' }).waitFor();
    }
    await page.goto(`${server.url}/login?error=%3Cb%3EYou+won%3C%2Fb%3E`);
    await heading(page, 'Sign in').waitFor();
    expect(await page.getByText('You won').count()).toBe(0);
  });
});

describe('an automatic provider without passwords', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start({ OAUTH2_ONE_AUTO_LOGIN: 'true', DISABLE_BASIC_AUTH: 'true' });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  it('is where every page leads, until somebody signs out', async () => {
    await using tab = await openPage(browser, `${server.url}/projects`, FRESH);
    const { page } = tab;
    await page.getByRole('link', { name: 'ada' }).click();
    await signedIn(page).waitFor();
    await page.goto(`${server.url}/auth/logout`);
    await heading(page, 'You are signed out').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in another way' }).click();
    await page.getByRole('link', { name: 'Sign in with My Company' }).waitFor();
    expect(await page.getByLabel('Email').count()).toBe(0);
    await page.goto(`${server.url}/login`);
    // The provider knows the browser still.
    await signedIn(page).waitFor();
  });

  it('is not where an error leads', async () => {
    await using tab = await openPage(browser, `${server.url}/login`, FRESH);
    const { page } = tab;
    await page.getByRole('link', { name: 'nobody' }).click();
    await page.getByRole('alert').getByText('You could not be signed in.').waitFor();
    await page.getByRole('link', { name: 'Sign in with One' }).waitFor();
  });
});
