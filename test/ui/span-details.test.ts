import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser, type TestPage, THEMES } from '../harness/browser.ts';
import { spanId, type TestSpan, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { at, openTrace, row, send } from './trace-page.ts';

let browser: Browser;
let server: TestServer;
/** For spans whose details no other test changes. */
let shared: TestPage;

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const ELSEWHERE = 'https://tracker.invalid/pixel.png';
const LONG_BASE64 = Buffer.alloc(120_000, 'some bytes').toString('base64');

const MESSAGES = {
  'llm.input_messages.0.message.role': 'system',
  'llm.input_messages.0.message.content': 'Be brief. '.repeat(100),
  'llm.input_messages.1.message.role': 'user',
  'llm.input_messages.1.message.contents.0.message_content.type': 'text',
  'llm.input_messages.1.message.contents.0.message_content.text': 'What is **this**?',
  'llm.input_messages.1.message.contents.1.message_content.type': 'image',
  'llm.input_messages.1.message.contents.1.message_content.image.image.url': PICTURE,
  'llm.input_messages.1.message.contents.2.message_content.type': 'image',
  'llm.input_messages.1.message.contents.2.message_content.image.image.url': ELSEWHERE,
  'llm.input_messages.1.message.contents.3.message_content.type': 'audio',
  'llm.input_messages.1.message.contents.3.message_content.audio.audio.url': 'data:audio/wav;base64,UklGRgAAAAA=',
  'llm.input_messages.2.message.role': 'assistant',
  'llm.input_messages.2.message.contents.0.message_content.type': 'reasoning',
  'llm.input_messages.2.message.contents.0.message_content.text': 'A secret thought',
  'llm.input_messages.2.message.tool_calls.0.tool_call.id': 'call-1',
  'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'describe',
  'llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments': '{"detail":"high","limit":5}',
  'llm.input_messages.3.message.role': 'tool',
  'llm.input_messages.3.message.tool_call_id': 'call-1',
  'llm.input_messages.3.message.content': 'one red dot',
  'llm.output_messages.0.message.role': 'assistant',
  'llm.output_messages.0.message.content': `A dot. <img src="${ELSEWHERE}"><script>document.title = 'taken'</script> ![x](${ELSEWHERE}) [run](javascript:alert(1))`,
};

/** A conversation of which nobody reads all. */
const LONG_CONVERSATION = JSON.stringify(
  Array.from({ length: 1000 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', content: index === 600 ? 'the needle' : `message ${index}` }],
  })),
);

const SPANS: readonly TestSpan[] = [
  step(1, 'root', 'AGENT', {
    'input.value': 'hello',
    'output.value': '{"answer":42}',
    'output.mime_type': 'application/json',
  }),
  step(2, 'openinference', 'LLM', {
    'llm.model_name': 'm-1',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'Hi',
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.content': 'Hello there',
    'input.value': 'Hi',
    'output.value': 'Hello there',
  }),
  step(3, 'gen_ai', undefined, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm-1',
    'gen_ai.response.model': 'm-1',
    'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
    'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"Hello there"}]}]',
  }),
  step(4, 'retrieve', 'RETRIEVER', {
    'input.value': 'a question',
    'retrieval.documents.0.document.id': 'doc-1',
    'retrieval.documents.0.document.content': 'what was found',
    'retrieval.documents.0.document.score': 0.75,
  }),
  step(5, 'rerank', 'RERANKER', {
    'reranker.query': 'a question',
    'reranker.input_documents.0.document.id': 'a',
    'reranker.input_documents.1.document.id': 'b',
    'reranker.output_documents.0.document.id': 'b',
  }),
  step(6, 'embed', 'EMBEDDING', { 'embedding.embeddings.0.embedding.text': 'to embed', 'embedding.model_name': 'e-1' }),
  step(18, 'long question', 'LLM', {
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'a line of many\n\n'.repeat(15),
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.content': 'the short answer',
  }),
  step(19, 'write', 'TOOL', {
    'input.value': JSON.stringify({ path: 'notes.md', content: '# Notes\n\nFirst line\n' }),
  }),
  {
    ...step(7, 'ticket', 'TOOL', {
      'tool.name': 'ticket',
      'tool.description': 'Creates one.',
      'input.value': '{"a":1}',
    }),
    status: 'ERROR',
    statusMessage: 'TimeoutError: too late',
    events: [
      {
        name: 'exception',
        attributes: {
          'exception.type': 'TimeoutError',
          'exception.message': 'too late\n\n',
          'exception.stacktrace': 'Traceback\n  File "tools.py", line 31',
        },
      },
    ],
  },
  ...['chain', 'guardrail', 'evaluator', 'unknown'].map((kind, index) =>
    step(8 + index, kind, kind.toUpperCase(), { 'input.value': 'in', 'output.value': 'out' }),
  ),
  step(12, 'bare', undefined, {}),
  step(13, 'messages', 'LLM', MESSAGES),
  step(14, 'bytes', 'CHAIN', { 'input.value': `see data:image/png;base64,${LONG_BASE64} there` }),
  step(15, 'five megabytes', 'CHAIN', {
    'output.value': `${'all work and no play makes a dull log line\n'.repeat(120_000)}the needle`,
  }),
  step(16, 'five megabytes of JSON', 'CHAIN', {
    'output.value': JSON.stringify([
      ...Array.from({ length: 60_000 }, (_, index) => ({
        index,
        name: `row ${index}`,
        text: 'all work and no play makes',
      })),
      { hidden: 'the needle' },
    ]).replace('"index":7,', '"index":12345678901234567890,'),
    'output.mime_type': 'application/json',
  }),
  step(17, 'thousand messages', undefined, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': LONG_CONVERSATION,
    'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"the end"}]}]',
  }),
];

