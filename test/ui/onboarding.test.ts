import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser, openPage } from '../harness/browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Where the packages are installed that the snippets use. */
const CLIENTS = join(import.meta.dirname, '../clients');

describe('a new project', () => {
  it('shows snippets that work, and turns to its traces within 5 s of the first span', async () => {
    await using tab = await openPage(browser, `${server.url}/projects`);
    await createProject(tab.page, "new's project");
    expect(await findBarriers(tab.page)).toEqual([]);
    const code = await readSnippet(tab.page, 'curl', 0);
    expect(code).toContain(`${server.url}/v1/traces`);
    await promisify(execFile)('sh', ['-c', code]);
    await tab.page.getByRole('link', { name: 'ask' }).waitFor();
    await tab.page.getByText('Where is my parcel?').waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('takes a trace from the TypeScript snippet', async () => {
    await using tab = await openPage(browser, `${server.url}/projects`);
    await createProject(tab.page, 'typed "project"');
    const file = join(CLIENTS, `onboarding-${process.pid}.mts`);
    await writeFile(file, await readSnippet(tab.page, 'TypeScript', 1));
    try {
      await promisify(execFile)(process.execPath, [file]);
    } finally {
      await rm(file);
    }
    await tab.page.getByRole('link', { name: 'ask' }).waitFor();
  });

  it('names the address of gRPC', async () => {
    await using tab = await openPage(browser, `${server.url}/projects`);
    await createProject(tab.page, 'plain');
    expect(await readSnippet(tab.page, 'OpenTelemetry', 1)).toContain(`http://${server.grpcAddress}`);
    await tab.page.reload();
    await tab.page.getByRole('tab', { name: 'OpenTelemetry', selected: true }).waitFor();
  });

  it('is refused with a reason where the name is taken', async () => {
    await using tab = await openPage(browser, `${server.url}/projects`);
    await createProject(tab.page, 'taken');
    await tab.page.goto(`${server.url}/projects`);
    await fillIn(tab.page, 'taken');
    await tab.page
      .getByRole('dialog')
      .getByText(/taken|exists/i)
      .first()
      .waitFor();
  });
});

async function createProject(page: Page, name: string): Promise<void> {
  await fillIn(page, name);
  await page.getByRole('heading', { name: 'Send a first trace', level: 2 }).waitFor();
}

async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New project' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create project' }).click();
}

async function readSnippet(page: Page, way: string, index: number): Promise<string> {
  await page.getByRole('tab', { name: way }).click();
  return page.getByRole('tabpanel').locator('pre').nth(index).innerText();
}
