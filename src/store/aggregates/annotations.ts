/** What annotations of spans, traces and sessions come to, by the start of those. */
import { AnnotationCursor, type AnnotationTable, readAnnotationTable } from '../annotations/annotation-table.ts';
import { AnnotationTally, type Said } from '../annotations/summaries.ts';
import { Budget } from '../query/budget.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { layOut } from './aggregate.ts';
import { walkTargets } from './annotated-targets.ts';
import { findBucket } from './buckets.ts';
import type { AnnotationAnswer, AnnotationQuestion } from './port.ts';
import { assertForward, closeRange } from './range.ts';

/** Sums up the annotations of the targets that match. */
export async function summarizeAnnotations(
  scope: ReadScope,
  question: AnnotationQuestion,
  budgetMs: number,
): Promise<AnnotationAnswer> {
  assertForward(question);
  const budget = new Budget(budgetMs);
  const range = await closeRange(scope, TABLES[question.target], question);
  const buckets = layOut(question.bucket, range);
  const table = await readAnnotations(scope, question, budget);
  const tallies = Array.from(buckets.startsUs, () => new AnnotationTally());
  const cursor = new AnnotationCursor(table);
  const coverage = await walkTargets(scope, question, range, {
    table,
    budget,
    onTarget(rowId, startUs) {
      const place = cursor.find(rowId);
      if (place >= 0) tallies[findBucket(buckets.startsUs, startUs)]?.add(saidAt(table, place));
    },
  });
  return { buckets, summaries: tallies.map((tally) => tally.read()), ...coverage };
}

const TABLES = { span: 'spans', trace: 'traces', session: 'sessions' } as const;

/** Those that an answer may hold; beyond that, it is of the first ones. */
function readAnnotations(
  scope: ReadScope,
  { target, projectRowId, name }: Pick<AnnotationQuestion, 'target' | 'projectRowId' | 'name'>,
  budget: Budget,
): Promise<AnnotationTable> {
  return readAnnotationTable(scope, { target, projectRowId, name }, (count) => {
    if (count > MAX_ANNOTATIONS) budget.exceed();
    return budget.isOver;
  });
}

/** Some two hundred megabytes. */
const MAX_ANNOTATIONS = 2_000_000;

/** What the annotations say that begin at a place of the table. */
function saidAt(table: AnnotationTable, first: number): readonly Said[] {
  const { rowIds, scores, labels } = table;
  const said: Said[] = [];
  for (let place = first; rowIds[place] === rowIds[first]; place++)
    said.push({ name: table.nameAt(place), score: scores[place] ?? null, label: labels[place] ?? null });
  return said;
}
