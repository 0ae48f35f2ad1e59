/** Rows of a difference with what is equal folded away, but for what stands beside a change. */
import type { DiffRow } from '#ui/lib/diff/text-diff.ts';

/** Rows that are shown, or that many equal ones which are folded. */
export type DiffStretch =
  | { readonly type: 'rows'; readonly start: number; readonly rows: readonly DiffRow[] }
  | { readonly type: 'fold'; readonly start: number; readonly rows: readonly DiffRow[] };

/** Equal lines that stay beside a change. */
const CONTEXT_ROWS = 2;
/** Fewer than this are not worth a fold. */
const LEAST_FOLDED = 3;

/** See the file. */
export function foldEqualRows(rows: readonly DiffRow[]): readonly DiffStretch[] {
  const stretches: DiffStretch[] = [];
  let start = 0;
  while (start < rows.length) {
    const isEqual = rows[start]?.isEqual;
    let end = start;
    while (end < rows.length && rows[end]?.isEqual === isEqual) end++;
    if (isEqual === true) {
      const foldStart = start === 0 ? 0 : start + CONTEXT_ROWS;
      const foldEnd = end === rows.length ? end : end - CONTEXT_ROWS;
      if (foldEnd - foldStart >= LEAST_FOLDED) {
        add(stretches, 'rows', start, rows.slice(start, foldStart));
        add(stretches, 'fold', foldStart, rows.slice(foldStart, foldEnd));
        add(stretches, 'rows', foldEnd, rows.slice(foldEnd, end));
        start = end;
        continue;
      }
    }
    add(stretches, 'rows', start, rows.slice(start, end));
    start = end;
  }
  return stretches;
}

function add(stretches: DiffStretch[], type: DiffStretch['type'], start: number, rows: readonly DiffRow[]): void {
  if (rows.length === 0) return;
  const last = stretches.at(-1);
  if (type === 'rows' && last?.type === 'rows') {
    stretches[stretches.length - 1] = { ...last, rows: [...last.rows, ...rows] };
  } else {
    stretches.push({ type, start, rows });
  }
}
