import { describe, expect, it } from 'vitest';
import { canonicalDn, escapeDnValue, isDn } from './distinguished-name.ts';

describe('a distinguished name', () => {
  it.each([
    ['CN=Admins,OU=Groups,DC=Example,DC=com', 'cn=admins,ou=groups,dc=example,dc=com'],
    [' cn = Admins , ou=Groups,dc=example,dc=com ', 'cn=admins,ou=groups,dc=example,dc=com'],
    [String.raw`cn=Smith\, Ada,dc=example`, String.raw`CN=smith\2C ada,DC=example`],
    [String.raw`cn=J\C3\BCrgen,dc=example`, 'cn=jürgen,dc=example'],
    ['cn=a+uid=b,dc=example', 'uid=B+CN=A,dc=example'],
    ['cn=two  blanks,dc=example', 'cn=two blanks,dc=example'],
    ['OID.2.5.4.3=a', '2.5.4.3=A'],
    [String.raw`cn=a\=b`, 'cn=a=b'],
  ])('%s is the same as %s', (one, other) => {
    expect(canonicalDn(one)).not.toBeNull();
    expect(canonicalDn(one)).toBe(canonicalDn(other));
  });

  it.each([
    ['cn=admins,dc=example', 'cn=admins\\,dc=example'],
    ['cn=a+uid=b', String.raw`cn=a\+uid=b`],
    ['cn=a', 'ou=a'],
    ['cn=a,dc=example', 'cn=a'],
    ['cn=ab', 'cn=a b'],
  ])('%s is another than %s', (one, other) => {
    expect(canonicalDn(one)).not.toBe(canonicalDn(other));
  });

  it.each([
    'admins',
    'cn',
    'cn=',
    '=a',
    'cn=a,',
    ',cn=a',
    'cn=a\\',
    'cn=a;dc=b',
    'cn="a"',
    'c n=a',
    'cn=#zz',
    'cn=a\0',
  ])('%j is none', (text) => {
    expect(isDn(text)).toBe(false);
  });

  it('is also the empty one, of the root', () => {
    expect(canonicalDn('')).toBe('');
  });

  it.each(['a,b', ' a ', '#a', 'a+b="c";<d>\\', 'a\0b', '*)(uid=*'])('holds %j as one value', (value) => {
    const alone = canonicalDn(`cn=${escapeDnValue(value)}`);
    expect(alone).not.toBeNull();
    expect(canonicalDn(`cn=${escapeDnValue(value)},dc=example`)).toBe(`${alone},dc=example`);
  });
});
