import { beforeEach, describe, expect, it } from 'vitest';
import { LatestTurn } from './latest-turn.ts';

let latest: LatestTurn;
/** Statements that were sent, each with what answers it. */
let sent: ((turn: number) => void)[];

beforeEach(() => {
  sent = [];
  const run = async () => ({
    rows: [{ turn: await new Promise<number>((resolve) => sent.push(resolve)) }],
    rowCount: 1,
  });
  latest = new LatestTurn({ run });
});

async function answer(place: number, turn: number): Promise<void> {
  await expect.poll(() => sent.length).toBe(place + 1);
  sent[place]?.(turn);
}

describe('the latest turn', () => {
  it('is read by a statement that is sent after the question, one for all who asked before it', async () => {
    const first = latest.read();
    await expect.poll(() => sent.length).toBe(1);
    const later = [latest.read(), latest.read()];
    await answer(0, 7);
    expect(await first).toBe(7);
    await answer(1, 8);
    expect(await Promise.all(later)).toEqual([8, 8]);
    expect(sent).toHaveLength(2);
  });

  it('never goes back', async () => {
    for (const [place, turn] of [7, 5, 9].entries()) {
      const read = latest.read();
      await answer(place, turn);
      expect(await read).toBe(Math.max(7, turn));
    }
    expect(latest.known).toBe(9);
  });
});
