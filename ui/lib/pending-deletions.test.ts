import { afterEach, describe, expect, it } from 'vitest';
import { addPendingDeletion, finishPendingDeletions, pendingDeletions } from './pending-deletions.ts';

afterEach(finishPendingDeletions);

/** A deletion whose server answers when the test says so. */
function startDeletion(...ids: readonly string[]) {
  const answer = Promise.withResolvers<void>();
  const log: string[] = [];
  const pending = addPendingDeletion({
    ids,
    run: () => {
      log.push('run');
      return answer.promise;
    },
    onFailed: (error) => log.push(String(error)),
    onLeft: () => log.push('left'),
  });
  return { ...pending, answer, log };
}

const hidden = () => [...pendingDeletions()];

describe('a deletion that can be undone', () => {
  it('hides at once and asks the server for nothing', () => {
    const { log, undo } = startDeletion('a', 'b');
    expect([hidden(), log]).toEqual([['a', 'b'], []]);
    undo();
    expect([hidden(), log]).toEqual([[], []]);
  });

  it('is finished once, and hides until the server has answered', async () => {
    const { log, finish, undo, answer } = startDeletion('a');
    const finished = finish();
    await finish();
    undo();
    expect([hidden(), log]).toEqual([['a'], ['run']]);
    answer.resolve();
    await finished;
    expect(hidden()).toEqual([]);
  });

  it('is not finished after it was undone', async () => {
    const { log, finish, undo } = startDeletion('a');
    undo();
    await finish();
    expect(log).toEqual([]);
  });

  it('shows what could not be deleted, and says why', async () => {
    const { log, finish, answer } = startDeletion('a');
    answer.reject(new Error('gone'));
    await finish();
    expect([hidden(), log]).toEqual([[], ['run', 'Error: gone']]);
  });

  it('does not show what another one hides', () => {
    const first = startDeletion('a');
    startDeletion('b');
    first.undo();
    expect(hidden()).toEqual(['b']);
  });

  it('is finished when the page is left', () => {
    const first = startDeletion('a');
    const second = startDeletion('b');
    second.undo();
    finishPendingDeletions();
    expect([first.log, second.log]).toEqual([['left', 'run'], []]);
  });
});
