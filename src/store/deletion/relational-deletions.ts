/** What was deleted, on a relational engine. */
import type { Kysely } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { DELETION_COLUMNS, toDeletion } from './deletion.ts';
import type { DeletionBrowser } from './port.ts';

/** Reads through the handle. Index: deletions_of_project, deletions_of_policy. */
export function relationalDeletionBrowser(db: Kysely<Tables>): DeletionBrowser {
  return {
    async listDeletions(of, limit) {
      const query = db.selectFrom('deletions').select(DELETION_COLUMNS).orderBy('id', 'desc').limit(limit);
      const rows = await ('projectRowId' in of
        ? query.where('project_id', '=', of.projectRowId)
        : query.where('policy_id', '=', of.policyRowId)
      ).execute();
      return rows.map(toDeletion);
    },
  };
}
