import { beforeEach, describe, expect, it } from 'vitest';
import type { Prices } from '#derive/cost/rates';
import { spanId, TEST_START_US, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { type TestWriter, openTestWriter, spansOf } from '../logs/write/open-writer.fixture.ts';
import { planPricing } from '../reindex/plan-pricing.ts';
import type { PriceValues } from '#derive/cost/price-input';
import { newPass } from '../reindex/state.ts';
import { changePriceOf } from './change-price.fixture.ts';
import type { PricingScope } from '../reindex/pricing-job.ts';

let under: TestWriter;

beforeEach(async () => {
  under = await openTestWriter();
});

const EVERYTHING: PricingScope = { namePattern: null, startUs: null, endUs: null };

/** A thousand tokens in and a hundred out: 3,500 millionths of a dollar with gpt-4o. */
function call(number: number, more: TestSpan['attributes'] = {}, of: Partial<TestSpan> = {}): TestSpan {
  return {
    traceId: traceId(1),
    spanId: spanId(number),
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o',
      'llm.provider': 'openai',
      'llm.token_count.prompt': 1000,
      'llm.token_count.completion': 100,
      'session.id': 'conversation',
      ...more,
    },
    ...of,
  };
}

async function store(...spans: readonly TestSpan[]): Promise<void> {
  await under.writer.write([spansOf(spans)]);
}

function price(name: string, namePattern: string, input: number, more: Partial<PriceValues> = {}): PriceValues {
  const prices: Prices = { rates: { input, output: 0 }, longPrompts: [] };
  return { name, provider: null, namePattern, startUs: null, prices, ...more };
}

/** Prices stored spans anew, as the pass does; how many changed. */
async function reprice(scope: PricingScope = EVERYTHING): Promise<number> {
  let job = { ...scope, ...(await newPass(under.db)) };
  let changed = 0;
  while (job.nextRowId < job.endRowId) {
    const plan = await planPricing(under.db, job);
    changed += plan.changedRowIds.length;
    job = { ...job, nextRowId: plan.nextRowId };
    await under.writer.reprice(plan.changedRowIds);
  }
  return changed;
}

/** Sums in millionths of a dollar: total, prompt, completion. */
async function sumsOf(table: 'traces' | 'sessions'): Promise<readonly (readonly number[])[]> {
  return (
    await under.rows(
      `SELECT cost_nanousd AS total, prompt_cost_nanousd AS prompt, completion_cost_nanousd AS completion FROM ${table} ORDER BY id`,
    )
  ).map((row) => Object.values(row).map((nano) => Number(nano) / 1000));
}

/** What spans claim that they cost, in millionths of a dollar, by row id. */
async function claims(): Promise<readonly (number | null)[]> {
  return (await under.rows('SELECT claimed_cost_nanousd AS cost FROM spans ORDER BY id')).map(({ cost }) =>
    cost === null ? null : Number(cost) / 1000,
  );
}

