import { beforeEach, describe, expect, it } from 'vitest';
import { hasReached, LatestTurn, type Turns } from './latest-turn.ts';

let latest: LatestTurn;
/** Statements that were sent, each with what answers it. */
let sent: ((turns: Turns) => void)[];

beforeEach(() => {
  sent = [];
  const run = async () => ({
    rows: [await new Promise<Turns>((resolve) => sent.push(resolve))],
    rowCount: 1,
  });
  latest = new LatestTurn({ run });
});

const both = (turn: number): Turns => ({ spans: turn, records: turn });

async function answer(place: number, turns: Turns): Promise<void> {
  await expect.poll(() => sent.length).toBe(place + 1);
  sent[place]?.(turns);
}

describe('the latest turn', () => {
  it('is read by a statement that is sent after the question, one for all who asked before it', async () => {
    const first = latest.read();
    await expect.poll(() => sent.length).toBe(1);
    const later = [latest.read(), latest.read()];
    await answer(0, both(7));
    expect(await first).toEqual(both(7));
    await answer(1, both(8));
    expect(await Promise.all(later)).toEqual([both(8), both(8)]);
    expect(sent).toHaveLength(2);
  });

  it('never goes back', async () => {
    for (const [place, turn] of [7, 5, 9].entries()) {
      const read = latest.read();
      await answer(place, both(turn));
      expect(await read).toEqual(both(Math.max(7, turn)));
    }
    expect(latest.known).toEqual(both(9));
  });

  it('counts spans and records apart: much of the one does not stand for the other', () => {
    const wanted = { spans: 5, records: 7 };
    expect(hasReached({ spans: 5, records: 7 }, wanted)).toBe(true);
    expect(hasReached({ spans: 6, records: 6 }, wanted)).toBe(false);
    expect(hasReached({ spans: 4, records: 9 }, wanted)).toBe(false);
  });
});
