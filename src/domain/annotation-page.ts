/** Pages of spans, traces and sessions in the order of their annotations. */
import type { Looked, Position } from './page.ts';

/** An order by annotations of one name: by the mean of their scores, or by the first of their labels. */
export interface AnnotationSort {
  readonly name: string;
  readonly by: 'score' | 'label';
}

/** Where a row stands in such an order that has a value. */
export interface ValuePlace {
  readonly value: number | string;
  readonly rowId: number;
}

/** Where a row stands: among those that have a value, or behind them, where rows stand by arrival and traces by start. */
export type AnnotationPosition =
  | (ValuePlace & { readonly kind: 'value' })
  | { readonly kind: 'rest'; readonly after: Position | null };

/** Which part of the order: so many rows after a position. */
export interface AnnotationPageRequest {
  readonly sort: AnnotationSort;
  readonly order: 'asc' | 'desc';
  /** At least 1. */
  readonly limit: number;
  readonly after: AnnotationPosition | null;
}

/** A page; rows without a value come last either way. */
export interface AnnotationPage<Row> {
  readonly rows: readonly { readonly row: Row; readonly position: AnnotationPosition }[];
  /** The position after which the next page starts; `null` at the end. The next page may be empty. */
  readonly next: AnnotationPosition | null;
  readonly looked: Looked;
}
