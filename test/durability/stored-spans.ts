/** Reads a data file on its own, to hold what a server stored against what its clients know. */
import { decodeBlock } from '#store/blocks/codec';
import { openSqlite } from '#store/sqlite/connection';
import type { ClientList, SpanBytes } from './client-list.ts';
import { findContradictions } from './contradictions.ts';

/** How a data file and the lists of its clients differ. */
export interface Difference {
  /** Spans that were acknowledged and are not there, or not as they were acknowledged last. */
  readonly lost: readonly string[];
  /** Spans that are there more than once. */
  readonly twice: readonly string[];
  /** Spans that nobody sent, ledgers that do not add up, damage, contradictions. */
  readonly wrong: readonly unknown[];
}

/** Compares; a request without an answer may be stored or not, but only as a whole. */
export function compareWithLists(path: string, clients: readonly ClientList[]): Difference {
  return compare(path, readStored(path), clients);
}

/** Compares, and lets the clients learn which of their requests without an answer are stored, for good. */
export function compareAndSettle(path: string, clients: readonly ClientList[]): Difference {
  const stored = readStored(path);
  const difference = compare(path, stored, clients);
  for (const client of clients) client.settle(stored.spans);
  return difference;
}

/** Lets the clients learn which of their requests without an answer are stored, for good. */
export function settleLists(path: string, clients: readonly ClientList[]): void {
  const { spans } = readStored(path);
  for (const client of clients) client.settle(spans);
}

interface Stored {
  readonly spans: SpanBytes;
  readonly twice: readonly string[];
  readonly ledger: ReadonlyMap<string, number>;
}

function compare(path: string, { spans, twice, ledger }: Stored, clients: readonly ClientList[]): Difference {
  const expected = clients.map((client) => client.expect(spans));
  const wanted = new Map(expected.flatMap((of) => [...of.spans]));
  const lost = [...wanted].filter(([identity, bytes]) => !(spans.get(identity)?.equals(bytes) ?? false));
  const strange = [...spans.keys()].filter((identity) => !wanted.has(identity));
  const counted = (['stored', 'replaced', 'duplicate'] as const).map((outcome) => ({
    outcome,
    ledger: ledger.get(outcome) ?? 0,
    clients: expected.reduce((sum, { counts }) => sum + counts[outcome], 0),
  }));
  return {
    lost: lost.map(([identity]) => identity),
    twice,
    wrong: [
      ...strange.map((identity) => ({ what: 'a span that was not sent', identity })),
      ...counted.filter((count) => count.ledger !== count.clients),
      ...findContradictions(path),
    ],
  };
}

function readStored(path: string): Stored {
  const database = openSqlite(path, { readOnly: true });
  try {
    // One transaction, so that both questions see the same state.
    database.exec('BEGIN');
    const rows = database.prepare(ORIGINALS).all([]) as OriginalRow[];
    const ledger = database.prepare(LEDGER).all([]);
    const spans = new Map<string, Buffer>();
    const twice: string[] = [];
    let block: { readonly id: number; readonly messages: readonly Uint8Array[] } | undefined;
    for (const row of rows) {
      if (block?.id !== row.block_id)
        block = { id: row.block_id, messages: decodeBlock(toBlock(row), row.dictionary ?? undefined) };
      const identity = `${row.trace_id} ${row.span_id}`;
      if (spans.has(identity)) twice.push(identity);
      spans.set(identity, Buffer.from(block.messages[row.ordinal] ?? []));
    }
    const counts = (ledger as { outcome: string; n: number }[]).map(({ outcome, n }) => [outcome, n] as const);
    return { spans, twice, ledger: new Map(counts) };
  } finally {
    database.close();
  }
}

interface OriginalRow {
  readonly trace_id: string;
  readonly span_id: string;
  readonly ordinal: number;
  readonly block_id: number;
  readonly data: Uint8Array;
  readonly raw_bytes: number;
  /** Hexadecimal; null for a block in one row. */
  readonly pieces: string | null;
  readonly dictionary: Uint8Array | null;
}

function toBlock({ data, raw_bytes: rawBytes, pieces }: OriginalRow) {
  return { data: pieces === null ? data : Buffer.from(pieces, 'hex'), rawBytes };
}

const ORIGINALS = `
  SELECT trace_id, span_id, ordinal, blocks.id AS block_id, data, raw_bytes,
    (SELECT string_agg(hex(data), '' ORDER BY place) FROM block_pieces AS piece WHERE piece.block_id = blocks.id) AS pieces,
    (SELECT data FROM block_dictionaries AS dictionary WHERE dictionary.id = dictionary_id) AS dictionary
  FROM spans JOIN traces ON traces.id = spans.trace_row_id
    JOIN span_locations ON span_row_id = spans.id JOIN blocks ON blocks.id = block_id
  ORDER BY blocks.id`;

const LEDGER = "SELECT outcome, sum(item_count) AS n FROM ingest_ledger WHERE signal = 'traces' GROUP BY 1";
