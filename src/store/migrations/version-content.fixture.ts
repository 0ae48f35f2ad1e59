/** How the rows of earlier versions are written down. */
import type { ColumnValue } from '../schema/column-value.ts';

/** A row by its columns. */
export type Row = Readonly<Record<string, ColumnValue>>;

/** What servers of a version wrote beside what those before it did. */
export interface VersionContent {
  readonly rows?: Readonly<Record<string, readonly Row[]>>;
  readonly statements?: readonly string[];
  readonly ofEngine?: Readonly<Record<'sqlite' | 'postgres', readonly string[]>>;
}

/** When everything of earlier versions happened. */
export const NOON_US = 1_764_590_400_000_000;
