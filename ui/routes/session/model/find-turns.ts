/** Searching what was said in a session. */
import type { TurnValue } from '../session-source.ts';
import { readTurnText } from './turn-text.ts';
import type { ConversationRow, TurnTimes } from './turns.ts';

interface Said extends TurnTimes {
  readonly input: TurnValue | null;
  readonly output: TurnValue | null;
}

/** The indexes of the rows whose turns said the query, in any letter case. */
export function findTurns(rows: readonly ConversationRow<Said>[], query: string): number[] {
  const searched = query.trim().toLowerCase();
  if (searched === '') return [];
  return rows.flatMap((row, index) => {
    if (row.type !== 'turn') return [];
    const { input, output } = row.turn;
    return saidIn(input, 'input').includes(searched) || saidIn(output, 'output').includes(searched) ? [index] : [];
  });
}

/** By what was recorded: all turns are searched with every letter that somebody types. */
const read = new WeakMap<TurnValue, string>();

/** The part of an input or output that the page shows as a message, in lower case. */
function saidIn(value: TurnValue | null, side: 'input' | 'output'): string {
  if (value === null) return '';
  const known = read.get(value);
  if (known !== undefined) return known;
  const text = readTurnText(value.value, side);
  const said = (text.type === 'text' ? text.text : value.value).toLowerCase();
  read.set(value, said);
  return said;
}
