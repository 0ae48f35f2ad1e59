/** The user's own account: menu, profile, keys, and a session that ends while a page is open. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { findBarriers, sharedBrowser, THEMES } from '../harness/browser.ts';
import { postGraphql } from '../harness/graphql.ts';
import { exportTraces } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openSignedIn } from './signed-in-page.ts';

const MANAGEMENT_URL = 'https://manage.example.com';

let browser: Browser;
let server: TestServer;
let ada: TestPerson;
let max: TestPerson;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer({ ...WITH_PEOPLE, MANAGEMENT_URL })]);
  [ada, max] = [await addPerson(server.url, 'ada.lovelace', 'ADMIN'), await addPerson(server.url, 'max', 'MEMBER')];
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function openProfile(person: TestPerson) {
  const tab = await openSignedIn(browser, server.url, person, '/profile');
  await tab.page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  return tab;
}

async function openAccountMenu(page: Page) {
  await page.getByRole('button', { name: /^Account of / }).click();
  const menu = page.getByRole('menu', { name: 'Account' });
  await menu.waitFor();
  return menu;
}

/** Signs in on a page that asks for it. */
async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('the account menu', () => {
  it('says who has signed in, and leads to the profile, the settings and the installation', async () => {
    await using tab = await openSignedIn(browser, server.url, ada, '/projects');
    await tab.page.getByRole('button', { name: 'Account of ada.lovelace' }).press('Enter');
    const menu = tab.page.getByRole('menu', { name: 'Account' });
    await menu.getByText('ada.lovelace@example.com').waitFor();
    const manage = menu.getByRole('menuitem', { name: 'Manage this installation' });
    await expect.poll(() => manage.getAttribute('href')).toBe(MANAGEMENT_URL);
    await tab.page.keyboard.press('ArrowDown');
    await tab.page.keyboard.press('Enter');
    await tab.page.waitForURL(/\/settings/);
    await tab.page
      .getByRole('button', { name: 'Account of ada.lovelace' })
      .filter({ hasText: 'Administrator' })
      .click();
    await tab.page.getByRole('menuitem', { name: 'Profile and API keys' }).click();
    await tab.page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    await go(tab.page, ['g', 'o'], /\/settings/);
    await go(tab.page, ['g', 'u'], /\/profile/);
    expect(tab.faults).toEqual([]);
  });

  it('offers the installation to administrators alone, and signs out, on a phone too', async () => {
    const leaver = await addPerson(server.url, 'leaver', 'MEMBER');
    await using tab = await openSignedIn(browser, server.url, leaver, '/profile', { width: 390, height: 844 });
    await tab.page.getByRole('button', { name: 'Search' }).click();
    await tab.page.getByRole('option', { name: 'Profile and API keys' }).waitFor();
    await expect.poll(() => tab.page.getByRole('option', { name: 'Manage' }).count()).toBe(0);
    await tab.page.keyboard.press('Escape');
    await tab.page.getByRole('button', { name: 'Open navigation' }).click();
    const menu = await openAccountMenu(tab.page);
    await menu.getByRole('menuitem', { name: 'Settings' }).waitFor();
    await expect.poll(() => menu.getByRole('menuitem', { name: 'Manage' }).count()).toBe(0);
    await menu.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.page.waitForURL(`${server.url}/login`);
    await tab.page.goto(`${server.url}/projects`);
    await tab.page.waitForURL(/\/login\?returnUrl=/);
  });
});

describe('the profile', () => {
  it('changes the name, which every page then shows, unless somebody has it', async () => {
    const person = await addPerson(server.url, 'before', 'MEMBER');
    await using tab = await openProfile(person);
    const { page } = tab;
    await page.getByRole('button', { name: 'Change name' }).click();
    const field = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
    await field.fill('max');
    await field.press('Enter');
    await page.getByText('A user with this username already exists.').waitFor();
    await expect.poll(() => field.inputValue()).toBe('max');
    await field.fill('Grace Hopper');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Grace Hopper', level: 2 }).waitFor();
  });

  it('changes the password after the current one, and asks for the new one', async () => {
    const person = await addPerson(server.url, 'rita', 'VIEWER');
    await using tab = await openProfile(person);
    const { page } = tab;
    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change password' });
    const fill = async (current: string, next: string, repeated: string) => {
      await dialog.getByRole('textbox', { name: 'Current password' }).fill(current);
      await dialog.getByRole('textbox', { name: 'New password', exact: true }).fill(next);
      await dialog.getByRole('textbox', { name: 'Repeat new password' }).fill(repeated);
      await dialog.getByRole('button', { name: 'Change password' }).click();
    };
    await fill('own-password', 'next-password', 'other-password');
    await dialog.getByText('The two passwords differ.').waitFor();
    await fill('wrong-password', 'next-password', 'next-password');
    await dialog.getByText('The current password is wrong.').waitFor();
    await fill('own-password', 'next-password', 'next-password');
    await page.getByText('Your password was changed. Sign in with the new one.').waitFor();
    await signIn(page, 'rita@example.com', 'next-password');
    await page.waitForURL(`${server.url}/profile`);
  });
});

