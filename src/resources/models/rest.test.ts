import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { formatGlobalId } from '#base/global-id';
import { FIRST_BUILT_IN_ROW_ID } from '#derive/cost/built-in-list';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { type TestWriter, openTestWriter, spansOf } from '#store/logs/write/open-writer.fixture';
import { changePriceOf } from '#store/prices/change-price.fixture';
import { listCustomPrices } from '#store/prices/relational-prices';
import { beginPricing, type PricingJob, type PricingScope } from '#store/reindex/pricing-job';
import { spanId, TEST_START_US } from '../../../test/harness/otlp-json.ts';
import { type ModelCommands, modelCommands } from './commands.ts';
import { modelPolicy } from './policy.ts';
import { modelRoutes } from './rest.ts';

let memory: TestWriter;
let app: ReturnType<typeof appOf>;
let started: PricingScope[] = [];
let running: PricingJob | null = null;

beforeAll(async () => {
  memory = await openTestWriter();
  const run = runCommandsOn(memory, [modelCommands], memory);
  app = appOf(
    modelRoutes(
      {
        read: () => memory,
        repricer: () => ({
          readState: async () => ({ isStale: false, job: null }),
          async start(scope) {
            started.push(scope);
            return running ?? (await beginPricing(memory.db, scope, 0));
          },
        }),
      },
      remoteCommands<ModelCommands>(modelPolicy, run),
    ),
  );
});

beforeEach(async () => {
  for (const { rowId } of await listCustomPrices(memory.db))
    await changePriceOf(memory.writer, { kind: 'delete', rowId });
  await memory.exec("DELETE FROM jobs WHERE kind = 'repricing'");
  started = [];
  running = null;
});

interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

async function ask<Body = string>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) {
  const response = await app.inject({ method, url, ...(body !== undefined && { payload: body }) });
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  return { status: response.statusCode, body: isJson ? response.json() : response.body } as Answer<Body>;
}

interface SentPrice {
  readonly id: string;
  readonly name: string;
}

const input = (price: unknown) => ({ token_type: 'input', is_prompt: true, usd_per_million_tokens: price });
const output = (price: unknown) => ({ token_type: 'output', is_prompt: false, usd_per_million_tokens: price });

const HOUSE = { name: 'House', name_pattern: '^house-', prices: [input(10), output(20)] };
const at = (hour: string) => ({ start_time: `2026-01-01T${hour}:00:00Z` });

async function create(more: object = {}): Promise<string> {
  const { status, body } = await ask<{ data: SentPrice }>('POST', '/v1/model_prices', { ...HOUSE, ...more });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.data.id;
}

const namesOf = async (query = 'is_built_in=false') =>
  (await ask<{ data: SentPrice[] }>('GET', `/v1/model_prices?${query}`)).body.data.map(({ name }) => name);

let sentCount = 0;

/** What a call of a thousand tokens in and a hundred out costs that arrives now, in millionths of a dollar. */
async function costOf(model: string, more: object = {}, startUs = TEST_START_US): Promise<number | null> {
  const id = spanId(++sentCount);
  const attributes = {
    'openinference.span.kind': 'LLM',
    'llm.model_name': model,
    'llm.token_count.prompt': 1000,
    'llm.token_count.completion': 100,
    ...more,
  };
  await memory.writer.write([spansOf([{ spanId: id, startUs, attributes }])]);
  const [row] = await memory.rows(`SELECT claimed_cost_nanousd AS cost FROM spans WHERE span_id = '${id}'`);
  return row?.['cost'] == null ? null : Number(row['cost']) / 1000;
}

