/** Projects on a relational engine. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { foldCase } from '#base/text';
import { boundedText } from '#derive/bounded-text';
import type { ProjectStore } from './projects-port.ts';
import type { Tables } from './schema/tables.ts';
import { formatCursor, parseCursor } from './spans/relational/cursor.ts';

/** Reads projects through the handle. Index: the primary key, or unique name. */
export function relationalProjectStore(db: Kysely<Tables>): ProjectStore {
  const select = () => db.selectFrom('projects').select(['id as rowId', 'name', 'description']);
  return {
    async listProjects({ nameContains }, { limit, cursor }) {
      const from = parseCursor('Project', cursor);
      let query = select();
      if (nameContains !== undefined) query = query.where(contains(foldCase(nameContains)));
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
      const query =
        'rowId' in ref ? select().where('id', '=', ref.rowId) : select().where('name', '=', boundedText(ref.name));
      return query.executeTakeFirst();
    },
  };
}

function contains(folded: string) {
  // LIKE folds ASCII alone and knows wildcards; both sides are folded already.
  return sql<SqlBool>`instr(name_folded, ${folded}) > 0`;
}