describe('a key', () => {
  it('is created in the profile, shown once, sends a trace, and is refused when it is deleted', async () => {
    await using tab = await openProfile(max);
    const { page } = tab;
    await page.getByText('You have no API keys').waitFor();
    await page.getByRole('button', { name: 'New API key' }).click();
    const form = page.getByRole('dialog', { name: 'New API key' });
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Enter a name.').waitFor();
    await form.getByRole('textbox', { name: 'Name' }).fill('checkout service');
    await form.getByRole('textbox', { name: 'Description' }).fill('exports traces');
    await form.getByRole('radio', { name: 'Send only' }).click();
    await form.getByRole('textbox', { name: 'Name' }).press('Enter');
    const shown = page.getByRole('dialog', { name: 'Copy the key now' });
    const lines = await shown.getByRole('group', { name: 'environment variables' }).innerText();
    const key = (await shown.getByLabel('The key', { exact: true }).innerText()).trim();
    expect(readVariable(lines, 'OTEL_EXPORTER_OTLP_ENDPOINT')).toBe(server.url);
    const authorization = decodeURIComponent(
      readVariable(lines, 'OTEL_EXPORTER_OTLP_HEADERS').slice('authorization='.length),
    );
    expect(authorization).toBe(`Bearer ${key}`);
    // A second Enter copies the key instead of closing the window, which is not shown again.
    await page.keyboard.press('Enter');
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    // It is not lost by a slip.
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(key);

    expect((await send(authorization)).status).toBe(200);
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'checkout service' });
    for (const text of ['exports traces', 'Send only']) await row.getByText(text).waitFor();
    await expect.poll(() => row.getByRole('cell').nth(1).innerText()).toMatch(/^[A-Z][a-z]{2} \d/);
    await row.getByRole('button', { name: 'Delete checkout service' }).click();
    await page.getByRole('dialog', { name: 'Delete API key' }).getByRole('button', { name: 'Delete key' }).click();
    await page.getByText('You have no API keys').waitFor();
    expect((await send(authorization)).status).toBe(401);
    expect(tab.faults).toEqual([]);
  });

  it('can be limited to projects, and ends when its owner says', async () => {
    await ask(ada, 'mutation { createProject(input: { name: "atlas" }) { project { id } } }');
    await using tab = await openProfile(ada);
    const { page } = tab;
    await page.getByRole('button', { name: 'New API key' }).click();
    const form = page.getByRole('dialog', { name: 'New API key' });
    await form.getByRole('textbox', { name: 'Name' }).fill('report');
    await form.getByRole('radio', { name: 'Read only' }).click();
    await form.getByRole('radio', { name: 'Chosen projects' }).click();
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Choose at least one project.').waitFor();
    await form.getByRole('searchbox', { name: 'Search projects by name' }).fill('atl');
    await form.getByRole('checkbox', { name: 'default' }).waitFor({ state: 'detached' });
    await form.getByRole('checkbox', { name: 'atlas' }).focus();
    await page.keyboard.press('Space');
    await form.getByRole('button', { name: 'Leave out atlas' }).waitFor();
    await form.getByRole('button', { name: /Expires/ }).click();
    await page.getByRole('option', { name: 'At a time of your choice…' }).click();
    await form.getByLabel('Time, in Europe/Berlin').fill('2001-01-01T10:00');
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Choose a time that is still to come.').waitFor();
    await form.getByLabel('Time, in Europe/Berlin').fill('2099-07-01T12:00');
    await form.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByText('curl').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: 'report' });
    for (const text of ['Read only', 'atlas', 'Jul 1, 2099']) await row.getByText(text).waitFor();
    const { viewer } = await ask<{ viewer: { apiKeys: readonly object[] } }>(
      ada,
      '{ viewer { apiKeys { name operations expiresAt projects { name } } } }',
    );
    expect(viewer.apiKeys).toEqual([
      { name: 'report', operations: 'READ', expiresAt: '2099-07-01T10:00:00+00:00', projects: [{ name: 'atlas' }] },
    ]);
  });

  it('of the system is made in the settings, where an administrator deletes those of others too', async () => {
    await ask(max, 'mutation { createUserApiKey(input: { name: "of max" }) { jwt } }');
    await using tab = await openSignedIn(browser, server.url, ada, '/settings/api-keys');
    const { page } = tab;
    const personal = page.getByRole('region', { name: 'Personal keys' });
    const row = personal.getByRole('row').filter({ hasText: 'of max' });
    await row.getByRole('cell', { name: 'max', exact: true }).waitFor();
    await page.getByRole('button', { name: 'New system key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('collector');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.getByLabel('The key', { exact: true }).innerText()).trim();
    await page.getByRole('button', { name: 'Done' }).click();
    const system = page.getByRole('region', { name: 'System keys' });
    await system.getByRole('row').filter({ hasText: 'collector' }).filter({ hasText: 'ada.lovelace' }).waitFor();
    expect((await send(`Bearer ${key}`)).status).toBe(200);
    await row.getByRole('button', { name: 'Delete of max' }).click();
    await page.getByRole('button', { name: 'Delete key' }).click();
    await row.waitFor({ state: 'detached' });
    await system.getByRole('button', { name: 'Delete collector' }).click();
    await page.getByRole('button', { name: 'Delete key' }).click();
    await system.getByText('No system keys').waitFor();
    expect((await send(`Bearer ${key}`)).status).toBe(401);
  });
});

