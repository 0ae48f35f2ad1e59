/** Which attributes the spans of a project have. */
import { parseNarrowAttributes, parseOmitted } from '#derive/narrow-attributes';
import { selectNarrowRows } from './narrow-rows.ts';
import type { BatchReadScope } from './read-batches.ts';
import { readPieces } from './read-pieces.ts';
import { openChunk } from './sealed-chunks.ts';
import { CHUNKS, SEGMENT_FORMAT, unpackPaths } from './segment-chunks.ts';
import { readNextRowId } from './segments.ts';
import { MAX_BATCH_ROWS } from './batch.ts';
import { giveWay } from '../threads/fair-turns.ts';

/** An attribute, and how many spans have it. */
export interface AttributePath {
  /** Dotted. Elements of lists are left out. */
  readonly path: string;
  readonly spanCount: number;
}

/**
 * Attributes of a project's spans, those of most spans first. Counts are near: of segments they are from when those were
 * built, and the rarest attributes of a segment are not counted. Of the spans that are in no segment, only the newest are
 * looked at.
 */
export async function readAttributePaths(
  { db }: Pick<BatchReadScope, 'db'>,
  projectRowId: number,
): Promise<readonly AttributePath[]> {
  const counts = new Map<string, number>();
  const add = (path: string, spanCount: number) => {
    const known = counts.get(path);
    if (known !== undefined || counts.size < MAX_PATHS) counts.set(path, (known ?? 0) + spanCount);
  };
  for await (const rows of readTail(db, projectRowId)) {
    for (const row of rows) {
      for (const path of Object.keys(parseNarrowAttributes(row.attributes ?? '{}'))) add(path, 1);
      for (const entry of parseOmitted(row.omitted_attributes ?? null)) if (!entry.endsWith('.')) add(entry, 1);
    }
    await giveWay();
  }
  for (let before = Number.MAX_SAFE_INTEGER; ; await giveWay()) {
    const chunks = await db
      .selectFrom('span_segments as head')
      .innerJoin('span_segment_columns as chunk', 'chunk.segment', 'head.segment')
      .select(['head.segment', 'chunk.build', 'chunk.name', 'chunk.data'])
      .where('chunk.name', '=', CHUNKS.paths)
      .where('head.segment', '<', before)
      .where('head.format', '=', SEGMENT_FORMAT)
      .orderBy('head.segment', 'desc')
      .limit(CHUNKS_A_STATEMENT)
      .execute();
    for (const chunk of chunks) {
      const data = openChunk(chunk);
      // Counts are near anyway, until the segment is built again.
      if (data === undefined) continue;
      for (const { path, projectRowId: of, rowCount } of unpackPaths(data))
        if (of === projectRowId) add(path, rowCount);
    }
    const last = chunks.at(-1);
    if (last === undefined || chunks.length < CHUNKS_A_STATEMENT) break;
    before = last.segment;
  }
  const paths = [...counts].map(([path, spanCount]) => ({ path, spanCount }));
  return paths.sort((a, b) => b.spanCount - a.spanCount || (a.path < b.path ? -1 : 1));
}

/** The newest spans, which no segment may hold yet. Index: the primary key. */
async function* readTail(db: BatchReadScope['db'], projectRowId: number) {
  const last = await db
    .selectFrom('span_segments')
    .select('segment')
    .where('build', '>', 0)
    .orderBy('segment', 'desc')
    .limit(1)
    .executeTakeFirst();
  const sealed = ((last?.segment ?? -1) + 1) * MAX_BATCH_ROWS;
  const nextRowId = await readNextRowId(db);
  const first = Math.max(sealed, nextRowId - MAX_BATCH_ROWS);
  yield* readPieces(nextRowId - first, (from, below) =>
    selectNarrowRows(db, { columns: ['project_id'], hasAttributes: true })
      .where('spans.id', '>=', first + from)
      .where('spans.id', '<', first + below)
      .where('spans.project_id', '=', projectRowId)
      .execute(),
  );
}

const CHUNKS_A_STATEMENT = 32;
const MAX_PATHS = 10_000;