function step(number: number, name: string, kind: string | undefined, attributes: TestSpan['attributes']): TestSpan {
  return {
    traceId: traceId(1),
    spanId: spanId(number),
    ...(number > 1 && { parentSpanId: spanId(1) }),
    name,
    startUs: at(number),
    endUs: at(number + 5),
    attributes: { ...(kind !== undefined && { 'openinference.span.kind': kind }), ...attributes },
  };
}

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await send(server.url, SPANS);
});
beforeAll(async () => {
  shared = await openTrace(browser, server.url, traceId(1));
});
afterAll(async () => {
  await shared[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** The page of the trace with the details of a span. */
async function openDetails(
  name: string,
  view?: Parameters<typeof openTrace>[3],
): Promise<TestPage & { details: Locator }> {
  const tab = await openTrace(browser, server.url, traceId(1), view);
  return { ...tab, details: await select(tab, name) };
}

async function select({ page }: TestPage, name: string): Promise<Locator> {
  await row(page, name).first().click();
  const details = page.getByRole('region', { name: `Span ${name}`, exact: true });
  await details.waitFor();
  return details;
}

/** Unfolds what was said before the last input. */
async function openEarlier(details: Locator, count: number): Promise<void> {
  await details.getByRole('button', { name: `${count} earlier messages` }).click();
}

/** Titles of the cards and, in brackets, of those that are folded. */
function readCards(details: Locator): Promise<string[]> {
  return details.locator('h3 > button[aria-expanded]').evaluateAll((buttons) =>
    buttons.map((button) => {
      const title = button.childNodes[1]?.textContent ?? '';
      return button.getAttribute('aria-expanded') === 'true' ? title : `(${title})`;
    }),
  );
}

describe('the details of a span', () => {
  it('are the cards of its kind', async () => {
    await using tab = await openTrace(browser, server.url, traceId(1), { height: 1400 });
    const cards = new Map<string, readonly string[]>();
    for (const name of [
      'root',
      'openinference',
      'gen_ai',
      'retrieve',
      'rerank',
      'embed',
      'ticket',
      'chain',
      'guardrail',
      'evaluator',
      'unknown',
      'bare',
    ]) {
      cards.set(name, await readCards(await select(tab, name)));
    }
    expect(Object.fromEntries(cards)).toEqual({
      root: ['Input', 'Output'],
      openinference: ['Messages', '(Raw input)', '(Raw output)'],
      gen_ai: ['Messages', '(Raw input)', '(Raw output)'],
      retrieve: ['Query', 'Documents'],
      rerank: ['Query', 'Reranked documents', '(Documents to rerank)'],
      embed: ['Embedded texts'],
      ticket: ['Description', 'Arguments'],
      chain: ['Input', 'Output'],
      guardrail: ['Input', 'Output'],
      evaluator: ['Input', 'Output'],
      unknown: ['Input', 'Output'],
      bare: [],
    });
    expect(tab.faults).toEqual([]);
    // A dozen spans, one after the other.
  }, 180_000);

  it('tell the type, message and stack of an exception', async () => {
    const tab = { ...shared, details: await select(shared, 'ticket') };
    const exception = tab.details.getByRole('region', { name: 'Exception TimeoutError' });
    await exception.getByText('too late').waitFor();
    // Once: neither the status nor the trace says it again.
    await expect.poll(() => tab.details.getByText('too late').count()).toBe(1);
    await exception.getByRole('button', { name: 'Stack trace' }).click();
    await exception.getByText('File "tools.py", line 31').first().waitFor();
  });

  it('offer the original, and everything the span carries', async () => {
    await using tab = await openDetails('retrieve');
    await tab.details.getByRole('button', { name: 'Download the original' }).click();
    const arriving = tab.page.waitForEvent('download');
    await tab.page.getByRole('menuitem', { name: 'OTLP as JSON' }).click();
    expect((await arriving).suggestedFilename()).toBe(`span-${spanId(4)}.json`);
    await tab.details.getByRole('tab', { name: 'Attributes' }).click();
    await tab.details.getByRole('searchbox', { name: 'Find attributes' }).fill('score 0.75');
    await tab.details.getByText(/^1 of \d+$/).waitFor();
    await expect
      .poll(() => tab.details.getByRole('term').filter({ hasText: '.' }).allTextContents())
      .toEqual(['retrieval.documents.0.document.score']);
  });
});

describe('messages', () => {
  it('read as a conversation, results beside the calls they answer', async () => {
    await using tab = await openDetails('messages', { height: 1600 });
    const { details } = tab;
    const roles = () =>
      details.getByRole('article').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    // What was asked last, and the answer.
    await expect.poll(roles).toEqual(['Assistant message', 'Assistant message']);
    await openEarlier(details, 2);
    await expect.poll(roles).toEqual(['System message', 'User message', 'Assistant message', 'Assistant message']);
    const call = details.getByRole('region', { name: 'Call of describe' });
    await expect.poll(() => call.textContent()).toMatch(/describe.*call-1.*"detail": "high".*Result.*one red dot/s);
    await expect.poll(() => details.getByText('A secret thought').count()).toBe(1);
    await details.getByRole('button', { name: /^Instructions/ }).waitFor();
    await details.getByText('this', { exact: true }).and(details.locator('strong')).waitFor();
    await details.getByRole('radio', { name: 'Text' }).click();
    await details.getByText('What is **this**?').waitFor();
  });

  it('show what is inside the span, and load nothing from anywhere else', async () => {
    await using tab = await openTrace(browser, server.url, traceId(1), { height: 1600 });
    const asked: string[] = [];
    tab.page.on('request', (request) => asked.push(request.url()));
    const details = await select(tab, 'messages');
    await openEarlier(details, 2);
    await details.getByRole('button', { name: /^Enlarge/ }).click();
    await tab.page.getByRole('dialog').getByRole('img').waitFor();
    await tab.page.keyboard.press('Escape');
    await expect.poll(() => details.locator('audio').getAttribute('src')).toMatch(/^data:audio\/wav/);
    await details.getByText(ELSEWHERE, { exact: true }).first().waitFor();
    expect(asked.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:'))).toEqual([]);
    expect(await tab.page.title()).not.toBe('taken');
    const links = await details.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(links.filter((link) => !/^https?:|^\//.test(link ?? ''))).toEqual([]);
  });

  it('never print long base64', async () => {
    const tab = { ...shared, details: await select(shared, 'bytes') };
    await tab.details.getByText('image/png · 120 kB').waitFor();
    const arriving = tab.page.waitForEvent('download');
    await tab.details.getByRole('button', { name: 'Download', exact: true }).click();
    expect((await arriving).suggestedFilename()).toMatch(/^attachment/);
    expect(((await tab.details.textContent()) ?? '').length).toBeLessThan(2_000);
  });
});

describe('a conversation of a thousand messages', () => {
  it('shows how it ended, how it began and more of it when asked, and finds what is left out', async () => {
    await using tab = await openDetails('thousand messages');
    const { details, page } = tab;
    // By name: the role of what is out of sight is told only once it has been laid out.
    const messages = details.locator('article');
    const saying = (text: string) => messages.filter({ has: page.getByText(text, { exact: true }) });
    await saying('the end').waitFor();
    await expect.poll(() => messages.count()).toBe(2);
    await openEarlier(details, 999);
    await saying('message 0').waitFor();
    await expect.poll(() => messages.count()).toBe(202);
    await expect.poll(() => saying('message 800').count()).toBe(0);
    await details.getByRole('button', { name: 'Show the next 100' }).press('Enter');
    await expect.poll(() => messages.count()).toBe(302);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('message 50');
    await details.getByRole('button', { name: 'Show the last 100' }).press('Enter');
    await expect.poll(() => messages.count()).toBe(402);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('message 848');

    await details.getByRole('searchbox', { name: 'Find in the messages' }).fill('needle');
    await details.getByText('1 of 1').waitFor();
    await saying('the needle').waitFor();
    await expect.poll(() => page.evaluate(() => CSS.highlights.get('found')?.size)).toBe(1);
    await expect.poll(() => messages.count()).toBe(423);
    await details.getByRole('button', { name: 'Show the next 100' }).last().press('Enter');
    await details.getByRole('button', { name: 'Show 38 hidden messages' }).press('Enter');
    await expect.poll(() => messages.count()).toBe(561);
    expect(tab.faults).toEqual([]);
  });
});

describe('the output of a span', () => {
  it('is reached by a key, and by a button while it is out of sight', async () => {
    await using tab = await openDetails('long question', { height: 500 });
    const { details, page } = tab;
    const jump = details.getByRole('button', { name: /^Output/ });
    const isInSight = () =>
      details.getByText('the short answer', { exact: true }).evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await expect.poll(isInSight).toBe(false);
    await jump.click();
    await expect.poll(isInSight).toBe(true);
    await jump.waitFor({ state: 'detached' });
    await details.getByRole('button', { name: 'Collapse all cards' }).click();
    await details.getByText('the short answer').waitFor({ state: 'detached' });
    await page.keyboard.press('o');
    await expect.poll(isInSight).toBe(true);
  });

  it('is found by the search of a conversation that is folded', async () => {
    const tab = { ...shared, details: await select(shared, 'thousand messages') };
    await tab.details.getByRole('searchbox', { name: 'Find in the messages' }).fill('needle');
    await tab.details.getByText('the needle', { exact: true }).waitFor();
    await expect
      .poll(() => tab.details.getByRole('button', { name: /earlier messages/ }).getAttribute('aria-expanded'))
      .toBe('true');
  });

  it('shows the lines of texts within JSON, and copies the JSON that was sent', async () => {
    const tab = { ...shared, details: await select(shared, 'write') };
    const written = tab.details.getByRole('group', { name: 'arguments' });
    await written.getByText('# Notes\n\nFirst line', { exact: true }).waitFor();
    await expect.poll(() => written.textContent()).not.toContain('\\n');
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await tab.details.getByRole('button', { name: 'Copy arguments' }).click();
    const copied = () => tab.page.evaluate(async () => JSON.parse(await navigator.clipboard.readText()) as unknown);
    await expect.poll(copied).toEqual({ path: 'notes.md', content: '# Notes\n\nFirst line\n' });
  });
});

describe('an output of five megabytes', () => {
  it('of text is searched to its end', async () => {
    const tab = { ...shared, details: await select(shared, 'five megabytes') };
    await tab.details.getByRole('searchbox', { name: 'Find in output' }).fill('needle');
    await tab.details.getByText('1 of 1').waitFor();
    await tab.details.getByText('the needle').waitFor();
    await expect.poll(() => tab.page.locator('*').count()).toBeLessThan(2_000);
  });

  it('of JSON is a tree that opens where something is found, with every digit', async () => {
    const tab = { ...shared, details: await select(shared, 'five megabytes of JSON') };
    const tree = tab.details.getByRole('tree', { name: 'output' });
    const field = tab.details.getByRole('searchbox', { name: 'Find in output' });
    await field.fill('needle');
    await tree.getByText('hidden').waitFor();
    await field.fill('12345678901234567890');
    await tree.getByText('12345678901234567890').waitFor();
    await expect.poll(() => tab.page.locator('*').count()).toBeLessThan(2_000);
  });
});

describe.each(THEMES)('in the %s theme', (theme) => {
  let tab: TestPage;
  beforeAll(async () => {
    tab = await openTrace(browser, server.url, traceId(1), { theme, height: 1600 });
  });
  afterAll(async () => {
    await tab[Symbol.asyncDispose]();
  });

  it.each(['messages', 'ticket', 'rerank'])('the details of %s keep nobody out', async (name) => {
    await select(tab, name);
    expect(await findBarriers(tab.page)).toEqual([]);
  });
});