describe('the life of a price', () => {
  it('prices what arrives from its creation to its end, and nothing that came before', async () => {
    expect(await costOf('house-1')).toBeNull();
    const id = await create();
    expect(await costOf('house-1')).toBe(12_000);
    const changed = { ...HOUSE, name: 'Home', prices: [input(1), output(2)] };
    expect(await ask('PUT', `/v1/model_prices/${id}`, changed)).toMatchObject({
      status: 200,
      body: { data: { id, name: 'Home' } },
    });
    expect(await costOf('house-1')).toBe(1200);
    expect(await ask('DELETE', `/v1/model_prices/${id}`)).toEqual({ status: 204, body: '' });
    expect(await costOf('house-1')).toBeNull();
    expect(await memory.rows('SELECT claimed_cost_nanousd / 1000 AS cost FROM spans ORDER BY id')).toEqual(
      [null, 12_000, 1200, null].map((cost) => ({ cost })),
    );
  });

  it('leaves its name and its models to another when it is gone', async () => {
    const id = await create();
    expect((await ask('POST', '/v1/model_prices', HOUSE)).status).toBe(409);
    await ask('DELETE', `/v1/model_prices/${id}`);
    expect(await create()).not.toBe(id);
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const answer = await ask(method, `/v1/model_prices/${id}`, method === 'PUT' ? HOUSE : undefined);
      expect(answer, method).toEqual({ status: 404, body: 'There is no such price.' });
    }
  });

  it('forgets what an update leaves out', async () => {
    const long = [{ above_prompt_tokens: 500, prices: [input(100)] }];
    const id = await create({ provider: 'openai', ...at('00'), long_prompt_prices: long });
    expect(await costOf('house-1', { 'llm.provider': 'openai' })).toBe(102_000);
    const { body } = await ask('PUT', `/v1/model_prices/${id}`, HOUSE);
    expect(body).toMatchObject({ data: { provider: null, start_time: null, long_prompt_prices: [] } });
    expect(await costOf('house-1')).toBe(12_000);
  });

  it('may be changed without being changed, and not into another that is there', async () => {
    const id = await create();
    await create({ name: 'Other', name_pattern: 'other' });
    const put = (body: object) => ask('PUT', `/v1/model_prices/${id}`, { ...HOUSE, ...body });
    expect((await put({})).status).toBe(200);
    expect(await put({ name: 'Other' })).toMatchObject({ status: 409, body: expect.stringContaining('named Other') });
    expect(await put({ name_pattern: 'other' })).toMatchObject({ status: 409, body: expect.stringContaining('Other') });
    expect(await namesOf()).toEqual(['House', 'Other']);
  });
});

