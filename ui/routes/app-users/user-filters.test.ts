import { expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import { ofUser, spansOfUser } from './user-filters.ts';

it.each(['ada', "o'neil", '"; --', "a' for s in spans) or any(s.name == 'x", 'line\nbreak', '\\', '𓀀'])(
  'names a user of any letters: %j',
  (userId) => {
    const { condition, diagnostics } = parseFilter('trace', ofUser(userId));
    expect(diagnostics).toEqual([]);
    expect(condition).toMatchObject({ kind: 'quantifier', test: { right: { value: userId } } });
    expect(parseFilter('session', ofUser(userId)).diagnostics).toEqual([]);
    expect(parseFilter('span', spansOfUser(userId)).condition).toMatchObject({ right: { value: userId } });
  },
);

it('finds numbers that are ids', () => {
  expect(spansOfUser('42')).toBe("(user.id == '42' or user.id == 42)");
  expect(spansOfUser('042')).toBe("user.id == '042'");
});
