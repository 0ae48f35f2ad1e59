/** The settings, as administrators use them, and as others find them. */
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, bearer, sendJson, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';
import { findBarriers, openPage, sharedBrowser, type View } from '../harness/browser.ts';
import { postGraphql } from '../harness/graphql.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openSignedIn } from './signed-in-page.ts';
import { visit } from './visit.ts';

let browser: Browser;
let server: TestServer;
let admin: TestPerson;
let viewer: TestPerson;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer(WITH_PEOPLE)]);
  [admin, viewer] = await Promise.all([
    addPerson(server.url, 'grace', 'ADMIN'),
    addPerson(server.url, 'first', 'VIEWER'),
  ]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

it('shows a viewer only what is for everybody', async () => {
  await using tab = await open(viewer, '/settings');
  const { page } = tab;
  await page.getByText('Keys of viewers cannot send').waitFor();
  await expect.poll(() => readTabs(page)).toEqual(['General', 'Models', 'Annotations', 'Data']);
  await visit(page, '/settings/secrets');
  await page.getByText('This page is for administrators').waitFor();
  expect(tab.faults).toEqual([]);
});

describe('users', () => {
  it('adds a member, who signs in with the temporary password and must replace it', async () => {
    await using tab = await open(admin, '/settings/users');
    const { page } = tab;
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await page.getByRole('radio', { name: 'Member' }).check({ force: true });
    await page.keyboard.press('Enter');
    await page.getByText('A user with this e-mail address already exists.').waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
    const typed = page.getByRole('textbox', { name: 'Temporary password' });
    const first = await typed.inputValue();
    await page.getByRole('button', { name: 'Generate' }).click();
    const password = await typed.inputValue();
    expect(password).not.toBe(first);
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
    const window = page.getByRole('dialog', { name: 'User added' });
    await expect.poll(() => window.locator('code').textContent()).toBe(password);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(password);
    await userRow(page, 'Ada').getByText('Temporary password').waitFor();

    // The user, in a browser that the administrator has left.
    await tab.context.clearCookies();
    await page.goto(`${server.url}/login?returnUrl=${encodeURIComponent('/settings/users')}`);
    await signIn(page, password);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await page.getByRole('textbox', { name: 'Current password' }).fill(password);
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a-password-of-my-own');
    await page.getByRole('textbox', { name: 'Repeat new password' }).fill('a-password-of-my-own');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByText('Your password was changed').waitFor();
    await signIn(page, 'a-password-of-my-own');
    await page.getByRole('button', { name: 'Account of Ada' }).waitFor();
    await page.getByText('This page is for administrators').waitFor();
    await expect.poll(() => readTabs(page)).toEqual(['General', 'Models', 'Annotations', 'Data']);
    expect(tab.faults).toEqual([]);
  });

  it('changes a role, sets a password and unlocks, but nothing that would harm the administrators', async () => {
    await createUser('alan');
    for (let attempt = 0; attempt < 5; attempt++) {
      await sendJson(server.url, 'POST', '/auth/login', { email: 'alan@example.com', password: 'wrong' }, {});
    }
    await using tab = await open(admin, '/settings/users');
    const { page } = tab;
    await userRow(page, 'alan').getByText('Locked').waitFor();
    await choose(page, 'alan', 'Unlock');
    await userRow(page, 'alan').getByText('Locked').waitFor({ state: 'detached' });

    await userRow(page, 'alan').getByText('Member').waitFor();
    await choose(page, 'alan', 'Change role…');
    await page.getByRole('radio', { name: 'Viewer' }).check({ force: true });
    await page.getByRole('button', { name: 'Change role' }).click();
    await userRow(page, 'alan').getByText('Viewer').waitFor();

    await choose(page, 'alan', 'Reset password…');
    await page.getByRole('textbox', { name: 'Temporary password' }).fill('ab');
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByText('Enter at least 4 characters.').waitFor();
    await page.getByRole('textbox', { name: 'Temporary password' }).fill('abcd1234');
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByText('abcd1234').waitFor();
    // What is not shown again does not close by a slip.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Done' }).click();
    await userRow(page, 'alan').getByText('Temporary password').waitFor();

    expect(await readMenu(page, 'grace')).toEqual([
      ['You cannot change your own role', false],
      ['Change your own password in your profile', false],
      ['You cannot delete your own account', false],
    ]);
    expect(await readMenu(page, 'admin')).toEqual([
      ['The built-in administrator keeps this role', false],
      ['Reset password…', true],
      ['The built-in administrator cannot be deleted', false],
    ]);
    for (const name of ['grace', 'admin']) {
      expect(await page.getByRole('checkbox', { name: `Select ${name}` }).isDisabled(), name).toBe(true);
    }
    expect(tab.faults).toEqual([]);
  });

  it('deletes several users, all or none', async () => {
    await sendJson(server.url, 'POST', '/v1/user/api_keys', { data: { name: 'laptop' } }, viewer.headers);
    const secondId = await createUser('second');
    await using tab = await open(admin, '/settings/users');
    const { page } = tab;
    await userRow(page, 'first').click();
    await page.getByRole('region', { name: 'User first' }).getByText('laptop').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/settings/users/${encodeURIComponent(viewer.id)}`);
    await page.getByRole('searchbox', { name: /Search users/ }).fill('@example.com');
    await page.getByRole('checkbox', { name: 'Select first' }).check({ force: true });
    await page.getByRole('checkbox', { name: 'Select second' }).check({ force: true });
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByText('1 personal API key').waitFor();

    await sendJson(server.url, 'DELETE', `/v1/users/${secondId}`, undefined, AS_ADMIN);
    await page.getByRole('button', { name: 'Delete 2 users' }).click();
    await page.getByRole('alert').getByText('Some user IDs could not be found').waitFor();
    expect(await whoIs(viewer)).toBe('first');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.reload();
    await page.getByRole('checkbox', { name: 'Select first' }).check({ force: true });
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete user' }).click();
    await userRow(page, 'first').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/settings/users');
    expect(await whoIs(viewer)).toBeUndefined();
  });
});

it('keeps secrets without ever showing a value', async () => {
  const values = ['sk-first-4711', 'sk-second-0815', '-----BEGIN KEY-----\nline-of-a-key\n-----END KEY-----'];
  await using tab = await open(admin, '/settings/secrets');
  const { page } = tab;
  const answers: Promise<string>[] = [];
  page.on('response', (response) => answers.push(response.text().catch(() => '')));

  await page.getByRole('button', { name: 'Add secret' }).first().click();
  await page.getByRole('textbox', { name: 'Key' }).fill('1KEY');
  await page.getByRole('textbox', { name: 'Value' }).fill(values[0] ?? '');
  await page.keyboard.press('Enter');
  await page.getByText('do not start with a digit').waitFor();
  await page.getByRole('textbox', { name: 'Key' }).fill('OPENAI_API_KEY');
  await page.keyboard.press('Enter');
  await page.getByText('OPENAI_API_KEY was added').waitFor();
  await secretRow(page, 'OPENAI_API_KEY').getByText('grace').waitFor();

  await page.getByRole('button', { name: 'Actions for OPENAI_API_KEY' }).click();
  await page.getByRole('menuitem', { name: 'Replace value…' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('');
  await page.getByRole('textbox', { name: 'Value' }).fill(values[1] ?? '');
  await page.getByRole('button', { name: 'Replace value' }).click();
  await page.getByText('The value of OPENAI_API_KEY was replaced').waitFor();

  await page.getByRole('button', { name: 'Add secret' }).click();
  await page.getByRole('textbox', { name: 'Key' }).fill('SIGNING_KEY');
  await page.getByRole('checkbox', { name: 'The value has several lines' }).check({ force: true });
  await page.getByRole('textbox', { name: 'Value' }).fill(values[2] ?? '');
  await page.getByRole('dialog').getByRole('button', { name: 'Add secret' }).click();
  await secretRow(page, 'SIGNING_KEY').waitFor();

  await page.reload();
  await page.getByRole('searchbox', { name: /Search secrets/ }).fill('signing');
  await secretRow(page, 'OPENAI_API_KEY').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Actions for SIGNING_KEY' }).click();
  await page.getByRole('menuitem', { name: 'Delete secret…' }).click();
  await page.getByRole('button', { name: 'Delete secret' }).click();
  await page.getByText('No key contains “signing”').waitFor();

  const seen = [await page.content(), ...(await Promise.all(answers))].join('\n');
  expect(seen).toContain('OPENAI_API_KEY');
  for (const part of ['sk-first-4711', 'sk-second-0815', 'line-of-a-key']) expect(seen).not.toContain(part);
  expect(tab.faults).toEqual([]);
});

it('finds in the audit log who did what, and gives it as a file', async () => {
  for (const name of ['shop', 'store']) {
    await sendJson(server.url, 'POST', '/v1/projects', { name }, admin.headers);
  }
  await using tab = await open(admin, '/settings/audit-log');
  const { page } = tab;
  await page.getByRole('combobox', { name: /^Who/ }).fill('grace');
  await events(page).filter({ hasText: 'Create project' }).first().waitFor();
  await page
    .getByRole('button', { name: /Action/ })
    .first()
    .click();
  await page.getByRole('option', { name: 'Create project' }).click();
  await page.getByRole('radio', { name: 'Done' }).click();
  await expect.poll(() => events(page).count()).toBe(2);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    by: 'grace',
    action: 'projects.create',
    outcome: 'done',
  });

  await page.reload();
  await expect.poll(() => events(page).count()).toBe(2);
  await events(page).filter({ hasText: 'shop' }).click();
  const panel = page.getByRole('region', { name: 'Event: Create project' });
  await panel.getByText('projects.create').waitFor();
  await panel.getByRole('listitem').getByText('name', { exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await download(page, 'JSON Lines')).toMatch(/"object_name":"store"[^]*"object_name":"shop"/);
  const csv = await download(page, 'CSV');
  expect(csv.trim().split('\r\n')).toHaveLength(3);
  expect(csv).toMatch(/^id,occurred_at,[^]*,projects\.create,[^]*,grace,/);

  await panel.getByRole('link', { name: 'All events of this object' }).click();
  await expect.poll(() => events(page).count()).toBe(1);
  await page.getByRole('radio', { name: 'Refused' }).click();
  await page.getByText('No event matches').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await events(page).filter({ hasText: 'Export audit log' }).first().waitFor();
  await expect.poll(() => events(page).count()).toBeGreaterThan(10);
  expect(tab.faults).toEqual([]);
});

it('tells by which key somebody acted, and finds all that a user did before and after a new name', async () => {
  const mia = await addPerson(server.url, 'mia', 'MEMBER');
  const made = await sendJson(server.url, 'POST', '/v1/user/api_keys', { data: { name: 'sender' } }, mia.headers);
  const key = (made.body as { readonly data: { readonly key: string } }).data.key;
  await sendJson(server.url, 'POST', '/v1/projects', { name: 'by-key' }, bearer(key));
  const query = `mutation { patchViewer(input: { newUsername: "Mia Member" }) { user { id } } }`;
  await postGraphql(server.url, { query }, mia.headers);
  await sendJson(server.url, 'POST', '/v1/projects', { name: 'by-new-name' }, mia.headers);

  await using tab = await open(admin, '/settings/audit-log');
  const { page } = tab;
  await events(page).filter({ hasText: 'mia, by key sender' }).filter({ hasText: 'Create project' }).click();
  const panel = page.getByRole('region', { name: 'Event: Create project' });
  await panel.getByText('sender', { exact: true }).waitFor();
  await panel.getByRole('link', { name: 'All events by mia' }).click();
  await events(page).filter({ hasText: 'by-new-name' }).waitFor();
  await events(page).filter({ hasText: 'by-key' }).waitFor();
  await page.getByText('By: mia').waitFor();
  await expect.poll(() => events(page).filter({ hasText: 'grace' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Events by everybody' }).click();
  await events(page).filter({ hasText: 'grace' }).first().waitFor();
  expect(tab.faults).toEqual([]);
});

it('leads administrators through the pages by the keyboard', async () => {
  await using tab = await open(admin, '/settings');
  const { page } = tab;
  await page.getByRole('heading', { name: 'Send telemetry' }).waitFor();
  await expect
    .poll(() => readTabs(page))
    .toEqual(['General', 'Users', 'API keys', 'Secrets', 'Models', 'Annotations', 'Data', 'Audit log']);
  await tabs(page).getByRole('link', { name: 'Users' }).focus();
  await page.keyboard.press('Enter');
  await userRow(page, 'admin').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Personal API keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Personal API keys' }).waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  await page.getByRole('dialog', { name: 'Add user' }).waitFor();
});

it('says how to turn authentication on while it is off', async () => {
  await using open = await startTestServer();
  await using tab = await openPage(browser, `${open.url}/settings/users`);
  const { page } = tab;
  await page.getByText('There are no accounts while authentication is off').waitFor();
  await expect.poll(() => readTabs(page)).toEqual(['General', 'Secrets', 'Models', 'Annotations', 'Data', 'Audit log']);
  await page.getByRole('link', { name: 'How to turn it on' }).click();
  await page.getByText('SERVICE_ENABLE_AUTH=true').waitFor();
  await page.getByRole('link', { name: 'Secrets' }).click();
  await page.getByText('No secrets yet').waitFor();
});

/** Adds a member who has not signed in yet; the id. */
async function createUser(username: string): Promise<string> {
  const account = {
    auth_method: 'LOCAL',
    email: `${username}@example.com`,
    username,
    role: 'MEMBER',
    password: 'first',
  };
  const { body } = await sendJson(
    server.url,
    'POST',
    '/v1/users',
    { user: account, send_welcome_email: false },
    AS_ADMIN,
  );
  return (body as { readonly data: { readonly id: string } }).data.id;
}

function open(person: TestPerson, path: string, view?: View) {
  return openSignedIn(browser, server.url, person, path, view);
}

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

function rows(page: Page, table: string): Locator {
  return page.getByRole('grid', { name: table }).locator('tr[data-id]');
}

function userRow(page: Page, name: string): Locator {
  return rows(page, 'Users').filter({ has: page.getByRole('button', { name: `Actions for ${name}`, exact: true }) });
}

function secretRow(page: Page, key: string): Locator {
  return rows(page, 'Secrets').filter({ hasText: key });
}

function events(page: Page): Locator {
  return rows(page, 'Audit log');
}

function tabs(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Settings' });
}

function readTabs(page: Page): Promise<readonly string[]> {
  return tabs(page).getByRole('link').allTextContents();
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** What the menu of a user offers, and whether it can be chosen. */
async function readMenu(page: Page, name: string): Promise<readonly (readonly [string | null, boolean])[]> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  const menu = page.getByRole('menu');
  await menu.waitFor();
  const items = await menu
    .getByRole('menuitem')
    .evaluateAll((all) => all.map((item) => [item.textContent, item.ariaDisabled !== 'true'] as const));
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  return items;
}

/** The name that a session stands for; undefined where it does not stand any more. */
async function whoIs({ headers }: TestPerson): Promise<string | undefined> {
  const response = await postGraphql(server.url, { query: '{ viewer { username } }' }, headers);
  if (!response.ok) return undefined;
  const { data } = (await response.json()) as { readonly data?: { readonly viewer: { readonly username: string } } };
  return data?.viewer.username;
}

async function download(page: Page, form: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: form }).click()]);
  return readFile(await file.path(), 'utf8');
}
