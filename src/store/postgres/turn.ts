/**
 * One server writes at a time, whichever it is: row ids ascend in the order in which what they name can be seen, and much is built
 * on that. Whoever has the turn has the row of `write_turn` locked until its transaction ends.
 */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { followClock } from '#base/moment';
import { StorageError } from '../engine/storage-error.ts';
import type { RunStatement } from '../schema/statements.ts';
import { findUnknownMigrations } from '../migrations/list.ts';
import type { Tables } from '../schema/tables.ts';
import { encodeNotice, NOTIFY } from './coordination-messages.ts';

/**
 * Turns of one server: each call waits for the turn, and says whether this server had the one before and all that it wrote is there.
 * What a primary acknowledged may be gone on the replica that took its place, or where a backup was put back.
 * @throws StorageError `outdated` where a newer version had the turn, which has changed the schema
 */
export function turnsOf(run: RunStatement, serverId: string): () => Promise<boolean> {
  let last: number | undefined;
  return async () => {
    const [row] = await run(TAKE, [serverId]);
    const { previous, turn, nowUs } = row as Taken;
    followClock(nowUs);
    const isSame = previous === serverId && turn - 1 === last;
    last = turn;
    if (isSame) return true;
    const newer = findNewerChange(await run(READ_SCHEMA, []));
    if (newer !== undefined) throw new StorageError('outdated', `the data have the schema change ${newer}`, undefined);
    return false;
  };
}

interface Taken {
  readonly previous: string | null;
  readonly turn: number;
  readonly nowUs: number;
}

/** After the turn was waited for, a statement of its own sees what was changed meanwhile. */
export const READ_SCHEMA = 'SELECT name FROM schema_migrations';

/** The last change of the schema that this version does not know, of the rows that {@link READ_SCHEMA} gives. */
export function findNewerChange(rows: readonly unknown[]): string | undefined {
  return findUnknownMigrations((rows as readonly { readonly name: string }[]).map(({ name }) => name)).at(-1);
}

/**
 * Within a transaction that changes the schema: waits until nobody writes. Whoever would write after it finds that somebody had the
 * turn, and servers hear of it.
 */
export async function takeTurnToMigrate(transaction: Kysely<Tables>): Promise<void> {
  await sql`UPDATE write_turn SET previous = server_id, server_id = NULL, turn = turn + 1`.execute(transaction);
  await transaction.executeQuery(CompiledQuery.raw(NOTIFY, [encodeNotice('', { kind: 'migrated' })]));
}

/** Within a transaction that changes the schema: waits until no command over records is under way, and lets none begin. */
export async function keepRecordsOut(transaction: Kysely<Tables>): Promise<void> {
  await sql`SELECT 1 FROM record_turn FOR UPDATE`.execute(transaction);
}

/** The clock that all servers go by, so that what one changes after another has a later moment. */
export const CLOCK = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS "nowUs"';

/** A row that was waited for is the newest one when it is written. */
const TAKE = `UPDATE write_turn SET previous = server_id, server_id = $1, turn = turn + 1 RETURNING previous, turn, ${CLOCK}`;
