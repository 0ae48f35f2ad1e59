import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, openPage, sharedBrowser, type TestPage, THEMES, type View } from '../harness/browser.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { visit } from './visit.ts';

let browser: Browser;
let server: TestServer;
/** For what is the same on a first visit and later. */
let shared: TestPage;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  for (const [number, project] of ['web/shop', 'support-desk'].entries()) {
    const span = {
      traceId: traceId(number + 1),
      spanId: spanId(number + 1),
      name: `answer of ${project}`,
      attributes: { 'session.id': `chat/${project}` },
    };
    await exportAll(server.url, traceRequest([span], { 'openinference.project.name': project }));
  }
});
beforeAll(async () => {
  shared = await open('/projects');
});
afterAll(async () => {
  await shared[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function open(path: string, view?: View) {
  const tab = await openPage(browser, `${server.url}${path}`, view);
  await tab.page.getByRole('heading', { level: 1 }).waitFor();
  return tab;
}

async function openPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+k');
  const field = page.getByRole('combobox', { name: 'Search or paste an id' });
  await field.waitFor();
  return field;
}

/** The palette is fetched when the page has nothing else to do. */
async function waitForLastScript(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/palette-.*\.js/.test(name)),
  );
}

/** Takes the network away once the palette is there. */
async function goOffline({ page, context }: TestPage): Promise<void> {
  await waitForLastScript(page);
  await context.setOffline(true);
}

function background(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}

describe('the palette', () => {
  it('opens without fetching anything', async () => {
    await using tab = await open('/projects');
    await goOffline(tab);
    await openPalette(tab.page);
    await tab.page.getByRole('option', { name: 'API reference' }).waitFor();
  });

  it('finds a project by a part of its name and goes there by Enter', async () => {
    await using tab = await open('/projects');
    await (await openPalette(tab.page)).fill('port-de');
    await tab.page.getByRole('option', { name: 'support-desk' }).waitFor();
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('heading', { name: 'support-desk', level: 1 }).waitFor();
    expect(tab.faults).toEqual([]);
  });

  it.each([
    ['trace', traceId(2), 'answer of support-desk', new RegExp(`/traces/${traceId(2)}`)],
    ['span', spanId(2), 'answer of support-desk', /selectedSpanNodeId=/],
    ['session', 'chat/support-desk', 'chat/support-desk', /\/sessions\/[\w%=]+/],
  ])('offers a jump to a %s by its id', async (kind, id, name, address) => {
    const { page } = shared;
    await visit(page, '/projects');
    await (await openPalette(page)).fill(` ${id} `);
    const jump = page.getByRole('group', { name: 'Jump to' }).getByRole('option');
    await jump.filter({ hasText: name }).waitFor();
    expect((await jump.innerText()).toLowerCase()).toContain(`${kind} in support-desk`);
    await page.keyboard.press('Enter');
    await page.waitForURL(address);
  });

  it('begins with what was looked at, moves by arrows and gives the focus back on Escape', async () => {
    await using tab = await open('/redirects/projects/web/shop');
    await tab.page.getByRole('heading', { name: 'web/shop', level: 1 }).waitFor();
    await tab.page.getByRole('link', { name: 'Projects', exact: true }).first().focus();
    await openPalette(tab.page);
    const chosen = tab.page.getByRole('option', { selected: true });
    await chosen.filter({ hasText: 'web/shop' }).waitFor();
    await expect.poll(() => tab.page.getByRole('group').first().getAttribute('aria-labelledby')).toBeTruthy();
    await tab.page.keyboard.press('ArrowUp');
    await chosen.filter({ hasText: 'shortcuts' }).waitFor();
    await tab.page.keyboard.press('ArrowDown');
    await chosen.filter({ hasText: 'web/shop' }).waitFor();
    await tab.page.keyboard.press('Escape');
    await tab.page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => tab.page.evaluate(() => document.activeElement?.textContent)).toBe('Projects');
  });

  it('says when nothing answers', async () => {
    await using tab = await open('/projects');
    await (await openPalette(tab.page)).fill('zzz');
    await tab.page.getByText('No results. Enter part of').waitFor();
  });
});

