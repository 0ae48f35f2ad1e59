/** Which attributes the spans of a project have. */
import { parseNarrowAttributes, parseOmitted } from '#derive/narrow-attributes';
import { foldCase } from '#filter/compare';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { AttributePathQuestion } from './port.ts';
import { assertForward } from './range.ts';

/** Paths of the newest spans of the range, those of most spans first. Index: spans_by_start. */
export async function listAttributePaths(
  { db }: ReadScope,
  question: AttributePathQuestion,
): Promise<readonly string[]> {
  assertForward(question);
  const { projectRowId, startTimeUs, endTimeUs, prefix, limit } = question;
  let query = db
    .selectFrom('spans')
    .select(['attributes', 'omitted_attributes'])
    .where('project_id', '=', projectRowId);
  if (startTimeUs !== undefined) query = query.where('start_us', '>=', startTimeUs);
  if (endTimeUs !== undefined) query = query.where('start_us', '<', endTimeUs);
  const folded = foldCase(prefix);
  const counts = new Map<string, number>();
  for (const row of await query.orderBy('start_us', 'desc').limit(NEWEST_SPANS).execute()) {
    const omitted = parseOmitted(row.omitted_attributes).filter((path) => !path.endsWith('.'));
    for (const path of [...Object.keys(parseNarrowAttributes(row.attributes)), ...omitted]) {
      if (foldCase(path).startsWith(folded)) counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  }
  const paths = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return paths.slice(0, limit).map(([path]) => path);
}

/** Spans that are asked: what applications do changes little from one to the next. */
const NEWEST_SPANS = 1000;
