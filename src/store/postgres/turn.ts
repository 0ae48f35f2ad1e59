/**
 * One server writes at a time, whichever it is: row ids ascend in the order in which what they name can be seen, and much is built
 * on that. Whoever has the turn has the row of `write_turn` locked until its transaction ends.
 */
import type { RunStatement } from '../engine/statements.ts';

/** Waits for the turn; says whether nobody else had it since this server had it last. */
export async function takeTurn(run: RunStatement, serverId: string): Promise<boolean> {
  const [row] = await run(TAKE, [serverId]);
  return (row as { readonly previous: string | null } | undefined)?.previous === serverId;
}

/** A row that was waited for is the newest one when it is written. */
const TAKE = 'UPDATE write_turn SET previous = server_id, server_id = $1, turn = turn + 1 RETURNING previous';
