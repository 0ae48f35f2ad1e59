/** How far judges agree, over GraphQL, counted by hand. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { TestAnnotations } from '#store/annotations/annotations.fixture';
import { spanId, traceId } from '../harness/otlp-json.ts';
import { type InProcess, openInProcess } from './in-process.ts';

let opened: InProcess;

beforeAll(async () => {
  opened = await openInProcess();
  const { store } = opened;
  await store.send(
    Array.from({ length: 3 }, (_, place) => ({ traceId: traceId(place + 1), spanId: spanId(place + 1) })),
  );
  const rowIds = (await store.readSpans()).map(({ row }) => row.rowId).sort((a, b) => a - b);
  const annotations = new TestAnnotations(store.scope.db, store.projectRowId());
  const said = { target: 'span', name: 'quality' } as const;
  await annotations.add(
    rowIds.flatMap((rowId, place) => [
      { ...said, rowId, identifier: 'ada', label: place === 0 ? 'bad' : 'good', score: place },
      { ...said, rowId, annotator_kind: 'LLM', label: 'good', score: place + 1 },
    ]),
  );
});

afterAll(() => opened.store.close());

it('tells how far two judges, and all annotators, agree', async () => {
  const id = formatGlobalId('Project', opened.store.projectRowId());
  const query = `query($id: ID!) { node(id: $id) { ... on Project {
    annotationAgreement(target: SPAN, first: { name: "quality", identifier: "ada" }, second: { name: "quality", annotatorKind: LLM }) {
      pairCount confusionLabels confusionCounts isPartial first { count meanScore }
      labels { pairCount accuracy } scores { pairCount pearson meanAbsoluteError } }
    annotatorAgreement(target: SPAN, name: "quality") {
      annotators { annotatorKind identifier count username } labelValueCount scoreValueCount labelAlpha } } } }`;
  expect(await opened.query(query, { id })).toEqual({
    node: {
      annotationAgreement: {
        pairCount: 3,
        confusionLabels: ['bad', 'good'],
        confusionCounts: [
          [0, 1],
          [0, 2],
        ],
        isPartial: false,
        first: { count: 3, meanScore: 1 },
        labels: { pairCount: 3, accuracy: expect.closeTo(2 / 3, 12) },
        scores: { pairCount: 3, pearson: expect.closeTo(1, 12), meanAbsoluteError: 1 },
      },
      annotatorAgreement: {
        annotators: [
          { annotatorKind: 'HUMAN', identifier: 'ada', count: 3, username: null },
          { annotatorKind: 'LLM', identifier: '', count: 3, username: null },
        ],
        labelValueCount: 6,
        scoreValueCount: 6,
        // The two orders of one pair differ, and so do 10 of the 30 ordered pairs of all six labels.
        labelAlpha: expect.closeTo(1 - (2 * 5) / 10, 12),
      },
    },
  });
});
