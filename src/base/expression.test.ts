import { describe, expect, it } from 'vitest';
import { Expression } from './expression.ts';

describe('an expression', () => {
  it.each([
    ['email', 'ada@example.com'],
    ['nothing.there', null],
    ['resource_access."my-client".roles[0]', 'owner'],
    ['groups[?starts_with(@, `dev`)] | [0]', 'dev-a'],
    ["contains(groups, 'ops') && 'ADMIN' || 'VIEWER'", 'ADMIN'],
    ["'MEMBER'", 'MEMBER'],
    ['groups[-1:]', ['ops']],
  ])('%s picks what it says', (text, found) => {
    const claims = {
      email: 'ada@example.com',
      groups: ['dev-a', 'ops'],
      resource_access: { 'my-client': { roles: ['owner'] } },
    };
    expect(new Expression(text).evaluate(claims)).toEqual(found);
  });

  it.each(['', 'a.', 'a b', 'unknown(@)', 'my-client.roles', '[', '"'])('%j is refused', (text) => {
    expect(() => new Expression(text)).toThrow();
  });

  it('says of a value that it does not fit', () => {
    expect(() => new Expression('length(number)').evaluate({ number: 1 })).toThrow('type');
  });
});