describe('of several prices', () => {
  it('one of your own comes before that of the product, until it is gone', async () => {
    expect(await costOf('gpt-4o')).toBe(3500);
    const id = await create({ name: 'mine', name_pattern: '^gpt-4o$' });
    expect(await costOf('gpt-4o')).toBe(12_000);
    expect(await costOf('gpt-4o-mini')).toBe(210);
    await ask('DELETE', `/v1/model_prices/${id}`);
    expect(await costOf('gpt-4o')).toBe(3500);
  });

  it('one that costs nothing costs nothing', async () => {
    await create({ name: 'free', name_pattern: '^gpt-4o$', prices: [input(0), output(-0)] });
    expect(await costOf('gpt-4o')).toBe(0);
  });

  it('the one that says more of the name holds, then the later one', async () => {
    await create({ name: 'all', name_pattern: '.*', prices: [input(1), output(0)] });
    await create({ name: 'family', name_pattern: '^house', prices: [input(2), output(0)] });
    await create({ name: 'model', name_pattern: '^house-7$', prices: [input(3), output(0)] });
    await create({ name: 'model', name_pattern: '^house-7$', prices: [input(4), output(0)], ...at('12') });
    const noon = TEST_START_US + 12 * 3_600_000_000;
    expect(await costOf('cottage')).toBe(1000);
    expect(await costOf('house-8')).toBe(2000);
    expect(await costOf('house-7')).toBe(3000);
    expect(await costOf('house-7', {}, noon - 1)).toBe(3000);
    expect(await costOf('house-7', {}, noon)).toBe(4000);
  });

  it('one that begins later leaves earlier calls to the next', async () => {
    await create({ name: 'later', name_pattern: '^gpt-4o$', ...at('12') });
    expect(await costOf('gpt-4o')).toBe(3500);
    expect(await costOf('gpt-4o', {}, TEST_START_US + 13 * 3_600_000_000)).toBe(12_000);
  });

  it('the one of the provider comes first, by any of its names', async () => {
    await create({ name: 'here', prices: [input(1), output(0)] });
    await create({ name: 'there', provider: 'Vertex_AI', prices: [input(2), output(0)] });
    expect(await costOf('house-1', { 'llm.provider': 'google' })).toBe(2000);
    expect(await costOf('house-1', { 'llm.provider': 'gemini' })).toBe(2000);
  });

  it('a part without a price has that of its side, and each token is counted once', async () => {
    const cached = { token_type: 'cache_read', is_prompt: true, usd_per_million_tokens: 1 };
    const audio = { token_type: 'audio', is_prompt: false, usd_per_million_tokens: 1000 };
    await create({ prices: [input(10), output(20), cached, audio] });
    const parts = {
      'llm.token_count.prompt_details.cache_read': 400,
      'llm.token_count.prompt_details.cache_write': 100,
      'llm.token_count.completion_details.audio': 30,
      'llm.token_count.completion_details.reasoning': 50,
    };
    // 500 and 100 at 10, 400 at 1; 20 and 50 at 20, 30 at 1000.
    expect(await costOf('house-1', parts)).toBe(6000 + 400 + 1400 + 30_000);
  });

  it('prices of long prompts hold above their bound, and for all of the call', async () => {
    const long = [
      { above_prompt_tokens: 999, prices: [output(200)] },
      { above_prompt_tokens: 1000, prices: [input(1000)] },
    ];
    await create({ long_prompt_prices: long });
    expect(await costOf('house-1', { 'llm.token_count.prompt': 999 })).toBe(9990 + 2000);
    expect(await costOf('house-1')).toBe(10_000 + 20_000);
    expect(await costOf('house-1', { 'llm.token_count.prompt': 1001 })).toBe(1_001_000 + 20_000);
  });
});

describe('a price is refused', () => {
  it.each<[string, object, number, RegExp]>([
    ['that is negative', { prices: [input(-0.01), output(1)] }, 400, /input of the prompt is negative/],
    ['that is least negative', { prices: [input(1), output(-5e-324)] }, 400, /output of the completion is negative/],
    ['above a million', { prices: [input(1_000_000.01), output(1)] }, 400, /too high/],
    ['that is a text', { prices: [input('1'), output(1)] }, 422, /usd_per_million_tokens/],
    ['that is nothing', { prices: [input(null), output(1)] }, 422, /usd_per_million_tokens/],
    ['of too many parts', { prices: Array.from({ length: 17 }, () => input(1)) }, 422, /prices/],
    ['of no part', { prices: [] }, 400, /input of the prompt is missing/],
    ['of both sides at once', { prices: [{ ...input(1), is_prompt: false }, output(1)] }, 400, /completion .* "input"/],
    ['of what every object has', { prices: [{ ...input(1), token_type: 'constructor' }] }, 400, /"constructor"/],
    ['of the part without end', { prices: [{ ...input(1), token_type: 'x'.repeat(100_000) }] }, 400, /^.{0,300}$/s],
    ['that is negative for long prompts', { long_prompt_prices: [long(5, [input(-1)])] }, 400, /is negative/],
    ['above no tokens', { long_prompt_prices: [long(0, [])] }, 400, /at least 1/],
    ['above less than no tokens', { long_prompt_prices: [long(-5, [])] }, 400, /at least 1/],
    ['above half a token', { long_prompt_prices: [long(0.5, [])] }, 422, /above_prompt_tokens/],
    ['above more tokens than there are', { long_prompt_prices: [long(1e300, [])] }, 422, /above_prompt_tokens/],
    [
      'at nine lengths',
      { long_prompt_prices: Array.from({ length: 9 }, (_, n) => long(n + 1, [])) },
      400,
      /8 prompt lengths/,
    ],
    ['with a name too long', { name: 'x'.repeat(257) }, 400, /at most 256/],
    ['with a name of a control character', { name: 'a\u0000b' }, 400, /control characters/],
    ['with half a letter as a name', { name: '\ud800' }, 400, /control characters/],
    ['with a provider too long', { provider: 'x'.repeat(257) }, 400, /provider .* at most 256/],
    ['with no pattern', { name_pattern: '' }, 400, /is empty/],
    ['with a pattern too long', { name_pattern: 'a'.repeat(513) }, 400, /at most 512/],
    ['with a control character in its pattern', { name_pattern: 'a\u0000' }, 400, /pattern .* control characters/],
    ['with half a letter in its pattern', { name_pattern: '\ud800' }, 400, /pattern .* control characters/],
    ['that looks around', { name_pattern: 'a(?!b)' }, 400, /looks ahead/],
    ['that looks back', { name_pattern: '(?<=a)b' }, 400, /looks ahead, behind or back/],
    ['that refers back', { name_pattern: '(a)\\1' }, 400, /\\1 is not understood/],
    ['that repeats repetitions', { name_pattern: '(a{99}){99}' }, 400, /repeats too much/],
    ['that repeats what is repeated', { name_pattern: 'a{2}{3}' }, 400, /repeated again/],
    ['from before time', { start_time: '1969-12-31T23:59:59Z' }, 400, /before 1970/],
    ['from no month', { start_time: '2026-13-01T00:00:00Z' }, 422, /datetime/],
    ['from a year of five digits', { start_time: '99999-01-01T00:00:00Z' }, 422, /datetime/],
  ])('%s', async (_what, change, status, message) => {
    const answer = await ask<unknown>('POST', '/v1/model_prices', { ...HOUSE, ...change });
    expect(answer.status).toBe(status);
    expect(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)).toMatch(message);
    expect(await namesOf()).toEqual([]);
  });

  function long(above_prompt_tokens: number, prices: object[]) {
    return { above_prompt_tokens, prices };
  }
});

