import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** What the user may do in the schema that statements of the handle see first. */
export interface Rights {
  /** Whether what is absent may be made: the schema that is named, or tables in the one that is there. */
  readonly mayCreate: boolean;
  /** A table of ours that may not be both read and changed. */
  readonly closedTable: { readonly schema: string; readonly name: string } | null;
  /** Who owns our tables, where that is somebody else: nobody else may change what they are made of. */
  readonly otherOwner: string | null;
}

/** Asks for them; `schema` is the one that is named. Ours are the tables of whoever owns the journal: others may keep theirs beside them. */
export async function readRights(db: Kysely<Tables>, schema: string | null): Promise<Rights> {
  const { rows } = await sql<{ mayCreate: boolean; schema: string; closed: string | null; otherOwner: string | null }>`
    WITH journal AS (
      SELECT relowner AS owner, relnamespace AS place FROM pg_class
      WHERE oid = to_regclass(quote_ident(current_schema()) || '.schema_migrations'))
    SELECT current_schema() AS schema,
      coalesce(
        (SELECT has_schema_privilege(oid, 'CREATE') AND has_schema_privilege(oid, 'USAGE') FROM pg_namespace
          WHERE nspname = coalesce(${schema}::text, current_schema())),
        ${schema}::text IS NOT NULL AND has_database_privilege(current_database(), 'CREATE')) AS "mayCreate",
      (SELECT min(relname) FROM pg_class, journal WHERE relnamespace = place AND relowner = owner AND relkind = 'r'
        AND NOT (SELECT bool_and(has_table_privilege(pg_class.oid, needed))
          FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed)) AS closed,
      (SELECT pg_get_userbyid(owner) FROM journal WHERE NOT pg_has_role(owner, 'USAGE')) AS "otherOwner"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL reported no permissions');
  const { mayCreate, closed, otherOwner } = row;
  return { mayCreate, otherOwner, closedTable: closed === null ? null : { schema: row.schema, name: closed } };
}