describe('a session that ends', () => {
  it('asks for the password in place, keeps what was typed, and goes on', async () => {
    const person = await addPerson(server.url, 'tess', 'MEMBER');
    await using tab = await openSignedIn(browser, server.url, person, '/projects?kept=1');
    const { page } = tab;
    await page.getByRole('button', { name: 'New project' }).click();
    const form = page.getByRole('dialog', { name: 'New project' });
    await form.getByRole('textbox', { name: 'Name' }).fill('typed before');
    await fetch(`${server.url}/auth/logout`, { headers: person.headers, redirect: 'manual' });
    await page.keyboard.press('Enter');
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.waitFor();
    await expect.poll(() => again.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('tess@example.com');
    expect(await findBarriers(page)).toEqual([]);
    // The focus waits in the field of the password.
    await page.keyboard.type('wrong-password');
    await page.keyboard.press('Enter');
    await again.getByText('The email address or the password is wrong.').waitFor();
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).search).toBe('?kept=1');
    await again.getByRole('textbox', { name: 'Password' }).fill('own-password');
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'typed before', level: 1 }).waitFor();
  });

  it('starts the page again for somebody else, with what they may do', async () => {
    const person = await addPerson(server.url, 'tom', 'MEMBER');
    await addPerson(server.url, 'vera', 'VIEWER');
    await using tab = await openSignedIn(browser, server.url, person, '/projects');
    const { page } = tab;
    await page.getByRole('button', { name: 'New project' }).waitFor();
    await fetch(`${server.url}/auth/logout`, { headers: person.headers, redirect: 'manual' });
    await page.getByRole('searchbox').first().fill('zzz');
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await signIn(page, 'vera@example.com', 'own-password');
    await again.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Account of vera' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'New project' }).count()).toBe(0);
  });
});

it('a session that has expired is renewed when the GraphQL explorer opens, and by the explorer itself', async () => {
  const name = `gwen${Math.random().toString(36).slice(2, 10)}`;
  const person = await addPerson(server.url, name, 'VIEWER');
  await using tab = await openSignedIn(browser, server.url, person, '/projects');
  const expire = () => tab.context.clearCookies({ name: 'phoenix-access-token' });
  const link = tab.page.getByRole('complementary').getByRole('link', { name: 'GraphQL explorer' });
  await link.waitFor();
  await expire();
  await link.click();
  await tab.page.getByRole('button', { name: /execute/i }).waitFor();
  await tab.page.goto(`${server.url}/graphql?query=${encodeURIComponent('{ viewer { username } }')}`);
  // The button does nothing before both editors are there.
  await tab.page.locator('.graphiql-query-editor .CodeMirror-code').getByText('{').first().waitFor();
  await tab.page.locator('.result-window .CodeMirror-code').waitFor();
  await expire();
  await tab.page.getByRole('button', { name: /execute/i }).click();
  await tab.page.getByText(`"${name}"`).waitFor();
});

describe.each(THEMES)('in the %s theme', (theme) => {
  it('nothing of the profile and its windows bars anybody', async () => {
    await ask(ada, 'mutation { createUserApiKey(input: { name: "bars nobody", operations: READ }) { jwt } }');
    await using tab = await openSignedIn(browser, server.url, ada, '/profile', { theme, reducedMotion: 'reduce' });
    const { page } = tab;
    await page.getByText('bars nobody').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await openAccountMenu(page);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByRole('radio', { name: 'Chosen projects' }).click();
    await page.getByRole('checkbox', { name: 'default' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Name' }).fill('laptop');
    await page.getByRole('radio', { name: 'All projects' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: 'Copy the key now' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('listitem').filter({ hasText: 'laptop' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(tab.faults).toEqual([]);
  });
});

it('the server complained of nothing', () => {
  expect(server.complaints).toEqual([]);
});

function readVariable(lines: string, name: string): string {
  return new RegExp(`^export ${name}="(.*)"$`, 'm').exec(lines)?.[1] ?? '';
}

function send(authorization: string) {
  const span = { traceId: traceId(1), spanId: spanId(1), name: 'answer' };
  return exportTraces(server.url, traceRequest([span]), { headers: { authorization } });
}

async function ask<Data>(person: TestPerson, query: string): Promise<Data> {
  const response = await postGraphql(server.url, { query }, person.headers);
  const { data, errors } = (await response.json()) as { data?: Data; errors?: unknown };
  if (data === undefined || errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

/** Presses keys that count together within a second, which a busy machine can miss. */
async function go(page: Page, keys: readonly string[], address: RegExp): Promise<void> {
  const press = async () => {
    for (const key of keys) await page.keyboard.press(key);
    return page.url();
  };
  await expect.poll(press).toMatch(address);
}
