import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeUserId, encodeUserId } from './user-address.ts';

it.each([
  ['ada', 'ada'],
  ['ada@example.com', 'ada@example.com'],
  ['..', '~2E~2E'],
  ['../../etc', '..~2F..~2Fetc'],
  ['50%2F', '50~252F'],
  ['~2F', '~7E2F'],
  ['a\u0000b\\', 'a~00b~5C'],
])('writes %j as a part of a path', (userId, part) => {
  expect(encodeUserId(userId)).toBe(part);
});

it('reads back any id, through any number of slashes, dots and percent signs', () => {
  const id = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: fc.constantFrom('/', '.', '%', '~', '2', 'F', '\\', '?', '#', '\n'), minLength: 1 }),
  );
  fc.assert(
    fc.property(id, (userId) => {
      const part = encodeUserId(userId);
      expect(decodeUserId(part)).toBe(userId);
      const { pathname } = new URL(`/users/${encodeURIComponent(part)}`, 'http://localhost');
      expect(pathname.split('/')).toHaveLength(3);
      expect(decodeUserId(decodeURIComponent(pathname.split('/')[2] ?? ''))).toBe(userId);
    }),
  );
});