it('patterns that make others explode are matched in time', async () => {
  await create({ name: 'nested', name_pattern: '(((a*)*)*)*$' });
  await create({ name: 'either', name_pattern: '(a|a|a)*b$' });
  await create({ name: 'many', name_pattern: '(.{0,250}){2}zz' });
  const before = process.threadCpuUsage();
  for (let number = 0; number < 20; number++) await costOf(`${'a'.repeat(5000)}${number}`);
  const { user, system } = process.threadCpuUsage(before);
  // Some 20 ms a name at most; backtracking takes longer than there is time.
  expect(user + system).toBeLessThan(3_000_000);
});

describe('the list of prices', () => {
  it('has your own first, page by page without a gap', async () => {
    for (const name of ['b', 'a', 'c']) await create({ name, name_pattern: name });
    const names: string[] = [];
    let path = '/v1/model_prices?limit=2';
    for (let page = 0; page < 3; page++) {
      const { body } = await ask<{ data: SentPrice[]; next_cursor: string }>('GET', path);
      names.push(...body.data.map(({ name }) => name));
      path = `/v1/model_prices?limit=2&cursor=${body.next_cursor}`;
    }
    expect(names.slice(0, 3)).toEqual(['a', 'b', 'c']);
    expect(new Set(names).size).toBe(6);
  });

  it('finds parts of names in any letter case, and knows no wildcards', async () => {
    await create({ name: 'ÀB 100%', name_pattern: 'x' });
    expect(await namesOf('is_built_in=false&name_contains=%C3%A0b')).toEqual(['ÀB 100%']);
    expect(await namesOf('is_built_in=false&name_contains=%25')).toEqual(['ÀB 100%']);
    expect(await namesOf('is_built_in=false&name_contains=A_B')).toEqual([]);
    expect(await namesOf('name_contains=gpt-4o-mini&limit=1000')).not.toContain('ÀB 100%');
  });

  it('ends after its last page', async () => {
    const cursor = Buffer.from('ModelPrice:999999999').toString('base64');
    expect((await ask('GET', `/v1/model_prices?cursor=${cursor}`)).body).toEqual({ data: [], next_cursor: null });
  });

  it.each([
    ['limit=0', /greater than or equal to 1/],
    ['limit=1000000', /less than or equal to 1000/],
    ['limit=1e3', /valid integer/],
    ['is_built_in=maybe', /valid boolean/],
    ['cursor=', /Invalid cursor/],
    ['cursor=nonsense', /Invalid cursor/],
    [`cursor=${Buffer.from('Project:1').toString('base64')}`, /Invalid cursor/],
    [`cursor=${Buffer.from('ModelPrice:-1').toString('base64')}`, /Invalid cursor/],
    [`cursor=${Buffer.from('ModelPrice:1e9').toString('base64')}`, /Invalid cursor/],
    [`cursor=${'A'.repeat(5000)}`, /Invalid cursor/],
  ])('refuses %s', async (query, message) => {
    const { status, body } = await ask<unknown>('GET', `/v1/model_prices?${query}`);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toMatch(message);
  });
});

