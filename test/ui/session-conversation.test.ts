import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, openPage, sharedBrowser, type TestPage, THEMES, type View } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { spanId, type TestSpan, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { at, send } from './trace-page.ts';

let browser: Browser;
let server: TestServer;

const MINUTE = 60_000;

/** A turn of a session: what was said, a minute after the one before, and half an hour after every hundredth. */
function turn(session: string, number: number, fields: Partial<TestSpan> = {}): TestSpan {
  const startMs = number * MINUTE + Math.floor((number - 1) / 100) * 30 * MINUTE;
  return {
    traceId: traceId(number + (session === 'long' ? 0 : 10_000)),
    spanId: spanId(number),
    name: 'answer',
    startUs: at(startMs),
    endUs: at(startMs + 2000),
    attributes: {
      'openinference.span.kind': 'AGENT',
      'session.id': session,
      'user.id': 'ada',
      'input.value': JSON.stringify({ messages: [{ role: 'user', content: `question ${number}` }] }),
      'input.mime_type': 'application/json',
      'output.value': `**answer ${number}**`,
    },
    ...fields,
  };
}

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  const turns = Array.from({ length: 500 }, (_, index) =>
    turn('long', index + 1, { status: (index + 1) % 150 === 0 ? 'ERROR' : 'OK' }),
  );
  await send(server.url, turns);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function openSession(sessionId: string, view?: View, search = '?view=full'): Promise<TestPage> {
  const { session } = await queryGraphql<{ session: { id: string; project: { id: string } } }>(
    server.url,
    'query ($id: String!) { session: getProjectSessionById(sessionId: $id) { id project { id } } }',
    { id: sessionId },
  );
  const path = `/projects/${session.project.id}/sessions/${session.id}${search}`;
  const tab = await openPage(browser, `${server.url}${path}`, view);
  await turnOf(tab.page, 1).waitFor();
  return tab;
}

function turnOf(page: Page, number: number) {
  return page.getByRole('article', { name: `Turn ${number}`, exact: true });
}

describe('a session of 500 turns', () => {
  it('is a conversation of which only what is in sight is in the page', async () => {
    await using tab = await openSession('long');
    await turnOf(tab.page, 1).getByText('question 1', { exact: true }).waitFor();
    await turnOf(tab.page, 1).locator('strong').getByText('answer 1').waitFor();
    await tab.page.getByText('500', { exact: true }).first().waitFor();
    const last = tab.page.getByRole('button', { name: 'Go to the last turn' });
    // Each press goes to the end of what is read, and reads more.
    while (!(await turnOf(tab.page, 500).isVisible())) {
      await last.click();
      await tab.page.waitForTimeout(50);
    }
    await expect.poll(() => tab.page.getByRole('article').count()).toBeLessThan(40);
    expect(tab.faults).toEqual([]);
  });

  it('finds what was said, and marks the pauses', async () => {
    await using tab = await openSession('long');
    await tab.page.getByRole('searchbox', { name: 'Find in the session' }).fill('ANSWER 401');
    await turnOf(tab.page, 401).waitFor();
    await tab.page.getByText('1 of 1', { exact: true }).waitFor();
    await expect.poll(() => readMarked(tab.page)).toEqual(['answer 401']);
    await tab.page
      .getByText(/later$/)
      .first()
      .waitFor();
  });

  it('names its user, who leads to the page of the user', async () => {
    await using tab = await openSession('long', undefined, '?view=full&range=all');
    await tab.page.getByRole('link', { name: 'ada' }).first().click();
    await tab.page.waitForURL(/\/users\/ada\?/);
    await tab.page.getByRole('row').filter({ hasText: 'long' }).waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('shows its errors alone, and the trace of a turn beside them', async () => {
    await using tab = await openSession('long');
    await tab.page.getByRole('button', { name: 'Errors only' }).click();
    await turnOf(tab.page, 450).waitFor();
    const shown = await tab.page
      .getByRole('article')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    expect(shown).toEqual(['Turn 150', 'Turn 300', 'Turn 450']);
    await turnOf(tab.page, 300).getByText('1 error').waitFor();
    await tab.page.getByRole('button', { name: 'Open the trace of turn 300' }).click();
    await tab.page.getByRole('treeitem', { name: 'answer' }).waitFor();
    expect(new URL(tab.page.url()).searchParams.get('selectedTraceId')).toBe(traceId(300));
    await tab.page.reload();
    await tab.page.getByRole('treeitem', { name: 'answer' }).waitFor();
  });
});

describe('the trace of a turn', () => {
  // Beside the table there is room for both only on a wide screen; the page of its own has breadcrumbs, not a way to close it.
  it.each([
    [1440, 0],
    [1920, 1],
  ])('stands beside the conversation at %i pixels, and gives the table back', async (width, closers) => {
    await using tab = await openSession('long', { width, height: 900 }, '');
    const { page } = tab;
    const table = page.getByRole('region', { name: 'Sessions', exact: true });
    await table.waitFor();
    await page.getByRole('button', { name: 'Open the trace of turn 2', exact: true }).click();
    await page.getByRole('treeitem', { name: 'answer' }).waitFor();
    await expectWhole(page, page.getByRole('button', { name: 'Open the trace of turn 2', exact: true }));
    await expect.poll(() => page.getByRole('button', { name: 'Close', exact: true }).count()).toBe(closers);
    await page.getByRole('button', { name: 'Turn 2 of 500' }).click();
    await page.getByRole('treeitem').waitFor({ state: 'detached' });
    await table.waitFor();
    await turnOf(page, 2).waitFor();
  });

  it('takes the place of the conversation on a phone, and gives it back', async () => {
    await using tab = await openSession('long', { width: 390, height: 844 });
    const { page } = tab;
    const button = page.getByRole('button', { name: 'Open the trace of turn 1', exact: true });
    await expectWhole(page, button);
    await button.click();
    await page.getByRole('treeitem', { name: 'answer' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByRole('button', { name: 'Turn 1 of 500' }).click();
    await turnOf(page, 1).waitFor();
  });
});

/** Waits until nothing of it is cut off at the right: by the window, or by what scrolls around it. */
async function expectWhole(page: Page, button: Locator): Promise<void> {
  const feed = page.getByRole('feed');
  const cut = async () => {
    const [own, around] = await Promise.all([button.boundingBox(), feed.boundingBox()]);
    return (own?.x ?? 0) + (own?.width ?? 0) - (around?.x ?? 0) - (around?.width ?? 0);
  };
  await expect.poll(cut).toBeLessThanOrEqual(0);
}

/** What the page marks as found. */
function readMarked(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map(String));
}

it('opens by the id that its application sent, too, in the project of the address', async () => {
  await send(server.url, [turn('tickets/4711', 1)]);
  const { session } = await queryGraphql<{ session: { id: string; project: { id: string } } }>(
    server.url,
    '{ session: getProjectSessionById(sessionId: "tickets/4711") { id project { id } } }',
  );
  const sessions = `${server.url}/projects/${session.project.id}/sessions`;
  await using tab = await openPage(browser, `${sessions}/tickets%2F4711?range=all&view=full`);
  await turnOf(tab.page, 1).waitFor();
  expect(new URL(tab.page.url()).pathname).toBe(new URL(`${sessions}/${encodeURIComponent(session.id)}`).pathname);
  expect(new URL(tab.page.url()).searchParams.get('view')).toBe('full');
  expect(tab.faults).toEqual([]);
});

describe('a session that goes on', () => {
  it('shows its next turn without being loaded again', async () => {
    await send(server.url, [turn('live', 1)]);
    await using tab = await openSession('live');
    await send(server.url, [turn('live', 2)]);
    await turnOf(tab.page, 2).getByText('question 2', { exact: true }).waitFor();
  });

  it('tells what its model calls said where its roots tell nothing', async () => {
    const { attributes, ...root } = turn('silent', 20);
    await send(server.url, [
      { ...root, attributes: { 'session.id': 'silent' } },
      {
        ...root,
        spanId: spanId(9),
        parentSpanId: root.spanId,
        name: 'call',
        ...(attributes !== undefined && { attributes }),
      },
    ]);
    await using tab = await openSession('silent');
    await turnOf(tab.page, 1).getByText('question 20', { exact: true }).waitFor();
    await turnOf(tab.page, 1).getByText('answer 20').waitFor();
  });

  it('shows what a tool gave back as that, not as words of the assistant', async () => {
    const { attributes: _, ...root } = turn('tools', 30);
    const child = { ...root, parentSpanId: root.spanId };
    await send(server.url, [
      { ...root, attributes: { 'session.id': 'tools', 'openinference.span.kind': 'AGENT' } },
      {
        ...child,
        spanId: spanId(31),
        name: 'call',
        attributes: { 'openinference.span.kind': 'LLM', 'input.value': 'six times seven' },
      },
      {
        ...child,
        spanId: spanId(32),
        name: 'multiply',
        attributes: { 'openinference.span.kind': 'TOOL', 'input.value': '6 * 7', 'output.value': '42' },
      },
    ]);
    await using tab = await openSession('tools');
    await turnOf(tab.page, 1).getByText('six times seven', { exact: true }).waitFor();
    await turnOf(tab.page, 1).getByText('Tool result').getByText('multiply').waitFor();
    await expect.poll(() => turnOf(tab.page, 1).getByText('Assistant', { exact: true }).count()).toBe(0);
  });
});

it.each(THEMES)('the conversation keeps nobody out in the %s theme', async (theme) => {
  await using tab = await openSession('long', { theme });
  expect(await findBarriers(tab.page)).toEqual([]);
});
