import { expect, it } from 'vitest';
import { annotationsAsSets } from '#filter/annotation-sets';
import { joinConditions } from '#filter/check/join';
import { mentionsOf } from '#filter/mentions';
import { parseFilter } from '#filter/parse-filter';
import type { Condition } from '#filter/tree';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { QUERIES, StatementRecorder } from '../engine/statement-recorder.fixture.ts';
import { openTestWriter, spansOf } from '../logs/write/open-writer.fixture.ts';
import { browseSpans } from '../spans/read/browse-spans.ts';
import { searchSessions } from '../query/grains/search-sessions.ts';
import { searchTraces } from '../query/grains/search-traces.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import { TraceTrees } from '../spans/rows/trace-trees.ts';
import { PINNED, PINNED_SETS, Pins } from './pins.fixture.ts';
import { SetMembers } from './set-members.ts';

const EVERYTHING = { from: 0, end: Infinity };
const label = 'some';

const ASKED = [
  "annotations['quality'].score < 0.5 and annotations['quality'].label in ['a', 'b']",
  "annotations['quality'].score < 0.5 and 'x' in annotations['quality'].label",
  "all(a.score > 0 for a in trace_annotations if a.name == 'quality' and a.annotator_kind == 'LLM')",
  'any(a.score > 0 for a in document_annotations)',
];

it('the SQL of sets is the committed text, so that a change of a query shows in review', async () => {
  const statements = new StatementRecorder();
  const engine = await statements.open();
  const { db, dialect, writer, close } = await openTestWriter({ engine });
  const pins = await Pins.create(engine);
  const attributes = { 'session.id': 's' };
  await writer.write([spansOf([{ traceId: traceId(1), spanId: spanId(1), name: 'a', attributes }])]);
  for (const subject of ['span', 'trace', 'session'] as const) await pins.add(subject, label, [1]);
  const scope = { db, dialect, envelopes: new EnvelopeCache(), trees: new TraceTrees(), sets: PINNED_SETS };
  const record = statements.record.bind(statements);
  const open = () => new SetMembers(scope, PINNED.span.leaf({ label }).set);

  await record('members of everything, newest first', () => open().list(EVERYTHING, 10));
  await record('members of a range, newest first', () => open().cover({ from: 5, end: 9 }));
  await record('members of a range, oldest first', async () => {
    const members = open();
    await members.cover({ from: 5, end: 9 });
    await members.cover({ from: 9, end: 12 });
  });
  await record('members of row ids far apart', () => open().look([1, 100_000]));

  await record('annotated spans, as far as SQL tells', async () => {
    for (const text of ASKED) {
      const { condition } = parseFilter('span', text);
      if (condition === null) throw new Error(text);
      for (const set of mentionsOf(annotationsAsSets(condition)).sets)
        await new SetMembers(scope, set).list(EVERYTHING, 10);
    }
  });

  const page = { order: 'desc', limit: 10, after: null } as const;
  const which = { projectRowId: 1, startTimeUs: 1, endTimeUs: 1e16 };
  const not = (condition: Condition & { kind: 'inSet' }): Condition => ({ ...condition, isNegated: true });
  const ofSpan = [PINNED.span.leaf({ label }), PINNED.trace.leaf({ label }), PINNED.session.leaf({ label })];
  const any: Condition = {
    kind: 'quantifier',
    quantifier: 'any',
    isNegated: false,
    over: { collection: 'spans', of: null, variable: 's', where: null },
    test: PINNED.span.leaf({ label }, 's'),
  };
  await record('spans that are in sets', async () => {
    const spans = { ...which, rootsOnly: false, condition: joinConditions('and', ofSpan) };
    expect((await browseSpans(scope, spans, { sort: 'start_time', ...page })).rows).toHaveLength(1);
  });
  await record('spans that are not', async () => {
    const spans = { ...which, rootsOnly: false, condition: joinConditions('or', ofSpan.map(not)) };
    expect((await browseSpans(scope, spans, { sort: 'start_time', ...page })).rows).toHaveLength(0);
  });
  await record('traces that are in sets, as are their spans', async () => {
    const condition = joinConditions('and', [any, PINNED.session.leaf({ label })]);
    expect((await searchTraces(scope, { ...which, condition }, { sort: 'start_time', ...page })).rows).toHaveLength(1);
  });
  await record('sessions that are in a set', async () => {
    const condition = PINNED.session.leaf({ label });
    expect((await searchSessions(scope, { ...which, condition }, { sort: 'cost', ...page })).rows).toHaveLength(1);
  });
  await close();
  await expect(statements.text).toMatchFileSnapshot(QUERIES);
});
