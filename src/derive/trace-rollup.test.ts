import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CountedSpan, changeTrace, isBefore, type TraceRollup } from './trace-rollup.ts';
import { claimedParents, countedUsage, isClaiming, NO_USAGE, type SpanFacts, addUsage } from './usage.ts';

describe('the roll-up of a trace', () => {
  it('is the same for every order and grouping of arrival, replacements included', () => {
    fc.assert(
      fc.property(fc.array(arrivals(), { minLength: 1, maxLength: 12 }), (groups) => {
        const store = new TraceStore();
        for (const group of groups) store.receive(group);
        expect(store.rollup).toEqual(recompute(store.spans()));
        for (const { facts, counted } of store.spans()) {
          expect(counted).toEqual(countedUsage(facts, claimedParents(store.spans().map((span) => span.facts))));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('counts a model call once when a wrapper around it claims the same', () => {
    const store = new TraceStore();
    store.receive([modelCall('inner', 'outer', 100)]);
    expect(store.rollup?.usage.promptTokens).toBe(100);
    store.receive([modelCall('outer', null, 100)]);
    expect(store.rollup?.usage.promptTokens).toBe(100);
  });

  it('counts both calls of a span that is its own parent and its neighbour', () => {
    const store = new TraceStore();
    store.receive([modelCall('loop', 'loop', 5), modelCall('other', null, 7)]);
    expect(store.rollup?.usage.promptTokens).toBe(12);
    expect(store.rollup?.root?.rowId).toBe(1);
  });

  it('has the orphan as its root until the parent arrives', () => {
    const store = new TraceStore();
    store.receive([{ ...modelCall('child', 'parent', 0), startUs: 50 }]);
    expect(store.rollup?.root?.rowId).toBe(1);
    store.receive([{ ...modelCall('parent', null, 0), startUs: 40 }]);
    expect(store.rollup?.root?.rowId).toBe(2);
  });

  it('has no root while every span has a parent here', () => {
    const store = new TraceStore();
    store.receive([modelCall('a', 'b', 0), modelCall('b', 'a', 0)]);
    expect(store.rollup?.root).toBeNull();
  });

  it('need not be read again from all spans when what decided it is sent again, no later', () => {
    const open = { ...modelCall('root', null, 0), rowId: 1, sessionId: 's', endUs: 5 };
    const before = changeTrace({ before: undefined, arriving: [open], replaced: [], neighbours: [] }).after;
    const resend = (arriving: SpanFacts) =>
      changeTrace({ before, arriving: [arriving], replaced: [{ facts: open, counted: NO_USAGE }], neighbours: [] });
    expect(resend({ ...open, endUs: 9, sessionId: 't' })).toMatchObject({
      after: { endUs: 9, session: { sessionId: 't' } },
      stale: { times: false, root: false, session: false },
    });
    expect(resend({ ...open, startUs: 2 }).stale).toEqual({ times: true, root: true, session: true });
    expect(resend({ ...open, endUs: 4 }).stale).toEqual({ times: true, root: false, session: false });
  });

  it('takes the session of the earliest span, whichever arrives first', () => {
    const store = new TraceStore();
    store.receive([{ ...modelCall('late', null, 0), startUs: 90, sessionId: 'second' }]);
    store.receive([{ ...modelCall('early', null, 0), startUs: 10, sessionId: 'first' }]);
    expect(store.rollup?.session?.sessionId).toBe('first');
  });
});

/** A trace kept as the writer keeps it: neighbours are looked up, and stale parts are read from all spans. */
class TraceStore {
  rollup: TraceRollup | undefined;
  readonly #spans = new Map<string, CountedSpan>();
  #nextRowId = 1;

  spans(): CountedSpan[] {
    return [...this.#spans.values()];
  }

  receive(group: readonly SpanFacts[]): void {
    const arriving = group.map((span) => ({
      ...span,
      rowId: this.#spans.get(span.spanId)?.facts.rowId ?? this.#nextRowId++,
    }));
    const replaced = arriving.flatMap((span) => this.#spans.get(span.spanId) ?? []);
    const change = changeTrace({
      before: this.rollup,
      arriving,
      replaced,
      neighbours: this.#neighbours(arriving, replaced),
    });
    for (const [index, facts] of arriving.entries()) {
      this.#spans.set(facts.spanId, { facts, counted: change.counted[index] ?? NO_USAGE });
    }
    for (const { facts, counted } of change.recounted) this.#spans.set(facts.spanId, { facts, counted });
    const whole = recompute(this.spans());
    const { times, root, session } = change.stale;
    this.rollup = {
      ...change.after,
      ...(times && { startUs: whole.startUs, endUs: whole.endUs }),
      ...(root && { root: whole.root }),
      ...(session && { session: whole.session }),
    };
  }

  #neighbours(arriving: readonly SpanFacts[], replaced: readonly CountedSpan[]): CountedSpan[] {
    const around = new Set<string | null>();
    for (const span of [...arriving, ...replaced.map(({ facts }) => facts)])
      around.add(span.spanId).add(span.parentSpanId);
    const gone = new Set(replaced.map(({ facts }) => facts.spanId));
    const others = this.spans().filter(({ facts }) => !gone.has(facts.spanId));
    const children = others.filter(({ facts }) => isClaiming(facts) && facts.parentSpanId !== facts.spanId);
    const oneOfEach = new Map(children.map((child) => [child.facts.parentSpanId, child]));
    const near = others.filter(({ facts }) => around.has(facts.spanId));
    return [...new Set([...near, ...[...around].flatMap((id) => oneOfEach.get(id) ?? [])])];
  }
}

function recompute(spans: readonly CountedSpan[]): TraceRollup {
  const facts = spans.map((span) => span.facts);
  const ids = new Set(facts.map((span) => span.spanId));
  const parents = claimedParents(facts);
  const inOrder = facts.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  const root = inOrder.find(
    ({ spanId, parentSpanId }) => parentSpanId === null || parentSpanId === spanId || !ids.has(parentSpanId),
  );
  const session = inOrder.find((span) => span.sessionId !== null);
  return {
    startUs: Math.min(...facts.map((span) => span.startUs)),
    endUs: Math.max(...facts.map((span) => span.endUs)),
    spanCount: facts.length,
    errorCount: facts.filter((span) => span.isError).length,
    usage: facts.map((span) => countedUsage(span, parents)).reduce((sum, one) => addUsage(sum, one), NO_USAGE),
    root: root === undefined ? null : { rowId: root.rowId, startUs: root.startUs, parentSpanId: root.parentSpanId },
    session:
      session === undefined
        ? null
        : { rowId: session.rowId, startUs: session.startUs, sessionId: session.sessionId as string },
  };
}

function modelCall(spanId: string, parentSpanId: string | null, promptTokens: number): SpanFacts {
  const claim = { promptTokens, completionTokens: 0, costNanoUsd: 0 };
  return {
    rowId: 0,
    spanId,
    parentSpanId,
    startUs: 1,
    endUs: 2,
    isError: false,
    isModelCall: true,
    sessionId: null,
    claim,
  };
}

/** One request's spans of the trace: few ids, so that parents, cycles, wrappers and replacements are common. */
function arrivals(): fc.Arbitrary<SpanFacts[]> {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const span = fc.record({
    rowId: fc.constant(0),
    spanId: id,
    parentSpanId: fc.option(id),
    startUs: fc.integer({ min: 1, max: 6 }),
    endUs: fc.integer({ min: 6, max: 9 }),
    isError: fc.boolean(),
    isModelCall: fc.boolean(),
    sessionId: fc.option(fc.constantFrom('x', 'y')),
    claim: fc.record({
      promptTokens: fc.integer({ min: 0, max: 3 }),
      completionTokens: fc.integer({ min: 0, max: 3 }),
      costNanoUsd: fc.integer({ min: 0, max: 3 }),
    }),
  });
  return fc.uniqueArray(span, { minLength: 1, maxLength: 4, selector: (facts) => facts.spanId });
}
