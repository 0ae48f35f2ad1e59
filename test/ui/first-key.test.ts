/** From the first start of a server that asks for credentials to a key that works, and to one that does so no longer. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage, sharedBrowser } from '../harness/browser.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { launchServerProcess, type ServerProcess } from '../harness/server-process.ts';

const PROGRAM = new URL('../../bin/cairn.js', import.meta.url);
const EXPORTER = fileURLToPath(new URL('../clients/export-once.ts', import.meta.url));

let browser: Browser;
let server: ServerProcess;
const folder = createTestFolder('first-key');

beforeAll(async () => {
  const settings = {
    ENABLE_AUTH: 'true',
    SECRET: 'a-secret-of-tests-0123456789-abcdef',
    DEFAULT_ADMIN_INITIAL_PASSWORD: 'random',
  };
  [browser, server] = await Promise.all([
    sharedBrowser(),
    launchServerProcess(folder, { program: PROGRAM, settings }).ready,
  ]);
});
afterAll(async () => {
  await server.end('SIGTERM');
  removeTestFolder(folder);
});

it('leads from the password that the start prints to a trace that a key sent, and refuses the key when it is deleted', async () => {
  await expect.poll(server.output).toContain('not shown again: ');
  const [, initial = ''] = /not shown again: (\S+)/.exec(server.output()) ?? [];
  await using tab = await openPage(browser, server.url);
  const { page } = tab;
  await signIn(page, initial);
  await page.getByLabel('Current password', { exact: true }).fill(initial);
  await page.getByLabel('New password', { exact: true }).fill(OWN_PASSWORD);
  await page.getByLabel('Repeat new password', { exact: true }).fill(OWN_PASSWORD);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await page.getByText('Your password was changed.').waitFor();
  await signIn(page, OWN_PASSWORD);

  await page.getByRole('button', { name: 'Account of admin' }).click();
  await page.getByRole('menuitem', { name: 'Profile and API keys' }).click();
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('first program');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = (await page.getByLabel('The key', { exact: true }).textContent()) ?? '';
  // What the page says to set is what programs are given.
  await page.getByRole('button', { name: 'Copy environment variables' }).click();
  const variables = await page.evaluate(() => navigator.clipboard.readText());
  expect(variables).toContain(key);
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(key);

  expect(await exportOver('http', variables)).toBe('taken');
  expect(await exportOver('grpc', variables)).toBe('taken');
  await page.goto(`${server.url}/projects`);
  await page.getByRole('link', { name: 'default' }).first().click();
  for (const name of ['by http', 'by grpc']) await page.getByRole('link', { name }).waitFor();

  await page.goto(`${server.url}/profile`);
  await page.getByRole('button', { name: 'Delete first program' }).click();
  await page.getByRole('button', { name: 'Delete key' }).click();
  await page.getByText('You have no API keys').waitFor();
  expect(await exportOver('http', variables)).toMatch(/^401 /);
  expect(await exportOver('grpc', variables)).toMatch(/^16 .*UNAUTHENTICATED/);
  expect(server.output()).not.toContain(key);
  expect(tab.faults.filter((fault) => !/status of 401/.test(fault))).toEqual([]);
});

const OWN_PASSWORD = 'a-password-of-my-own';

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email').fill('admin@localhost');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Sends one span as a program does that was given the variables. @returns what the exporter makes of the answer */
async function exportOver(protocol: 'http' | 'grpc', variables: string): Promise<string> {
  const address = protocol === 'grpc' ? `export OTEL_EXPORTER_OTLP_ENDPOINT="http://${server.grpcAddress}"` : '';
  const run = `exec "$0" "$1" ${protocol} "by ${protocol}"`;
  const script = [variables, address, run].join('\n');
  const { stdout } = await promisify(execFile)('sh', ['-c', script, process.execPath, EXPORTER]);
  return stdout.trim();
}