describe('the cost of a stored call', () => {
  it('is computed part by part, and counts in the sums of its trace and session', async () => {
    await store(call(1, { 'llm.token_count.prompt_details.cache_read': 400 }));
    expect(await under.rows('SELECT * FROM spans')).toMatchObject([
      {
        cost_usd: null,
        claimed_cost_nanousd: 3_000_000,
        claimed_prompt_cost_nanousd: 2_000_000,
        claimed_completion_cost_nanousd: 1_000_000,
        input_cost_nanousd: 1_500_000,
        cache_read_cost_nanousd: 500_000,
        output_cost_nanousd: 1_000_000,
        counted_cost_nanousd: 3_000_000,
        counted_prompt_cost_nanousd: 2_000_000,
        counted_completion_cost_nanousd: 1_000_000,
      },
    ]);
    expect(await sumsOf('traces')).toEqual([[3000, 2000, 1000]]);
    expect(await sumsOf('sessions')).toEqual([[3000, 2000, 1000]]);
  });

  it('is the reported one where there is one, with the computed one beside it', async () => {
    await store(call(1, { 'llm.cost.total': 0.5, 'llm.cost.prompt': 0.4, 'llm.cost.completion': 0.1 }));
    expect(await under.rows('SELECT * FROM spans')).toMatchObject([
      {
        cost_usd: 0.5,
        claimed_cost_nanousd: 500_000_000,
        input_cost_nanousd: 2_500_000,
        output_cost_nanousd: 1_000_000,
      },
    ]);
    expect(await sumsOf('traces')).toEqual([[500_000, 400_000, 100_000]]);
  });

  it('has unknown sides where only the whole is reported', async () => {
    await store(call(1, { 'llm.cost.total': 0.5 }));
    expect(await under.rows('SELECT * FROM spans')).toMatchObject([
      { claimed_cost_nanousd: 500_000_000, claimed_prompt_cost_nanousd: null, claimed_completion_cost_nanousd: null },
    ]);
    expect(await sumsOf('traces')).toEqual([[500_000, 0, 0]]);
  });

  it.each([0, -1, 1e9])('is the computed one where %d is reported', async (cost) => {
    await store(call(1, { 'llm.cost.total': cost }));
    expect(await claims()).toEqual([3500]);
  });

  it('is that of the parts where no whole is reported', async () => {
    await store(call(1, { 'llm.cost.prompt': 0.25, 'llm.cost.completion': 0.5 }));
    expect(await sumsOf('traces')).toEqual([[750_000, 250_000, 500_000]]);
  });

  it('is unknown without a price, without tokens, and for what is no model call', async () => {
    await store(
      call(1, { 'llm.model_name': 'nobody-knows' }),
      call(2, { 'llm.token_count.prompt': 0, 'llm.token_count.completion': 0 }),
      call(3, { 'openinference.span.kind': 'CHAIN' }),
    );
    expect(await claims()).toEqual([null, null, null]);
    expect(await sumsOf('traces')).toEqual([[0, 0, 0]]);
  });

  it('counts once where a wrapper repeats it', async () => {
    await store(call(2, {}, { parentSpanId: spanId(1) }));
    await store(call(1, { 'llm.token_count.prompt': 5000 }));
    expect(await claims()).toEqual([3500, 13_500]);
    expect(await sumsOf('traces')).toEqual([[3500, 2500, 1000]]);
    expect(await sumsOf('sessions')).toEqual([[3500, 2500, 1000]]);
  });

  it('counts once where another instrumentation describes the same answer', async () => {
    const same = { 'gen_ai.response.id': 'answer', 'session.id': 'one' };
    const [startUs, endUs] = [TEST_START_US, TEST_START_US + 1000];
    await under.writer.write([spansOf([call(1, same, { startUs, endUs })], { scope: 'a' })]);
    const later = { startUs: startUs + 1, endUs, traceId: traceId(2) };
    await under.writer.write([spansOf([call(2, same, later)], { scope: 'b' })]);
    expect(await claims()).toEqual([3500, 3500]);
    expect(await sumsOf('traces')).toEqual([
      [3500, 2500, 1000],
      [0, 0, 0],
    ]);
  });

  it('follows a span that is replaced', async () => {
    await store(call(1));
    await store(call(1, { 'llm.token_count.prompt': 2000 }));
    expect(await sumsOf('traces')).toEqual([[6000, 5000, 1000]]);
    expect(await sumsOf('sessions')).toEqual([[6000, 5000, 1000]]);
  });
});

describe('a changed price', () => {
  it('is that of the next span, while stored ones keep theirs', async () => {
    await store(call(1));
    const { rowId } = await changePriceOf(under.writer, { kind: 'create', values: price('own', '^gpt-4o$', 10) });
    await store(call(2));
    await changePriceOf(under.writer, { kind: 'update', rowId, values: price('own', '^gpt-4o$', 20) });
    await store(call(3));
    await changePriceOf(under.writer, { kind: 'delete', rowId });
    await store(call(4));
    expect(await claims()).toEqual([3500, 10_000, 20_000, 3500]);
  });

  it('holds for calls from its moment on', async () => {
    const values = price('own', '^gpt-4o$', 10, { startUs: TEST_START_US });
    await changePriceOf(under.writer, { kind: 'create', values });
    await store(call(1, {}, { startUs: TEST_START_US - 1 }), call(2, {}, { startUs: TEST_START_US }));
    expect(await claims()).toEqual([3500, 10_000]);
  });

  it('is refused where another is in its place', async () => {
    const { rowId } = await changePriceOf(under.writer, { kind: 'create', values: price('a', 'x', 1) });
    const create = (values: PriceValues) => changePriceOf(under.writer, { kind: 'create', values });
    await expect(create(price('a', 'y', 1))).rejects.toMatchObject({ code: 'already_exists' });
    await expect(create(price('b', 'x', 1))).rejects.toMatchObject({ code: 'already_exists' });
    await create(price('a', 'x', 1, { startUs: 5 }));
    await create(price('b', 'x', 1, { provider: 'azure' }));
    await changePriceOf(under.writer, { kind: 'update', rowId, values: price('a', 'x', 2) });
    const update = changePriceOf(under.writer, {
      kind: 'update',
      rowId,
      values: price('b', 'x', 2, { provider: 'azure' }),
    });
    await expect(update).rejects.toMatchObject({ code: 'already_exists' });
    await changePriceOf(under.writer, { kind: 'delete', rowId });
    await expect(changePriceOf(under.writer, { kind: 'delete', rowId })).rejects.toMatchObject({ code: 'not_found' });
    await create(price('a', 'x', 3));
  });
});