describe('ids', () => {
  const METHODS = ['GET', 'PUT', 'DELETE'] as const;

  it.each([
    ['of another type', formatGlobalId('Project', 1)],
    ['of no row', formatGlobalId('GenerativeModel', 0)],
    ['below zero', Buffer.from('GenerativeModel:-1').toString('base64')],
    ['beyond integers', Buffer.from('GenerativeModel:9007199254740993').toString('base64')],
    ['of what is not there', formatGlobalId('GenerativeModel', FIRST_BUILT_IN_ROW_ID - 1)],
    ['that are row ids', '1'],
    ['that are no base64', '%00'],
    ['without end', 'A'.repeat(90)],
  ])('%s lead to nothing, and break nothing', async (_what, id) => {
    await create();
    for (const method of METHODS) {
      const answer = await ask(method, `/v1/model_prices/${id}`, method === 'PUT' ? HOUSE : undefined);
      expect(answer, method).toEqual({ status: 404, body: 'There is no such price.' });
    }
    expect(await namesOf()).toEqual(['House']);
  });

  it('of prices that come with the product can be read, and nothing else', async () => {
    const { body } = await ask<{ data: SentPrice[] }>('GET', '/v1/model_prices?is_built_in=true&limit=1');
    const path = `/v1/model_prices/${body.data[0]?.id}`;
    expect(await ask('GET', path)).toEqual({ status: 200, body: { data: body.data[0] } });
    const refusal = { status: 409, body: expect.stringContaining('comes with the product') };
    expect(await ask('PUT', path, HOUSE)).toEqual(refusal);
    expect(await ask('DELETE', path)).toEqual(refusal);
  });
});

describe('pricing anew', () => {
  it.each([
    ['a pattern that is none', { name_pattern: '(' }, 400, /not closed/],
    ['an empty pattern', { name_pattern: '' }, 400, /is empty/],
    ['a time that is none', { start_time: 'yesterday' }, 422, /datetime/],
    [
      'times the wrong way round',
      { start_time: '2026-01-02T00:00:00Z', end_time: '2026-01-01T00:00:00Z' },
      400,
      /ends/,
    ],
    ['no time at all', { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-01T00:00:00Z' }, 400, /ends/],
    ['a list', [1], 422, /expected object/],
  ])('does not begin with %s', async (_what, body, status, message) => {
    const answer = await ask<unknown>('POST', '/v1/repricing', body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toMatch(message);
    expect(started).toEqual([]);
  });

  it('says that another is under way, and joins the same', async () => {
    running = await beginPricing(memory.db, { namePattern: 'a', startUs: null, endUs: null }, 0);
    expect((await ask('POST', '/v1/repricing', { name_pattern: 'a' })).status).toBe(202);
    expect(await ask('POST', '/v1/repricing', { name_pattern: 'b' })).toMatchObject({
      status: 409,
      body: expect.stringContaining('wait until'),
    });
  });

  it('has no progress before the first time', async () => {
    const { body } = await ask('GET', '/v1/repricing');
    expect(body).toMatchObject({ data: { is_running: false, progress: null, read_count: 0, started_at: null } });
  });
});
