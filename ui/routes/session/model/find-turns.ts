/** Searching what was said in a session. */
import type { ConversationRow, TurnTimes } from './turns.ts';

interface Said extends TurnTimes {
  readonly input: { readonly value: string } | null;
  readonly output: { readonly value: string } | null;
}

/** The indexes of the rows whose turns said the query, in any letter case. */
export function findTurns(rows: readonly ConversationRow<Said>[], query: string): number[] {
  const searched = query.trim().toLowerCase();
  if (searched === '') return [];
  return rows.flatMap((row, index) => {
    if (row.type !== 'turn') return [];
    const { input, output } = row.turn;
    return [input, output].some((side) => side?.value.toLowerCase().includes(searched)) ? [index] : [];
  });
}