describe('the theme', () => {
  it('is the one of the system until another is chosen, which then stays', async () => {
    await using tab = await open('/projects', { theme: 'dark' });
    const dark = await background(tab.page);
    await (await openPalette(tab.page)).fill('light theme');
    await tab.page.keyboard.press('Enter');
    await tab.page.waitForFunction(
      (color) => getComputedStyle(document.documentElement).backgroundColor !== color,
      dark,
    );
    const light = await background(tab.page);
    await tab.page.reload();
    await expect.poll(() => background(tab.page)).toBe(light);
    await tab.page.getByRole('heading', { level: 1 }).waitFor();
    await tab.page.keyboard.press('g');
    await tab.page.keyboard.press('s');
    await tab.page.getByRole('radio', { name: 'System' }).click();
    await expect.poll(() => background(tab.page)).toBe(dark);
  });
});

describe('the time zone', () => {
  it('changes what is shown at once', async () => {
    await using tab = await open('/projects');
    await tab.page.getByRole('button', { name: 'Preferences' }).click();
    const clock = tab.page.getByRole('dialog').locator('time');
    await clock.filter({ hasText: 'Europe/Berlin' }).waitFor();
    const field = tab.page.getByRole('combobox', { name: 'Time zone' });
    await field.fill('Tokyo');
    await tab.page.getByRole('option', { name: 'Asia/Tokyo' }).waitFor();
    await field.press('ArrowDown');
    await field.press('Enter');
    await clock.filter({ hasText: 'Asia/Tokyo' }).waitFor();
  });
});

describe('the shortcuts', () => {
  it('are listed from what is bound', async () => {
    await using tab = await open('/projects');
    await tab.page.keyboard.press('?');
    const panel = tab.page.getByRole('dialog', { name: 'Shortcuts' });
    await panel.getByRole('term').filter({ hasText: 'Go to projects' }).waitFor();
    await panel.getByRole('term').filter({ hasText: 'New project' }).waitFor();
    await tab.page.keyboard.press('Escape');
    await visit(tab.page, '/nowhere');
    await tab.page.getByRole('heading', { name: 'Not found' }).waitFor();
    await tab.page.keyboard.press('?');
    await panel.waitFor();
    await expect.poll(() => panel.getByRole('term').filter({ hasText: 'New project' }).count()).toBe(0);
  });

  it('do nothing while somebody types or a window is open', async () => {
    await using tab = await open('/projects');
    const field = tab.page.getByRole('searchbox').first();
    await field.focus();
    await tab.page.keyboard.type('?[gp');
    await expect.poll(() => field.inputValue()).toBe('?[gp');
    await expect.poll(() => tab.page.getByRole('dialog').count()).toBe(0);
    await openPalette(tab.page);
    await tab.page.keyboard.type('?');
    await expect.poll(() => tab.page.getByRole('dialog').count()).toBe(1);
  });
});

describe('a stable address', () => {
  it.each([
    [`/redirects/traces/${traceId(1)}`, new RegExp(`/projects/[^/]+/traces/${traceId(1)}`)],
    [`/redirects/spans/${spanId(1)}`, new RegExp(`/traces/${traceId(1)}\\?.*selectedSpanNodeId=`)],
    ['/redirects/sessions/chat%2Fweb%2Fshop', /\/projects\/[^/]+\/sessions\/[^/]+/],
    ['/redirects/projects/web%2Fshop', /\/projects\/(?!web)[^/]+\/\w+/],
  ])('%s leads to the object', async (path, address) => {
    await visit(shared.page, path);
    await shared.page.waitForURL(address);
  });

  it.each(['traces/none', 'spans/none', 'sessions/none', 'projects/none', 'wonders/none'])(
    '/redirects/%s says that there is nothing',
    async (path) => {
      const { page } = shared;
      await visit(page, `/redirects/${path}`);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'See all projects' }).click();
      await page.waitForURL(/\/projects$/);
    },
  );
});

