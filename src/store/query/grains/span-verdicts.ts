/** What columns of spans say of the traces that own them. */
import { NumberSet } from '#base/number-set';
import { readBatches } from '../../columns/read-batches.ts';
import { giveWay } from '../../threads/fair-turns.ts';
import { readUnlistedTraces } from '../../spans/rows/visible.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { SetReader } from '../../sets/set-reader.ts';
import { decideBatch } from '../prepare-filter.ts';
import { UNCERTAIN, YES } from '../verdicts.ts';
import type { Verdict } from '../partial-condition.ts';
import type { SpanPart } from './span-part.ts';
import type { TraceStepRow } from './trace-steps.ts';

/** A stretch of time, start inclusive, end exclusive. */
export interface Window {
  readonly startUs: number;
  readonly endUs: number;
}

interface Found {
  /** Traces that own a span which decides the part, and those that may; of a part that asks roots the spans themselves. */
  readonly decided: NumberSet;
  readonly uncertain: NumberSet;
}

/** The row of a trace, as far as verdicts need it. */
type OwnerOfSpans = Pick<TraceStepRow, 'id' | 'root_span_row_id'>;

/** Looks at the spans of a project that start in a window, once. */
export class SpanVerdicts {
  readonly #scope: ReadScope;
  readonly #projectRowId: number;
  readonly #parts: readonly SpanPart[];
  readonly #members: SetReader;
  #window: Window = { startUs: 0, endUs: 0 };
  #found = new Map<SpanPart, Found>();
  #unlisted: ReadonlySet<number> = new Set();

  constructor(scope: ReadScope, projectRowId: number, parts: readonly SpanPart[], members = new SetReader(scope)) {
    this.#members = members;
    this.#scope = scope;
    this.#projectRowId = projectRowId;
    this.#parts = parts;
  }

  /** Looks at the window, unless it did before; afterwards the traces are told of all whose spans start in it. */
  async cover(window: Window, assertNotLost: () => void): Promise<boolean> {
    if (window.startUs >= this.#window.startUs && window.endUs <= this.#window.endUs) return false;
    this.#found = new Map(this.#parts.map((part) => [part, { decided: new NumberSet(), uncertain: new NumberSet() }]));
    this.#unlisted = await readUnlistedTraces(this.#scope.db);
    const columns = new Set(this.#parts.flatMap((part) => part.columns));
    const attributes = [...new Set(this.#parts.flatMap((part) => part.attributes))];
    const options = { columns: [...columns, 'trace_row_id'], attributes, order: 'start desc', isInner: true } as const;
    const spans = {
      projectRowId: this.#projectRowId,
      startTimeUs: Number.isFinite(window.startUs) ? window.startUs : undefined,
      endTimeUs: Number.isFinite(window.endUs) ? window.endUs : undefined,
    };
    for await (const { batch } of readBatches(this.#scope, spans, options)) {
      const traces = batch.numbers('trace_row_id');
      for (const [part, { decided, uncertain }] of this.#found) {
        const verdicts = await decideBatch(this.#scope, { ...part, members: this.#members }, batch);
        const rows = part.of === 'any' ? traces : batch.rowIds;
        for (let row = 0; row < verdicts.length; row++) {
          const verdict = verdicts[row];
          if (verdict === YES) decided.add(rows[row] ?? 0);
          else if (verdict === UNCERTAIN) uncertain.add(rows[row] ?? 0);
        }
      }
      assertNotLost();
      await giveWay();
    }
    this.#window = window;
    return true;
  }

  /** Of a trace whose spans start in the window. */
  verdictOf(part: SpanPart, { id: traceRowId, root_span_row_id: rootRowId }: OwnerOfSpans): Verdict {
    const found = this.#found.get(part);
    const rowId = part.of === 'any' ? traceRowId : rootRowId;
    // While a trace moves to another project its spans are of either.
    if (found === undefined || rowId === null || this.#unlisted.has(traceRowId)) return UNCERTAIN;
    if (found.decided.has(rowId)) return part.ofDecided;
    return found.uncertain.has(rowId) ? UNCERTAIN : part.ofOthers;
  }
}
