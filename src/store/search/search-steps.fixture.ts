/** What happens to a store with a search index, at random. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { startSearchRebuild } from '../texts/progress.ts';
import { type Searchable, STEP } from './open-searchable.fixture.ts';
import { planIndex } from './plan-index.ts';
import { storeIndex } from './store-index.ts';

const word = fc.constantFrom('alpha', 'beta', 'Gamma', 'getUserName', 'order_7', '東京都', 'café', 'zeta9');
const FILLING = ` ${'and so on, '.repeat(30)}`;

/** Some are longer than the rows of spans keep, and some are not indexed whole. */
const text = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '', FILLING, 'x'.repeat(300)))
  .map(([words, filling]) => `${words.join(' ')}${filling}`);

/** JSON shows some of them otherwise than they are. */
const list = fc.array(fc.oneof(text, fc.constantFrom('\u0007alpha', 'so\nbeta', 7, true, null)), { maxLength: 3 });

const attributes = fc.record(
  {
    'input.value': fc.oneof(
      text,
      fc.array(text, { maxLength: 3 }).map((texts) =>
        JSON.stringify({
          messages: texts.map((content) => ({ role: 'user', content: `${content} and so on, at some length` })),
        }),
      ),
    ),
    'output.value': fc.oneof(text, text, fc.constantFrom(7, null, ['alpha', 'beta'])),
    'output.value.part': fc.constant('beta'),
    'llm.model_name': text,
    note: fc.oneof(
      text,
      text,
      list,
      fc.constant(null),
      fc.record({ part: text, 'list.of': list }, { requiredKeys: [] }),
    ),
    'note.beside': text,
    'llm.prompt_template.variables': fc.oneof(text, list),
  },
  { requiredKeys: [] },
);

/** One of them. */
export const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('send' as const), trace: fc.nat(2), span: fc.nat(5), attributes }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), trace: fc.nat(2), span: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('index' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer Taken> ? Taken : never;

/** Does it. */
export async function take(store: Searchable, taken: Step): Promise<void> {
  switch (taken.kind) {
    case 'send':
      return store.send([toSpan(taken)]);
    case 'delete':
      return store.exec(
        `DELETE FROM spans WHERE span_id = '${spanId(taken.span + 1)}'
          AND trace_row_id IN (SELECT id FROM traces WHERE trace_id = '${traceId(taken.trace + 1)}')`,
      );
    case 'rebuild':
      await startSearchRebuild(store.db);
      return;
    case 'index': {
      const plan = await planIndex(store.scope, STEP);
      if (plan !== undefined) await store.writer.change((scope) => storeIndex(scope, plan));
      return;
    }
    case 'fail': {
      // What fails in the middle leaves nothing behind, and what was planned before it is stale or goes on.
      const plan = await planIndex(store.scope, STEP);
      if (plan === undefined) return;
      const failing = store.writer.change(async (scope) => {
        await storeIndex(scope, plan);
        throw new Error('interrupted');
      });
      await expect(failing).rejects.toThrow('interrupted');
    }
  }
}

function toSpan({ trace, span, attributes: sent }: { trace: number; span: number; attributes: object }): TestSpan {
  return {
    traceId: traceId(trace + 1),
    spanId: spanId(span + 1),
    name: `span ${trace} ${span}`,
    attributes: sent as NonNullable<TestSpan['attributes']>,
  };
}
