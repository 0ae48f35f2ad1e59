import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CountedSpan, changeTrace, isBefore, type TraceRollup } from './trace-rollup.ts';
import { addUsage, NO_USAGE, type SpanFacts } from './usage.ts';

describe('the roll-up of a trace', () => {
  it('is the same for every order and grouping of arrival, replacements included', () => {
    fc.assert(
      fc.property(fc.array(arrivals(), { minLength: 1, maxLength: 12 }), (groups) => {
        const store = new TraceStore();
        for (const group of groups) store.receive(group);
        expect(store.rollup).toEqual(recompute(store.spans()));
      }),
      { numRuns: 500 },
    );
  });

  it('follows what counts otherwise of spans that stay', () => {
    const one = { facts: span('a', null), counted: usage(7) };
    const { after } = arrive(undefined, [one]);
    const recounted = addUsage(NO_USAGE, usage(7), -1);
    const unchanged = { arriving: [], replaced: [], neighbours: new Set<string>() };
    expect(changeTrace({ before: after, recounted, ...unchanged })).toEqual({
      after: { ...after, usage: NO_USAGE },
      stale: { times: false, root: false, session: false },
    });
  });

  it('has a span that is its own parent as a root', () => {
    const store = new TraceStore();
    store.receive([{ facts: span('loop', 'loop'), counted: NO_USAGE }]);
    expect(store.rollup?.root?.rowId).toBe(1);
  });

  it('has the orphan as its root until the parent arrives', () => {
    const store = new TraceStore();
    store.receive([{ facts: { ...span('child', 'parent'), startUs: 50 }, counted: NO_USAGE }]);
    expect(store.rollup?.root?.rowId).toBe(1);
    store.receive([{ facts: { ...span('parent', null), startUs: 40 }, counted: NO_USAGE }]);
    expect(store.rollup?.root?.rowId).toBe(2);
  });

  it('has no root while every span has a parent here', () => {
    const store = new TraceStore();
    store.receive([
      { facts: span('a', 'b'), counted: NO_USAGE },
      { facts: span('b', 'a'), counted: NO_USAGE },
    ]);
    expect(store.rollup?.root).toBeNull();
  });

  it('need not be read again from all spans when what decided it is sent again, no later', () => {
    const open = { ...span('root', null), rowId: 1, sessionId: 's', endUs: 5 };
    const before = arrive(undefined, [{ facts: open, counted: NO_USAGE }]).after;
    const resend = (facts: SpanFacts) =>
      arrive(before, [{ facts, counted: NO_USAGE }], [{ facts: open, counted: NO_USAGE }]);
    expect(resend({ ...open, endUs: 9, sessionId: 't' })).toMatchObject({
      after: { endUs: 9, session: { sessionId: 't' } },
      stale: { times: false, root: false, session: false },
    });
    expect(resend({ ...open, startUs: 2 }).stale).toEqual({ times: true, root: true, session: true });
    expect(resend({ ...open, endUs: 4 }).stale).toEqual({ times: true, root: false, session: false });
  });

  it('takes the session of the earliest span, whichever arrives first', () => {
    const store = new TraceStore();
    store.receive([{ facts: { ...span('late', null), startUs: 90, sessionId: 'second' }, counted: NO_USAGE }]);
    store.receive([{ facts: { ...span('early', null), startUs: 10, sessionId: 'first' }, counted: NO_USAGE }]);
    expect(store.rollup?.session?.sessionId).toBe('first');
  });
});

/** A trace kept as the writer keeps it: parents are looked up, and stale parts are read from all spans. */
class TraceStore {
  rollup: TraceRollup | undefined;
  readonly #spans = new Map<string, CountedSpan>();
  #nextRowId = 1;

  spans(): CountedSpan[] {
    return [...this.#spans.values()];
  }

  receive(group: readonly CountedSpan[]): void {
    const arriving = group.map(({ facts, counted }) => ({
      facts: { ...facts, rowId: this.#spans.get(facts.spanId)?.facts.rowId ?? this.#nextRowId++ },
      counted,
    }));
    const replaced = arriving.flatMap(({ facts }) => this.#spans.get(facts.spanId) ?? []);
    const { after, stale } = arrive(this.rollup, arriving, replaced, new Set(this.#spans.keys()));
    for (const one of arriving) this.#spans.set(one.facts.spanId, one);
    const whole = recompute(this.spans());
    this.rollup = {
      ...after,
      ...(stale.times && { startUs: whole.startUs, endUs: whole.endUs }),
      ...(stale.root && { root: whole.root }),
      ...(stale.session && { session: whole.session }),
    };
  }
}

function arrive(
  before: TraceRollup | undefined,
  arriving: readonly CountedSpan[],
  replaced: readonly CountedSpan[] = [],
  neighbours: ReadonlySet<string> = new Set(),
) {
  return changeTrace({ before, arriving, replaced, recounted: NO_USAGE, neighbours });
}

function recompute(spans: readonly CountedSpan[]): TraceRollup {
  const facts = spans.map((one) => one.facts);
  const ids = new Set(facts.map(({ spanId }) => spanId));
  const inOrder = facts.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  const root = inOrder.find(
    ({ spanId, parentSpanId }) => parentSpanId === null || parentSpanId === spanId || !ids.has(parentSpanId),
  );
  const session = inOrder.find(({ sessionId }) => sessionId !== null);
  return {
    startUs: Math.min(...facts.map(({ startUs }) => startUs)),
    endUs: Math.max(...facts.map(({ endUs }) => endUs)),
    spanCount: facts.length,
    errorCount: facts.filter(({ isError }) => isError).length,
    usage: spans.map(({ counted }) => counted).reduce((sum, one) => addUsage(sum, one), NO_USAGE),
    root: root === undefined ? null : { rowId: root.rowId, startUs: root.startUs, parentSpanId: root.parentSpanId },
    session:
      session === undefined
        ? null
        : { rowId: session.rowId, startUs: session.startUs, sessionId: session.sessionId as string },
  };
}

function span(spanId: string, parentSpanId: string | null): SpanFacts {
  return {
    rowId: 0,
    spanId,
    parentSpanId,
    startUs: 1,
    endUs: 2,
    isError: false,
    kind: 'LLM',
    sessionId: null,
    claim: NO_USAGE,
    responseKey: null,
    instrumentationScopeId: 1,
  };
}

function usage(promptTokens: number) {
  return { ...NO_USAGE, promptTokens };
}

/** One request's spans of the trace: few ids, so that parents, cycles and replacements are common. */
function arrivals(): fc.Arbitrary<CountedSpan[]> {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const anySpan = fc
    .record({
      spanId: id,
      parentSpanId: fc.option(id),
      startUs: fc.integer({ min: 1, max: 6 }),
      endUs: fc.integer({ min: 6, max: 9 }),
      isError: fc.boolean(),
      sessionId: fc.option(fc.constantFrom('x', 'y')),
      tokens: fc.nat({ max: 3 }),
    })
    .map(({ tokens, ...facts }) => ({
      facts: { ...span(facts.spanId, facts.parentSpanId), ...facts },
      counted: usage(tokens),
    }));
  return fc.uniqueArray(anySpan, { minLength: 1, maxLength: 4, selector: ({ facts }) => facts.spanId });
}
