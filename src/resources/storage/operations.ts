/** What takes space, in the words of people who keep a server rather than in tables. */
import type { TableUse } from '#store/dialect/dialect';

/** Kinds of data. */
export const SPACE_PARTS = ['SPANS', 'ORIGINALS', 'COLUMNS', 'SEARCH', 'INDEXES', 'RECORDS'] as const;

/** One of {@link SPACE_PARTS}. */
export type SpacePart = (typeof SPACE_PARTS)[number];

/** Bytes of a kind of data. */
export interface SpaceShare {
  readonly part: SpacePart;
  readonly bytes: number;
}

const SPANS = new Set([
  'spans',
  'span_links',
  'span_locations',
  'traces',
  'unlisted_traces',
  'sessions',
  'log_records',
  'otel_resources',
  'instrumentation_scopes',
]);
const ORIGINALS = new Set(['blocks', 'block_dictionaries', 'block_pieces', 'log_record_blocks']);

/** The kind of data that a table holds. */
function partOf(table: string): SpacePart {
  if (SPANS.has(table)) return 'SPANS';
  if (ORIGINALS.has(table)) return 'ORIGINALS';
  if (table.startsWith('span_segment')) return 'COLUMNS';
  return table.startsWith('search_') ? 'SEARCH' : 'RECORDS';
}

/** All kinds, in their order; what finds texts counts as search, not as indexes. */
export function sumSpace(tables: readonly TableUse[]): readonly SpaceShare[] {
  const sums = new Map<SpacePart, number>();
  const add = (part: SpacePart, bytes: number) => sums.set(part, (sums.get(part) ?? 0) + bytes);
  for (const { name, bytes, indexBytes } of tables) {
    const part = partOf(name);
    add(part, bytes);
    add(part === 'SEARCH' ? part : 'INDEXES', indexBytes);
  }
  return SPACE_PARTS.map((part) => ({ part, bytes: sums.get(part) ?? 0 }));
}
