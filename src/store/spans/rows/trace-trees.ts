/** Trees of traces, kept as long as nothing arrives for them. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import { toStatusColumn } from './columns.ts';
import { COUNTED_COLUMNS } from './cost-columns.ts';
import { TraceTree } from './trace-tree.ts';

/** Spans of a trace that its tree is made of; of a larger one the earliest. */
const MAX_TREE_SPANS = 100_000;

/** Spans of all trees that are kept, beside the last one. */
const MAX_KEPT_SPANS = 200_000;

interface Kept {
  readonly tree: TraceTree;
  readonly revision: number;
}

/** Reads trees, and keeps some: every page of a trace asks for the same one. */
export class TraceTrees {
  readonly #kept = new Map<number, Kept>();
  #keptSpans = 0;

  /** The tree of a trace, made anew when anything of the trace has changed. Index: primary key, spans_of_trace. */
  async treeOf(db: Kysely<Tables>, traceRowId: number): Promise<TraceTree> {
    const trace = await db.selectFrom('traces').select('revision').where('id', '=', traceRowId).executeTakeFirst();
    const revision = trace?.revision ?? 0;
    const known = this.#forget(traceRowId);
    if (known?.revision === revision) {
      this.#keep(traceRowId, known);
      return known.tree;
    }
    const spans = await db
      .selectFrom('spans')
      .select(['id', 'span_id', 'parent_span_id', 'call_distance', ...COUNTED_COLUMNS])
      .select(sql<number>`CASE WHEN status = ${sql.lit(toStatusColumn('ERROR'))} THEN 1 ELSE 0 END`.as('has_error'))
      .where('trace_row_id', '=', traceRowId)
      .orderBy('start_us')
      .orderBy('id')
      .limit(MAX_TREE_SPANS)
      .execute();
    const tree = new TraceTree(spans);
    this.#keep(traceRowId, { tree, revision });
    return tree;
  }

  #keep(traceRowId: number, kept: Kept): void {
    this.#kept.set(traceRowId, kept);
    this.#keptSpans += kept.tree.size;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptSpans <= MAX_KEPT_SPANS || oldest === traceRowId) break;
      this.#forget(oldest);
    }
  }

  #forget(traceRowId: number): Kept | undefined {
    const kept = this.#kept.get(traceRowId);
    if (kept === undefined) return undefined;
    this.#kept.delete(traceRowId);
    this.#keptSpans -= kept.tree.size;
    return kept;
  }
}