describe('pricing stored spans anew', () => {
  it('prices what had no price, with the sums that follow, once', async () => {
    await store(call(2, { 'llm.model_name': 'own-1' }, { parentSpanId: spanId(1) }));
    await store(
      call(1, { 'llm.model_name': 'own-1' }),
      call(3),
      call(4, { 'llm.cost.total': 0.5, 'llm.model_name': 'own-1' }),
    );
    expect(await sumsOf('traces')).toEqual([[503_500, 2500, 1000]]);
    expect(await reprice()).toBe(0);
    const revision = () => under.rows('SELECT revision FROM traces');
    const before = await revision();
    await changePriceOf(under.writer, { kind: 'create', values: price('own', '^own-', 10) });
    expect(await reprice()).toBe(3);
    expect(await claims()).toEqual([10_000, 10_000, 3500, 500_000]);
    expect(await sumsOf('traces')).toEqual([[513_500, 12_500, 1000]]);
    expect(await sumsOf('sessions')).toEqual([[513_500, 12_500, 1000]]);
    expect(await revision()).not.toEqual(before);
    expect(await under.rows('SELECT input_cost_nanousd AS input FROM spans WHERE cost_usd = 0.5')).toEqual([
      { input: 10_000_000 },
    ]);
    expect(await reprice()).toBe(0);
  });

  it('comes to what spans cost that arrive after the change', async () => {
    const spans = [call(1), call(2, {}, { parentSpanId: spanId(1) }), call(3, { 'llm.model_name': 'own' })];
    await store(...spans);
    await changePriceOf(under.writer, { kind: 'create', values: price('own', '.', 7) });
    await reprice();
    const columns = (await under.rows('SELECT * FROM spans ORDER BY id')).map((row) => ({ ...row, id: 0 }));
    const sums = [await sumsOf('traces'), await sumsOf('sessions')];
    under = await openTestWriter();
    await changePriceOf(under.writer, { kind: 'create', values: price('own', '.', 7) });
    await store(...spans);
    expect((await under.rows('SELECT * FROM spans ORDER BY id')).map((row) => ({ ...row, id: 0 }))).toEqual(columns);
    expect([await sumsOf('traces'), await sumsOf('sessions')]).toEqual(sums);
  });

  it('takes a price away that is gone', async () => {
    const { rowId } = await changePriceOf(under.writer, { kind: 'create', values: price('own', '^own$', 10) });
    await store(call(1, { 'llm.model_name': 'own' }));
    await changePriceOf(under.writer, { kind: 'delete', rowId });
    expect(await reprice()).toBe(1);
    expect(await claims()).toEqual([null]);
    expect(await sumsOf('traces')).toEqual([[0, 0, 0]]);
  });

  it('is of some models and some time alone', async () => {
    await store(
      call(1, { 'llm.model_name': 'own-a' }, { startUs: TEST_START_US }),
      call(2, { 'llm.model_name': 'own-b' }, { startUs: TEST_START_US }),
      call(3, { 'llm.model_name': 'own-a' }, { startUs: TEST_START_US + 10 }),
      call(4, { 'llm.model_name': 'own-a' }, { startUs: TEST_START_US + 20 }),
    );
    await changePriceOf(under.writer, { kind: 'create', values: price('own', '^own-', 10) });
    expect(await reprice({ namePattern: 'a$', startUs: TEST_START_US, endUs: TEST_START_US + 20 })).toBe(2);
    expect(await claims()).toEqual([10_000, null, 10_000, null]);
  });
});
