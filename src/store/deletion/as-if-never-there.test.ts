import { expect, it } from 'vitest';
import type { SpanKind } from '#domain/span';
import { beginBulkAction } from '../bulk/begin.ts';
import { spanId, TEST_START_US, traceId } from '../../../test/harness/otlp-json.ts';
import { randomNumbers } from '../../../test/traffic/random.ts';
import {
  type DeletionStore,
  findLeftovers,
  openDeletionStore,
  readEverything,
  type ScopedSpan,
} from './deletion.fixture.ts';
import { seedsOf } from '../../../test/harness/test-engine.ts';

/** A span that is, or was, stored: in which project it belongs, and whether it is still there. */
interface Known {
  readonly span: ScopedSpan & { readonly traceId: string };
  project: string;
  isThere: boolean;
}

it.each(seedsOf([1, 3, 4, 6]))(
  'is as if what was deleted had never come, and moved traces had come there (%i)',
  async (seed) => {
    const random = randomNumbers(seed);
    // Spans follow one by one, or those of several traces together.
    const store = await openDeletionStore(seed % 2 === 0 ? 3 : 40);
    const known = await sendRandomSpans(store, random);
    for (let step = 0; step < 12; step++) await takeAwaySomething(store, known, random);
    await store.remover.finished();
    expect(await findLeftovers(store)).toEqual([]);

    const fresh = await openDeletionStore();
    await openProjects(fresh);
    for (const { span, project, isThere } of known) if (isThere) await fresh.send([span], project);
    const everything = await readEverything(fresh);
    expect(await readEverything(store)).toEqual(everything);
  },
);

const PROJECTS = ['default', 'other', 'third'] as const;
const KINDS: readonly SpanKind[] = ['LLM', 'LLM', 'LLM', 'CHAIN', 'AGENT', 'TOOL'];

/** A span in each. */
async function openProjects(store: DeletionStore): Promise<void> {
  for (const [place, project] of PROJECTS.entries()) {
    await store.send([{ spanId: spanId(900 + place), traceId: traceId(900 + place), startUs: 1_000_000 }], project);
  }
}

async function sendRandomSpans(store: DeletionStore, random: (below: number) => number): Promise<Known[]> {
  await openProjects(store);
  const known: Known[] = [];
  const projectOf = new Map<number, string>();
  for (let number = 1; number <= 60; number++) {
    const trace = 1 + random(12);
    const project = projectOf.get(trace) ?? PROJECTS[random(PROJECTS.length)] ?? 'default';
    projectOf.set(trace, project);
    const siblings = known.filter(({ span }) => span.traceId === traceId(trace));
    const parent = siblings[random(siblings.length + 1)]?.span.spanId;
    const startUs = TEST_START_US + random(40) * 100_000 + number;
    const tokens = random(3) * 10;
    const session = random(2) === 0 ? null : `session ${random(3)}`;
    const span = {
      traceId: traceId(trace),
      spanId: spanId(number),
      scope: `scope ${random(2)}`,
      ...(parent !== undefined && { parentSpanId: parent }),
      startUs,
      endUs: startUs + 1 + random(3_000_000),
      status: random(4) === 0 ? ('ERROR' as const) : ('OK' as const),
      links: random(4) === 0 ? [{ traceId: traceId(1 + random(12)), spanId: spanId(1 + random(60)) }] : [],
      attributes: {
        'openinference.span.kind': KINDS[random(KINDS.length)] as string,
        ...(tokens > 0 && { 'llm.token_count.prompt': tokens, 'llm.token_count.completion': 1 }),
        ...(random(3) > 0 && { 'gen_ai.response.id': `answer ${random(3)}` }),
        ...(session !== null && { 'session.id': session }),
      },
    };
    known.push({ span, project, isThere: true });
  }
  // Some in commits of their own, some together.
  for (let at = 0; at < known.length; ) {
    const count = 1 + random(4);
    for (const [project, spans] of Map.groupBy(known.slice(at, at + count), (one) => one.project)) {
      await store.send(
        spans.map(({ span }) => span),
        project,
      );
    }
    at += count;
  }
  return known;
}

async function takeAwaySomething(store: DeletionStore, known: Known[], random: (below: number) => number) {
  const there = known.filter(({ isThere }) => isThere);
  const one = there[random(there.length)];
  if (one === undefined) return;
  const gone = (which: (other: Known) => boolean) => {
    for (const other of there) if (which(other)) other.isThere = false;
  };
  const projectRowId = await store.projectRowId(one.project);
  const trace = one.span.traceId;
  switch (random(8)) {
    case 0:
    case 1:
      await store.remover.deleteSpan(await store.spanRowId(one.span.spanId));
      return gone((other) => other === one);
    case 2:
      await store.remover.deleteTraces(projectRowId, { traceRowIds: [await store.traceRowId(trace)] });
      return gone(({ span }) => span.traceId === trace);
    case 3: {
      const from = TEST_START_US + random(40) * 100_000;
      const before = { startTimeUs: from + 300_000, rowId: 0 };
      await store.remover.deleteTraces(projectRowId, { startTimeUs: from, before });
      const starts = startsOf(there, one.project);
      return gone(({ span }) => {
        const startUs = starts.get(span.traceId) ?? 0;
        return startUs >= from && startUs < before.startTimeUs;
      });
    }
    case 4: {
      const [session] = await store.rows(`SELECT session_row_id AS id FROM traces WHERE trace_id = '${trace}'`);
      const sessionRowId = session?.['id'];
      if (typeof sessionRowId !== 'number') return;
      const traces = await store.rows(`SELECT trace_id FROM traces WHERE session_row_id = ${sessionRowId}`);
      await store.remover.deleteTraces(projectRowId, { sessionRowIds: [sessionRowId] });
      return gone(({ span }) => traces.some((row) => row['trace_id'] === span.traceId));
    }
    case 5: {
      const some = there.filter((other) => other.project === one.project && random(4) === 0);
      const rowIds = await Promise.all(some.map(({ span }) => store.spanRowId(span.spanId)));
      await store.remover.finished();
      const request = { projectRowId, rows: 'span', chosen: { rowIds } } as const;
      await store.writer.change((scope) => beginBulkAction(scope, request, { kind: 'delete' }, 1));
      store.remover.resume();
      return gone((other) => some.includes(other));
    }
    default: {
      const to = PROJECTS[random(PROJECTS.length)] ?? 'default';
      const others = there.filter(() => random(10) === 0).map(({ span }) => span.traceId);
      const traces = new Set([trace, ...others]);
      const rowIds = await Promise.all([...traces].map((traceOf) => store.traceRowId(traceOf)));
      await store.remover.moveTraces(rowIds, await store.projectRowId(to));
      for (const other of known) if (traces.has(other.span.traceId)) other.project = to;
    }
  }
}

function startsOf(there: readonly Known[], project: string): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  for (const { span, project: of } of there) {
    if (of !== project) continue;
    starts.set(span.traceId, Math.min(span.startUs ?? 0, starts.get(span.traceId) ?? Number.MAX_SAFE_INTEGER));
  }
  return starts;
}
