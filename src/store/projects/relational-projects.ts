/** Projects on a relational engine. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { foldCase } from '#base/text';
import { boundedText } from '#derive/bounded-text';
import type { ProjectBrowser, ProjectFilter, ProjectStore } from './port.ts';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import { formatCursor, parseCursor } from '../queries/cursor.ts';

/** What a project is read from. */
export const PROJECT_COLUMNS = [
  'id as rowId',
  'name',
  'description',
  'gradient_start_color as gradientStartColor',
  'gradient_end_color as gradientEndColor',
  'default_tab as defaultTab',
  'created_at_us as createdAtUs',
  'updated_at_us as updatedAtUs',
] as const;

/** Reads projects through the handle. Index: the primary key, or unique name. */
export function relationalProjectStore(db: Kysely<Tables>, dialect: SqlDialect): ProjectStore {
  return {
    async listProjects(filter, { limit, cursor }) {
      const from = parseCursor('Project', cursor);
      let query = selectProjects(db, dialect, filter);
      if (from !== null) query = query.where('id', '<=', from.rowId);
      const rows = await query
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      const next = rows[limit];
      return {
        data: rows.slice(0, limit),
        nextCursor: next === undefined ? null : formatCursor('Project', { value: null, rowId: next.rowId }),
      };
    },
    findProject(ref) {
      const query = db.selectFrom('projects').select(PROJECT_COLUMNS);
      return 'rowId' in ref
        ? query.where('id', '=', ref.rowId).executeTakeFirst()
        : query.where('name', '=', boundedText(ref.name)).executeTakeFirst();
    },
  };
}

/** Reads projects through the handle. The table is small: a list sorts all that the filter leaves. */
export function relationalProjectBrowser(db: Kysely<Tables>, dialect: SqlDialect): ProjectBrowser {
  return {
    async countProjects(filter) {
      const query = db.selectFrom('projects').select(({ fn }) => fn.countAll<number>().as('count'));
      return (await query.where(matches(dialect, filter)).executeTakeFirstOrThrow()).count;
    },
    browseProjects(filter, { sort, order, offset, limit }) {
      let query = selectProjects(db, dialect, filter);
      if (sort === 'name') query = query.orderBy('name_folded', order);
      // Index of the subquery: traces_by_start.
      if (sort === 'latest_trace') query = query.orderBy(latestTrace(), (by) => by[order]().nullsLast());
      return query.orderBy('id', order).limit(limit).offset(offset).execute();
    },
    async findProjects(rowIds) {
      const rows = await db
        .selectFrom('projects')
        .select(PROJECT_COLUMNS)
        .where('id', 'in', dialect.numbersOf(rowIds))
        .execute();
      const byId = new Map(rows.map((row) => [row.rowId, row]));
      return rowIds.map((rowId) => byId.get(rowId));
    },
  };
}

function selectProjects(db: Kysely<Tables>, dialect: SqlDialect, filter: ProjectFilter) {
  return db.selectFrom('projects').select(PROJECT_COLUMNS).where(matches(dialect, filter));
}

function matches(dialect: SqlDialect, { nameContains, rowIds }: ProjectFilter) {
  const conditions: RawBuilder<SqlBool>[] = [];
  if (nameContains !== undefined) conditions.push(contains(dialect, foldCase(nameContains)));
  if (rowIds != null) conditions.push(sql`id IN ${dialect.numbersOf(rowIds)}`);
  return conditions.length === 0 ? sql<SqlBool>`TRUE` : sql.join<SqlBool>(conditions, sql` AND `);
}

function contains(dialect: SqlDialect, folded: string) {
  // LIKE folds ASCII alone and knows wildcards; both sides are folded already.
  return sql<SqlBool>`${dialect.positionOf(folded, sql.ref<string>('name_folded'))} > 0`;
}

function latestTrace() {
  return sql<number | null>`(SELECT max(start_us) FROM traces WHERE project_id = projects.id)`;
}
