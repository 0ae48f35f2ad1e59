/** The pages of signing in, where people sign in with a directory. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { findBarriers, openPage, sharedBrowser } from '../harness/browser.ts';
import { type DirectoryServer, NO_DIRECTORY, personEntry, startDirectory, TOP } from '../harness/directory-server.ts';
import { startTestServer } from '../harness/server.ts';
import { openSignedIn } from './signed-in-page.ts';

describe.skipIf(NO_DIRECTORY !== null)(
  `signing in with a directory${NO_DIRECTORY === null ? '' : ` (${NO_DIRECTORY})`}`,
  () => {
    let browser: Browser;
    let directory: DirectoryServer;
    let settings: Record<string, string>;

    beforeAll(async () => {
      browser = await sharedBrowser();
      directory = await startDirectory({ entries: personEntry('ada', { name: 'Ada Lovelace' }) });
      settings = {
        ...WITH_PEOPLE,
        LDAP_HOST: '127.0.0.1',
        LDAP_PORT: String(directory.port),
        LDAP_TLS_MODE: 'none',
        LDAP_USER_SEARCH_BASE_DNS: JSON.stringify([`ou=people,${TOP}`]),
        LDAP_USER_SEARCH_FILTER: '(uid=%s)',
        LDAP_ATTR_EMAIL: 'mail',
        LDAP_GROUP_ROLE_MAPPINGS: '[{"group_dn": "*", "role": "MEMBER"}]',
      };
    });
    afterAll(() => directory[Symbol.asyncDispose]());

    it('asks for a username first, and for an email address where somebody has one', async () => {
      await using server = await startTestServer(settings);
      await addPerson(server.url, 'grace', 'VIEWER');
      await using tab = await openPage(browser, `${server.url}/login`);
      const { page } = tab;
      await page.getByLabel('Username').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await submit(page);
      await page.getByRole('alert').getByText('Enter your username and your password.').waitFor();
      await signIn(page, 'Username', 'ada', 'wrong');
      await page.getByRole('alert').getByText('The username or the password is wrong').waitFor();

      await page.getByRole('button', { name: 'Sign in with an email address instead' }).click();
      await signIn(page, 'Email', 'grace@example.com', 'own-password');
      await page.getByRole('link', { name: 'default' }).first().waitFor();

      await tab.context.clearCookies();
      await page.goto(`${server.url}/projects`);
      await signIn(page, 'Username', 'ada', 'ada-password');
      await page.getByRole('link', { name: 'default' }).first().waitFor();
      await page.goto(`${server.url}/profile`);
      await page.getByText('Ada Lovelace').first().waitFor();
      expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0);

      await page.goto(`${server.url}/projects`);
      await tab.context.clearCookies();
      await page.getByRole('searchbox').first().fill('zzz');
      const again = page.getByRole('dialog', { name: 'Your session has ended' });
      await again.getByLabel('Username').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await signIn(page, 'Username', 'ada', 'ada-password');
      await again.waitFor({ state: 'detached' });
    });

    it('lets those in alone whom an administrator has prepared, where the settings say so', async () => {
      await using server = await startTestServer({ ...settings, LDAP_ALLOW_SIGN_UP: 'false' });
      const admin = await addPerson(server.url, 'grace', 'ADMIN');
      await using stranger = await openPage(browser, `${server.url}/login`);
      await signIn(stranger.page, 'Username', 'ada', 'ada-password');
      await stranger.page.getByRole('alert').getByText('or you have no access to this server').waitFor();

      await using tab = await openSignedIn(browser, server.url, admin, '/settings/users');
      await tab.page.getByRole('button', { name: 'Add directory user' }).click();
      const window = tab.page.getByRole('dialog');
      await window.getByLabel('Email').fill('ada@example.com');
      await window.getByLabel('Name').fill('Prepared Ada');
      expect(await findBarriers(tab.page)).toEqual([]);
      await window.getByRole('button', { name: 'Add user' }).click();
      await tab.page
        .getByRole('link', { name: 'Prepared Ada' })
        .or(tab.page.getByText('Prepared Ada'))
        .first()
        .waitFor();

      await signIn(stranger.page, 'Username', 'ada', 'ada-password');
      await stranger.page.getByRole('link', { name: 'default' }).first().waitFor();
    });

    it('asks for a username alone where passwords of accounts are off, and says when the directory does not answer', async () => {
      await using server = await startTestServer({ ...settings, DISABLE_BASIC_AUTH: 'true' });
      await using tab = await openPage(browser, `${server.url}/login`);
      const { page } = tab;
      await page.getByLabel('Username').waitFor();
      expect(await page.getByText(/email|Forgot your password/i).count()).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
      await signIn(page, 'Username', 'ada', 'ada-password');
      await page.getByRole('link', { name: 'default' }).first().waitFor();

      await tab.context.clearCookies();
      await page.goto(`${server.url}/login`);
      await directory.kill();
      await signIn(page, 'Username', 'ada', 'ada-password');
      await page.getByRole('alert').getByText('The directory does not answer').waitFor();
    });
  },
);

async function signIn(page: Page, label: 'Email' | 'Username', name: string, password: string): Promise<void> {
  await page.getByLabel(label).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await submit(page);
}

async function submit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
