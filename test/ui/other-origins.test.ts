/** What a page of another origin can make a browser ask of the server, and what it learns by that. */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { makeSystemKey } from '../harness/asking-server.ts';
import { openPage, sharedBrowser } from '../harness/browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const SEARCH = '/v1/projects/default/search?text=parcel';

let browser: Browser;
let other: Server;
/** Another port of this machine, which for cookies is the same site. */
let otherUrl: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  other = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>other</title><p>here');
  });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(() => {
  other.closeAllConnections();
  other.close();
});

describe('while nobody is asked for credentials, a page of another origin', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('asks for nothing, by any means that a page has', async () => {
    await using tab = await openPage(browser, otherUrl);
    const { page } = tab;
    expect(await statusOf(page, `${server.url}${SEARCH}`, fetchBlindly)).toBe(403);
    expect(await statusOf(page, `${server.url}${SEARCH}&as=picture`, showPicture)).toBe(403);
    expect(await statusOf(page, `${server.url}${SEARCH}&as=frame`, openFrame)).toBe(403);
    expect(await statusOf(page, `${server.url}/projects`, openFrame)).toBe(403);
  });

  it('leads a tab to a page by a link, and to nothing else', async () => {
    await using tab = await openPage(browser, otherUrl);
    const { page } = tab;
    expect(await statusOf(page, `${server.url}${SEARCH}`, followLink)).toBe(403);
    await page.goto(otherUrl);
    expect(await statusOf(page, `${server.url}/redirects/projects/default`, followLink)).toBe(302);
    await page.getByRole('navigation').first().waitFor();
    expect(new URL(page.url()).origin).toBe(server.url);
    // What the page itself asks is answered, and so is an address that somebody types.
    expect(await statusOf(page, `${server.url}${SEARCH}`, fetchBlindly)).toBe(200);
    await page.goto(`${server.url}/v1/projects`);
    expect(await page.textContent('body')).toContain('default');
  });

  it('that is allowed asks for what it likes', async () => {
    await using allowing = await startTestServer({ ALLOWED_ORIGINS: otherUrl });
    await using tab = await openPage(browser, otherUrl);
    const read = (url: string) => fetch(url).then((response) => response.text());
    expect(await tab.page.evaluate(read, `${allowing.url}/v1/projects`)).toContain('default');
  });
});

describe('while callers authenticate, a page of another origin', () => {
  it('does not speak for the person who is signed in, and may bring a key', async () => {
    await using server = await startTestServer({ ...WITH_PEOPLE, ALLOWED_ORIGINS: 'https://app.example' });
    await addPerson(server.url, 'ada', 'MEMBER');
    const { key } = await makeSystemKey(server.url);
    await using tab = await openPage(browser, `${server.url}/login`, { isFirstVisit: true });
    const { page } = tab;
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('own-password');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'default' }).first().waitFor();
    expect(await statusOf(page, `${server.url}${SEARCH}`, fetchBlindly)).toBe(200);
    // The cookie is of this host, whatever the port: the browser sends it along.
    await page.goto(otherUrl);
    expect(await statusOf(page, `${server.url}${SEARCH}`, fetchBlindly)).toBe(401);
    expect(await statusOf(page, `${server.url}/v1/projects`, followLink)).toBe(401);
    await page.goto(otherUrl);
    expect(await statusOf(page, `${server.url}/redirects/projects/default`, followLink)).toBe(302);
    await page.getByRole('navigation').first().waitFor();
    await page.goto(otherUrl);
    for (const ask of [showPicture, followLink]) {
      expect(await statusOf(page, `${server.url}/auth/logout`, ask)).toBe(302);
    }
    await page.goto(`${server.url}/projects`);
    await page.getByRole('link', { name: 'default' }).first().waitFor();
    const withKey = { authorization: `Bearer ${key}`, 'sec-fetch-site': 'cross-site' };
    expect((await fetch(`${server.url}/v1/projects`, { headers: withKey })).status).toBe(200);
  });
});

/** What the server answered, as the browser's network saw it: the page is told of no answer that it may not have. */
async function statusOf(page: Page, url: string, ask: (url: string) => void): Promise<number> {
  const network = await page.context().newCDPSession(page);
  const { promise: answered, resolve } = Promise.withResolvers<number>();
  const wanted = new Set<string>();
  const statuses = new Map<string, number>();
  const settle = (id: string) => {
    const status = statuses.get(id);
    if (wanted.has(id) && status !== undefined) resolve(status);
  };
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url === url) {
      wanted.add(requestId);
      settle(requestId);
    }
  });
  network.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    if (!statuses.has(requestId)) statuses.set(requestId, statusCode);
    settle(requestId);
  });
  await network.send('Network.enable');
  await page.evaluate(ask, url);
  const status = await answered;
  await network.detach().catch(() => undefined); // a tab that was led away may have another
  return status;
}

function fetchBlindly(url: string): void {
  void fetch(url, { mode: 'no-cors', credentials: 'include' }).catch(() => undefined);
}

function showPicture(url: string): void {
  new Image().src = url;
}

function openFrame(url: string): void {
  const frame = document.createElement('iframe');
  frame.src = url;
  document.body.append(frame);
}

function followLink(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  document.body.append(link);
  link.click();
}
