/** Everything that lies on disk, by what it is for. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TableUse } from '#store/dialect/dialect';

/** What a database takes, the log of its commits and all other files included. */
export interface MeasuredSpace {
  readonly tables: readonly TableUse[];
  readonly logBytes: number;
  /** Pages without contents and other files, less the pages that only the log has yet: may be negative. */
  readonly otherBytes: number;
}

/** The lines of a report, in their order. */
export const SPACE_LINES = [
  'blocks',
  'search index',
  'span rows',
  'indexes of span rows',
  'columns',
  'other tables',
  'other indexes',
  'log',
  'free pages, other files, less what only the log has',
] as const;

/** One of {@link SPACE_LINES}. */
export type SpaceLine = (typeof SPACE_LINES)[number];

/** Bytes by line. */
export function toLines({ tables, logBytes, otherBytes }: MeasuredSpace): ReadonlyMap<SpaceLine, number> {
  const lines = new Map<SpaceLine, number>(SPACE_LINES.map((line) => [line, 0]));
  const add = (line: SpaceLine, bytes: number) => lines.set(line, (lines.get(line) ?? 0) + bytes);
  for (const { name, bytes, indexBytes } of tables) {
    const [line, indexLine] = linesOf(name);
    add(line, bytes);
    add(indexLine, indexBytes);
  }
  add('log', logBytes);
  add('free pages, other files, less what only the log has', otherBytes);
  return lines;
}

function linesOf(table: string): readonly [ofTable: SpaceLine, ofIndexes: SpaceLine] {
  if (table === 'spans') return ['span rows', 'indexes of span rows'];
  if (table.startsWith('block')) return ['blocks', 'other indexes'];
  if (table.startsWith('search_')) return ['search index', 'search index'];
  if (table.startsWith('span_segment')) return ['columns', 'columns'];
  return ['other tables', 'other indexes'];
}

/** Bytes of all files of a folder, by their path in it. */
export function measureFiles(folder: string): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = statSync(join(folder, name), { throwIfNoEntry: false });
    if (file?.isFile() === true) files.set(name, file.size);
  }
  return files;
}
