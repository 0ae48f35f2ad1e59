import { describe, expect, it } from 'vitest';
import { openSqliteTestEngine } from '../../sqlite/open-test-engine.fixture.ts';
import { type Work, WorkCounter } from '../../sqlite/work-counter.fixture.ts';
import { BASE, openCountingStore, type PlainSpan } from './count-calls.fixture.ts';

async function openCounted() {
  const work = new WorkCounter();
  return { work, store: await openCountingStore(await openSqliteTestEngine(work.watch)) };
}

describe('the work that a span makes', () => {
  it.each(['deep', 'wide'])('does not grow with a %s trace', async (shape) => {
    const small = await workInTrace(shape, 400);
    const large = await workInTrace(shape, 4000);
    expect(large).toEqual(small);
    for (const { statements, rows } of large) {
      expect(statements).toBeLessThan(80);
      expect(rows).toBeLessThan(120);
    }
  });

  it('is one read more than none where a model call arrives in a trace that is stored', async () => {
    const { store, work } = await openCounted();
    await store.send([{ ...BASE, id: 1, parent: 9 }]);
    await store.send([{ ...BASE, id: 2, parent: 9, kind: 'TOOL' }]);
    work.take();
    await store.send([{ ...BASE, id: 3, parent: 9, kind: 'TOOL' }]);
    const { statements } = work.take();
    await store.send([{ ...BASE, id: 4, parent: 9, kind: 'LLM', tokens: 3 }]);
    expect(work.take().statements).toBe(statements + 1);
  });

  it('is no read at all where a response id is new among those of its time', async () => {
    const { store, work } = await openCounted();
    const call = { ...BASE, kind: 'LLM' as const, tokens: 3 };
    await store.send([{ ...call, trace: 1, responseId: 'a' }]);
    work.take();
    await store.send([{ ...call, trace: 2 }]);
    const { statements } = work.take();
    await store.send([{ ...call, trace: 3, responseId: 'b' }]);
    expect(work.take().statements).toBe(statements);
    await store.send([{ ...call, trace: 4, responseId: 'b', scope: 'b' }]);
    expect(work.take().statements).toBeGreaterThan(statements);
  });
});

/** What the awkward spans cost: the call at the end comes, changes, goes; a wrapper and a step in the middle come late. */
async function workInTrace(shape: string, size: number): Promise<readonly Work[]> {
  const { store, work: counter } = await openCounted();
  const chain = Array.from({ length: size }, (_, place) => ({
    ...BASE,
    id: place + 2,
    parent: shape === 'deep' ? place + 1 : 1,
    ...(shape === 'wide' && place > 0 && { kind: 'LLM' as const, tokens: 1, scope: `${place % 2}`, responseId: 'r' }),
  }));
  for (let at = 0; at < chain.length; at += 100) await store.send(chain.slice(at, at + 100));
  const call: PlainSpan = { ...BASE, id: size + 2, parent: size + 1, kind: 'LLM', tokens: 5, responseId: 'r' };
  const work: Work[] = [];
  for (const span of [
    call,
    { ...call, tokens: 6 },
    { ...call, tokens: 0 },
    call,
    { ...BASE, id: size - 5, parent: size - 6, kind: 'LLM' as const, tokens: 7 },
    { ...BASE, id: size - 5, parent: size - 6 },
    { ...BASE, id: 1, kind: 'LLM' as const, tokens: 8 },
    { ...BASE, id: 1 },
  ]) {
    counter.take();
    await store.send([span]);
    work.push(counter.take());
  }
  return work;
}