describe('moving between pages', () => {
  it('titles the window, says the page and puts the focus into it', async () => {
    await using tab = await open('/nowhere');
    await expect.poll(() => tab.page.title()).toBe('Not found · Cairn');
    await tab.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).press('Enter');
    await tab.page.locator('[data-route-announcer]', { hasText: 'Projects · Cairn' }).waitFor({ state: 'attached' });
    await expect.poll(() => tab.page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  it('begins with a way past the navigation', async () => {
    await using tab = await open('/projects');
    await tab.page.keyboard.press('Tab');
    await tab.page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
    await expect.poll(() => tab.page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  it('goes by a drawer on a phone', async () => {
    await using tab = await open('/nowhere', { width: 390, height: 844 });
    await tab.page.getByRole('button', { name: 'Open navigation' }).click();
    await tab.page
      .getByRole('dialog', { name: 'Navigation' })
      .getByRole('link', { name: 'Projects', exact: true })
      .click();
    await tab.page.waitForURL(/\/projects$/);
    await tab.page.getByRole('dialog').waitFor({ state: 'detached' });
    const overflow = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBe(0);
  });

  it('can fold the navigation, which stays folded', async () => {
    await using tab = await open('/projects');
    await tab.page.keyboard.press('[');
    await tab.page.getByRole('button', { name: 'Expand navigation' }).waitFor();
    await tab.page.reload();
    await tab.page.getByRole('button', { name: 'Expand navigation' }).click();
    await tab.page.getByRole('button', { name: 'Collapse navigation' }).waitFor();
    // On a tablet it is folded until somebody unfolds it there.
    await tab.page.setViewportSize({ width: 800, height: 900 });
    await tab.page.getByRole('button', { name: 'Expand navigation' }).waitFor();
  });
});

describe('a failure', () => {
  it('of the server is said until it answers again', async () => {
    await using tab = await open('/nowhere');
    const banner = tab.page.getByText('The server is not responding.');
    await goOffline(tab);
    await openPalette(tab.page);
    await banner.waitFor({ state: 'attached' });
    await tab.page.keyboard.press('Escape');
    await tab.page.getByRole('button', { name: 'Try now' }).click();
    await expect.poll(() => banner.count()).toBe(1);
    await tab.context.setOffline(false);
    await banner.waitFor({ state: 'detached' });
  });

  it('of a region stays there, and is tried again when the server answers', async () => {
    await using tab = await open('/nowhere');
    await tab.page.waitForLoadState('networkidle');
    // On a slow computer a failure shows after the server has answered again.
    const session = await tab.context.newCDPSession(tab.page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 20 });
    await tab.page.route('**/graphql', (route) => route.abort());
    await tab.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).click();
    await tab.page.getByRole('main').getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    await tab.page.unroute('**/graphql');
    await tab.page.getByText('support-desk').first().waitFor();
  });

  it('of a page that cannot be loaded says what to do', async () => {
    await using tab = await openPage(browser, `${server.url}/nowhere`, { isFirstVisit: true });
    await tab.page.route('**/assets/projects-page*.js', (route) => route.abort());
    await tab.page.getByRole('heading', { level: 1 }).waitFor();
    await tab.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).click();
    await tab.page.getByRole('button', { name: 'Reload' }).waitFor();
    await tab.page.unroute('**/assets/projects-page*.js');
    await tab.page.getByRole('button', { name: 'Reload' }).click();
    await tab.page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  });
});

describe('the first load', () => {
  it.each([
    ['the list of projects', '/projects', { kilobytes: 270, scripts: 25 }],
    ['a table of spans', '/redirects/projects/support-desk', { kilobytes: 390, scripts: 30 }],
  ])('of %s takes few requests and little compressed script', async (_, path, most) => {
    await using tab = await openPage(browser, 'about:blank', { isFirstVisit: true });
    const scripts: Request[] = [];
    tab.page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') scripts.push(request);
    });
    await tab.page.goto(`${server.url}${path}`);
    await tab.page.getByText('support-desk').first().waitFor();
    await waitForLastScript(tab.page);
    const sizes = await Promise.all(scripts.map((request) => request.sizes()));
    const kilobytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0) / 1024;
    expect(kilobytes).toBeGreaterThan(50);
    expect(kilobytes).toBeLessThan(most.kilobytes);
    expect(scripts.length).toBeLessThan(most.scripts);
  });
});

describe.each(THEMES)('in the %s theme', (theme) => {
  it('nothing of the shell bars anybody', async () => {
    await using tab = await open('/redirects/traces/none', { theme, reducedMotion: 'reduce', isLoadedAnew: true });
    expect(await findBarriers(tab.page)).toEqual([]);
    await openPalette(tab.page);
    await tab.page.getByRole('option', { name: 'support-desk' }).waitFor();
    expect(await findBarriers(tab.page)).toEqual([]);
    await tab.page.keyboard.press('Escape');
    for (const name of ['Shortcuts', 'Preferences']) {
      await tab.page.getByRole('button', { name }).click();
      await tab.page.getByRole('dialog', { name }).waitFor();
      expect(await findBarriers(tab.page)).toEqual([]);
      await tab.page.keyboard.press('Escape');
      await tab.page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await tab.page.setViewportSize({ width: 390, height: 844 });
    await tab.page.getByRole('button', { name: 'Open navigation' }).click();
    await tab.page.getByRole('dialog', { name: 'Navigation' }).waitFor();
    expect(await findBarriers(tab.page)).toEqual([]);
    // Nothing is at the address.
    expect(tab.faults).toEqual([expect.stringContaining('404')]);
  });
});
