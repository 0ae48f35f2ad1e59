/** What people see of what they may not do: nothing. And what the server says to who asks for it nevertheless. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';
import { sharedBrowser } from '../harness/browser.ts';
import { postGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openSignedIn } from './signed-in-page.ts';

let browser: Browser;
let server: TestServer;
let people: Readonly<Record<'viewer' | 'member' | 'admin', TestPerson>>;
let shop: string;
let empty: string;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer(WITH_PEOPLE)]);
  const { url } = server;
  people = {
    viewer: await addPerson(url, 'vera', 'VIEWER'),
    member: await addPerson(url, 'max', 'MEMBER'),
    admin: await addPerson(url, 'ada', 'ADMIN'),
  };
  const span = { traceId: traceId(1), spanId: spanId(1), name: 'answer', startUs: Date.now() * 1000 };
  await exportAll(url, traceRequest([span], { 'openinference.project.name': 'shop' }), AS_ADMIN);
  const create =
    'mutation { createProject(input: { name: "empty" }) { project { id } query { getProjectByName(name: "shop") { id } } } }';
  const { createProject } = await ask<{
    createProject: { project: { id: string }; query: { getProjectByName: { id: string } } };
  }>(create);
  empty = createProject.project.id;
  shop = createProject.query.getProjectByName.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** What each role is offered where, beside reading. */
const OFFERS = {
  viewer: {
    newProject: 0,
    projectMenu: ['Pin'],
    changes: [],
    canDeleteTrace: false,
    settings: ['General', 'Models', 'Annotations', 'Data'],
  },
  member: {
    newProject: 1,
    projectMenu: ['Pin', 'Delete traces…'],
    changes: ['Choose…', 'Delete traces…'],
    canDeleteTrace: true,
    settings: ['General', 'Models', 'Annotations', 'Data'],
  },
  admin: {
    newProject: 1,
    projectMenu: ['Pin', 'Retention…', 'Delete traces…', 'Delete project…'],
    changes: ['Edit…', 'Choose…', 'Change…', 'Delete traces…', 'Delete project…'],
    canDeleteTrace: true,
    settings: ['General', 'Users', 'API keys', 'Secrets', 'Models', 'Annotations', 'Data', 'Audit log'],
  },
} as const;

