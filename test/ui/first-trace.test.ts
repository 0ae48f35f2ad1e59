/** From nothing to the tool that failed, as somebody meets Cairn: a server, a program that sends, and a keyboard. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runSupportAgent } from '../clients/support-agent.ts';
import { findBarriers, openPage, sharedBrowser, THEMES } from '../harness/browser.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { launchServerProcess, type ServerProcess } from '../harness/server-process.ts';

/** What `npm start` becomes once the pages are built. */
const PROGRAM = new URL('../../bin/cairn.js', import.meta.url);

let browser: Browser;
let server: ServerProcess;
const folder = createTestFolder('first-trace');

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), launchServerProcess(folder, { program: PROGRAM }).ready]);
});
afterAll(async () => {
  await server.end('SIGTERM');
  removeTestFolder(folder);
});

it('leads from nothing to the tool that failed, by keyboard alone', async () => {
  await using tab = await openPage(browser, server.url, { reducedMotion: 'reduce' });
  const { page } = tab;
  const { keyboard } = page;

  // An empty project says how to send a first trace.
  await tabTo(page.getByRole('link', { name: 'default' }).last());
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Send a first trace', level: 2 }).waitFor();
  await tabTo(page.getByRole('tab', { name: 'Python' }));
  await keyboard.press('ArrowRight');
  await page.getByRole('tabpanel', { name: 'TypeScript' }).getByText(server.url).first().waitFor();
  await expectNoBarriers(page);

  // The trace comes by itself.
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await runSupportAgent(server.url, 'default');
  await page.getByRole('link', { name: 'support_agent' }).waitFor();
  await expect.poll(() => page.evaluate(() => 'isSamePage' in window)).toBe(true);
  await page.getByRole('link', { name: 'Traces 1' }).waitFor();
  await page.getByRole('row', { name: /Error 1 .*Where is my parcel\?.*The refund could not be paid/ }).waitFor();

  // "Next error" finds the tool, and why it failed.
  await keyboard.press('j');
  await keyboard.press('Enter');
  const trace = page.getByRole('region', { name: 'Trace support_agent' });
  const details = trace.getByRole('tabpanel');
  await trace.getByRole('treeitem', { name: 'pay_refund Error' }).waitFor();
  await keyboard.press('f');
  await trace.getByRole('treeitem', { name: 'pay_refund', selected: true }).waitFor();
  await details.getByRole('region', { name: 'Exception RangeError' }).getByText('4711 has no bank').waitFor();
  await expectNoBarriers(page);

  // The call that follows is a conversation, each call of a tool with its result.
  await tabTo(trace.getByRole('tree'));
  await keyboard.press('End');
  await details.getByText('The refund could not be paid').waitFor();
  await expect.poll(() => details.getByRole('article').count()).toBe(2);
  await details.getByRole('button', { name: /^2 earlier messages/ }).press('Enter');
  await expect
    .poll(() => details.getByRole('article').evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel)))
    .toEqual(['System message', 'User message', 'Assistant message', 'Assistant message']);
  await expect
    .poll(() => details.getByRole('region', { name: 'Call of find_parcel' }).textContent())
    .toMatch(/4711.*Leipzig/s);
  await expect
    .poll(() => details.getByRole('region', { name: 'Call of pay_refund' }).textContent())
    .toMatch(/4711.*no bank/s);

  // The retriever shows what it found.
  await tabTo(trace.getByRole('tree'), 'Shift+Tab');
  await keyboard.press('Home');
  await keyboard.press('ArrowDown');
  const documents = details.getByRole('listitem');
  await details.getByText('score 0.91').waitFor();
  await expect
    .poll(() => documents.allInnerTexts())
    .toEqual([
      expect.stringMatching(/refunds[^]*0\.91[^]*five days late/),
      expect.stringMatching(/tracking[^]*0\.54[^]*four digits/),
    ]);

  // Escape goes back to the row; the session is a conversation too.
  await keyboard.press('Escape');
  await trace.waitFor({ state: 'detached' });
  await expectFocus(page.getByRole('row', { name: 'support_agent' }));
  await tabTo(page.getByRole('link', { name: /^Sessions/ }), 'Shift+Tab');
  await keyboard.press('Enter');
  // The table of traces has a link of this name too.
  await page.getByRole('grid', { name: 'Sessions' }).getByRole('link', { name: 'parcel 4711' }).waitFor();
  await keyboard.press('j');
  await keyboard.press('Enter');
  const turn = page.getByRole('feed', { name: 'Conversation' }).getByRole('article', { name: 'Turn 1' });
  await expect.poll(() => turn.textContent()).toMatch(/1 error.*Where is my parcel\?.*It is in Leipzig/s);
  await expectNoBarriers(page);
  expect(tab.faults).toEqual([]);
}, 120_000);

/** Moves the focus on until it is there. */
async function tabTo(place: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await place.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    await place.page().keyboard.press(key);
    if (await hasFocus(place)) return;
  }
  throw new Error(`${key} does not come to ${String(place)}.`);
}

async function expectFocus(place: Locator): Promise<void> {
  await expect.poll(() => hasFocus(place)).toBe(true);
}

function hasFocus(place: Locator): Promise<boolean> {
  return place.evaluate((element) => element === document.activeElement);
}

async function expectNoBarriers(page: Page): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page), colorScheme).toEqual([]);
  }
}
