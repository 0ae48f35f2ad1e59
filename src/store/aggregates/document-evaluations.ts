/** How models judged the documents that the spans of a question retrieved. */
import { scoresByPosition } from '#domain/retrieval-metrics';
import { readAnnotationTable } from '../annotations/annotation-table.ts';
import { Budget } from '../query/budget.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { SpanParts } from '../spans/browse-port.ts';
import { readSpanParts } from '../spans/read/span-parts.ts';
import { walkTargets } from './annotated-targets.ts';
import type { DocumentAnswer, DocumentQuestion } from './port.ts';
import { assertForward, closeRange } from './range.ts';

/** Reads the scores of the documents of each span that matches and has any. */
export async function evaluateDocuments(
  scope: ReadScope,
  question: DocumentQuestion,
  budgetMs: number,
): Promise<DocumentAnswer> {
  assertForward(question);
  const { projectRowId, name } = question;
  const budget = new Budget(budgetMs);
  const range = await closeRange(scope, 'spans', question);
  const table = await readAnnotationTable(scope, { target: 'document', projectRowId, name }, (count) => {
    if (count > MAX_ANNOTATIONS) budget.exceed();
    return budget.isOver;
  });
  const rowIds: number[] = [];
  const coverage = await walkTargets(scope, { ...question, target: 'span', bucket: null }, range, {
    table,
    budget,
    onTarget: (rowId) => rowIds.push(rowId),
  });
  const scores: (readonly number[])[] = [];
  for (let start = 0; start < rowIds.length && !budget.isOver; start += SPANS_AT_ONCE) {
    for (const ofSpan of await readScores(scope, name, rowIds.slice(start, start + SPANS_AT_ONCE))) scores.push(ofSpan);
  }
  return { scores, isPartial: coverage.isPartial || budget.isExceeded };
}

/** Whose originals are read together: these say how many documents a span has. */
const SPANS_AT_ONCE = 200;

/** More than can be evaluated within the time. */
const MAX_ANNOTATIONS = 500_000;

/** Of several annotations of one document, the latest counts. Index: annotations_of_target. */
async function readScores(
  scope: ReadScope,
  name: string,
  rowIds: readonly number[],
): Promise<readonly (readonly number[])[]> {
  const { db, dialect } = scope;
  const annotations = await db
    .selectFrom('annotations')
    .select(['target_row_id', 'document_position', 'score'])
    .where('target', '=', 'document')
    .where('target_row_id', 'in', dialect.numbersOf(rowIds))
    .where('name', '=', name)
    .where('annotator_kind', '=', 'LLM')
    .where('score', 'is not', null)
    .orderBy('updated_at_us')
    .orderBy('id')
    .execute();
  const bySpan = Map.groupBy(annotations, ({ target_row_id: rowId }) => rowId);
  const wanted = [...bySpan.keys()].map((rowId) => ({ rowId, parts: ['report'] as const }));
  const reports: ReadonlyMap<number, SpanParts> = await readSpanParts(scope, wanted);
  return [...bySpan].map(([rowId, ofSpan]) =>
    scoresByPosition(
      ofSpan.map(({ document_position: position, score }) => ({ position, score })),
      reports.get(rowId)?.report?.documentCount ?? 0,
    ),
  );
}
