/**
 * One server writes at a time, whichever it is: row ids ascend in the order in which what they name can be seen, and much is built
 * on that. Whoever has the turn has the row of `write_turn` locked until its transaction ends.
 */
import { type Kysely, sql } from 'kysely';
import type { RunStatement } from '../engine/statements.ts';
import type { Tables } from '../schema/tables.ts';

/** Waits for the turn; says whether nobody else had it since this server had it last. */
export async function takeTurn(run: RunStatement, serverId: string): Promise<boolean> {
  const [row] = await run(TAKE, [serverId]);
  return (row as { readonly previous: string | null } | undefined)?.previous === serverId;
}

/**
 * Within a transaction that changes the schema: waits until nobody writes. Whoever writes after it finds that somebody had the turn.
 */
export async function takeTurnToMigrate(transaction: Kysely<Tables>): Promise<void> {
  await sql`UPDATE write_turn SET previous = server_id, server_id = NULL, turn = turn + 1`.execute(transaction);
}

/** A row that was waited for is the newest one when it is written. */
const TAKE = 'UPDATE write_turn SET previous = server_id, server_id = $1, turn = turn + 1 RETURNING previous';
