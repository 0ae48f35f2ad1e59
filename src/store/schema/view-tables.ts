/** The tables of saved views, as Kysely sees them. */
import type { Generated } from 'kysely';
import type { ViewTable } from '#domain/saved-view';

/** Saved views of a project's tables. */
export interface SavedViewsTable {
  id: Generated<number>;
  project_id: number;
  table_name: ViewTable;
  /** Unique among those of an owner; of views of nobody the commands see to it. */
  name: string;
  /** Null where nobody owns it: saved without an account, or the account was deleted. */
  owner_id: number | null;
  /** Who alone sees it, which is its owner; null of a shared view. */
  seen_by_id: number | null;
  /** JSON of `ViewContent`. */
  content: string;
  /** 1 of the shared view that the table opens with. */
  is_default: Generated<number>;
  created_at_us: number;
  updated_at_us: number;
}

/** The views that tables open with for one person. */
export interface OwnDefaultViewsTable {
  user_id: number;
  project_id: number;
  table_name: ViewTable;
  view_id: number;
}