describe.each(['viewer', 'member', 'admin'] as const)('the role %s', (role) => {
  const offers = OFFERS[role];

  it('sees what they may do with projects and traces, and nothing else', async () => {
    await using tab = await openSignedIn(browser, server.url, people[role], '/projects');
    const { page } = tab;
    const main = page.getByRole('main');
    await main.getByRole('link', { name: 'shop' }).waitFor();
    await expect.poll(() => main.getByRole('button', { name: 'New project' }).count()).toBe(offers.newProject);
    expect(await readProjectMenu(page)).toEqual(offers.projectMenu);
    await page.keyboard.press('c');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await expect
      .poll(() => dialog.getByRole('heading', { level: 2 }).innerText())
      .toBe(role === 'viewer' ? 'Shortcuts' : 'New project');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await main.getByRole('link', { name: 'shop' }).click();
    await main.getByRole('heading', { name: 'shop', level: 1 }).waitFor();
    await main.getByRole('link', { name: 'answer' }).waitFor();
    await page.getByRole('link', { name: 'Config' }).click();
    await main.getByRole('region', { name: 'Retention' }).waitFor();
    await expect.poll(() => main.getByRole('button', { name: /…$/ }).allInnerTexts()).toEqual(offers.changes);
    await page.goBack();
    await main.getByRole('link', { name: 'answer' }).click();
    await page.getByRole('button', { name: 'Trace actions' }).click();
    const menu = page.getByRole('menu', { name: 'Trace' });
    await menu.getByRole('menuitem', { name: 'Copy trace id' }).waitFor();
    expect((await menu.getByRole('menuitem').allInnerTexts()).includes('Delete trace…')).toBe(offers.canDeleteTrace);
    expect(tab.faults).toEqual([]);
  });

  it('finds the settings that are theirs, and every way to read', async () => {
    await using tab = await openSignedIn(browser, server.url, people[role], '/settings');
    const { page } = tab;
    await page.getByRole('heading', { name: 'General', level: 1 }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    await expect.poll(() => tabs.allInnerTexts()).toEqual(offers.settings);
    for (const name of ['API reference', 'GraphQL explorer']) {
      await page.getByRole('complementary').getByRole('link', { name }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
    }
  });
});

it('an empty project asks a viewer for nothing, and helps a member to a key', async () => {
  await using seen = await openSignedIn(browser, server.url, people.viewer, `/projects/${empty}/traces`);
  await seen.page.getByText('You are a viewer, so you cannot send any.').waitFor();
  await expect.poll(() => seen.page.getByText('Send a first trace').count()).toBe(0);

  await using tab = await openSignedIn(browser, server.url, people.member, `/projects/${empty}/traces`);
  const { page } = tab;
  await page.getByRole('tab', { name: 'curl' }).click();
  const code = page.getByRole('group', { name: 'Run' });
  await code.getByText('authorization: Bearer your-api-key').waitFor();
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('first');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = (await page.getByLabel('The key', { exact: true }).innerText()).trim();
  await page.getByRole('button', { name: 'Done' }).click();
  await code.getByText(`authorization: Bearer ${key}`).waitFor();
  const span = { traceId: traceId(2), spanId: spanId(2), name: 'first answer', startUs: Date.now() * 1000 };
  const request = traceRequest([span], { 'openinference.project.name': 'empty' });
  await exportAll(server.url, request, { authorization: `Bearer ${key}` });
  await page.getByRole('link', { name: 'first answer' }).waitFor();
});

it('a shared view is for everybody to open, and for its owner and administrators to change', async () => {
  const actions = (page: Page) => page.getByRole('dialog', { name: 'Views' }).getByRole('button').allInnerTexts();
  const traces = `/projects/${shop}/traces?range=all`;
  {
    await using tab = await openSignedIn(browser, server.url, people.member, traces);
    const { page } = tab;
    await page.getByRole('button', { name: 'Views' }).click();
    await expect.poll(() => actions(page)).toEqual(['Save as view…']);
    await page.getByRole('button', { name: 'Save as view…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('All');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'View: All' }).click();
    await page.getByRole('option', { name: 'All' }).waitFor();
    const own = ['Save as new view…', 'Rename…', 'Open by default', 'Share with everybody in the project'];
    await expect.poll(() => actions(page)).toEqual([...own, 'Copy link', 'Delete view']);
    await page.getByRole('button', { name: 'Share with everybody in the project' }).click();
    await page.getByRole('button', { name: 'Stop sharing' }).waitFor();
  }
  await using tab = await openSignedIn(browser, server.url, people.viewer, traces);
  const { page } = tab;
  await page.getByRole('button', { name: 'Views' }).click();
  await expect.poll(() => actions(page)).toEqual([]);
  await page.getByRole('option', { name: /All.*max/ }).click();
  await page.getByRole('button', { name: 'View: All' }).click();
  await expect.poll(() => actions(page)).toEqual(['Open by default', 'Copy link']);
  expect(tab.faults).toEqual([]);
});

it('a page that asks for what its user may not do is refused, and nothing happens', async () => {
  await using tab = await openSignedIn(browser, server.url, people.viewer, '/projects');
  await tab.page.getByRole('link', { name: 'shop' }).waitFor();
  for (const mutation of [
    'createProject(input: { name: "forced" }) { project { id } }',
    `clearProject(input: { id: "${shop}" }) { projectCount }`,
    `deleteProject(id: "${shop}") { projectCount }`,
    'createSystemApiKey(input: { name: "forced" }) { jwt }',
  ]) {
    const answer = await tab.page.evaluate(async (query) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
      return response.text();
    }, `mutation { ${mutation} }`);
    expect(answer, mutation).toContain('"permission_denied"');
    expect(answer, mutation).not.toContain('projectCount');
  }
  const { projects } = await ask<{ projects: { edges: readonly { node: { name: string; traceCount: number } }[] } }>(
    '{ projects(first: 10) { edges { node { name traceCount } } } }',
  );
  const counts = new Map(projects.edges.map(({ node }) => [node.name, node.traceCount]));
  expect(counts.get('shop')).toBe(1);
  expect(counts.has('forced')).toBe(false);
});

/** What the menu of the project that is shown offers. */
async function readProjectMenu(page: Page): Promise<readonly string[]> {
  await page.getByRole('button', { name: 'Actions for shop' }).click();
  const menu = page.getByRole('menu', { name: 'Actions for shop' });
  await menu.waitFor();
  const texts = await menu.getByRole('menuitem').allInnerTexts();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  return texts;
}

/** Asks as the administrator. */
async function ask<Data>(query: string): Promise<Data> {
  const response = await postGraphql(server.url, { query }, people.admin.headers);
  const { data, errors } = (await response.json()) as { data?: Data; errors?: unknown };
  if (data === undefined || errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}
