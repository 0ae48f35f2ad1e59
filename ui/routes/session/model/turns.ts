/** The turns of a session in the order of time, with the pauses between them. */

/** What a list of turns is told by. */
export interface TurnTimes {
  readonly startTime: string;
  readonly endTime: string;
}

/** A row of the conversation: a pause that is worth a mark, or a turn. */
export type ConversationRow<T> =
  | { readonly type: 'pause'; readonly ms: number }
  | { readonly type: 'turn'; readonly turn: T; readonly number: number };

/** A pause of five minutes is one that a person notices. */
const NOTICED_PAUSE_MS = 5 * 60_000;

/**
 * The rows of the turns that are kept, each turn with its number in the whole session. Pauses are between turns that
 * follow each other: where turns in between are left out, there is none.
 */
export function listConversationRows<T extends TurnTimes>(
  turns: readonly T[],
  isKept: (turn: T) => boolean,
): ConversationRow<T>[] {
  return turns.flatMap((turn, index) => {
    if (!isKept(turn)) return [];
    const row: ConversationRow<T> = { type: 'turn', turn, number: index + 1 };
    const before = turns[index - 1];
    const ms = before === undefined || !isKept(before) ? 0 : Date.parse(turn.startTime) - Date.parse(before.endTime);
    return ms >= NOTICED_PAUSE_MS ? [{ type: 'pause', ms }, row] : [row];
  });
}
