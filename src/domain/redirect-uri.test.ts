import { describe, expect, it } from 'vitest';
import { isRegisteredRedirect, MAX_REDIRECT_LENGTH, redirectKindOf, redirectWith } from './redirect-uri.ts';

describe('the kind of an address', () => {
  it.each([
    ['http://127.0.0.1/callback', 'loopback'],
    ['http://127.0.0.1:5000/callback?a=b', 'loopback'],
    ['http://[::1]:5000/', 'loopback'],
    ['http://localhost/callback', 'loopback'],
    ['https://app.example.com/callback', 'https'],
    ['com.example.app:/callback', 'private'],
    ['cursor://agent/callback', 'private'],
  ])('%s is %s', (text, kind) => {
    expect(redirectKindOf(text)).toBe(kind);
  });

  it.each([
    'http://app.example.com/callback',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://127.0.0.1@example.com/',
    'https://user:password@app.example.com/',
    'https://app.example.com/#part',
    'https://app.example.com\\@evil.example/',
    'https://app.example.com/\n',
    'javascript:alert(1)',
    'javascript://app/%0aalert(1)',
    'JAVASCRIPT://app/%0aalert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'com.example.app:callback',
    '/callback',
    '',
    `https://app.example.com/${'a'.repeat(MAX_REDIRECT_LENGTH)}`,
  ])('%j is none', (text) => {
    expect(redirectKindOf(text)).toBeNull();
  });
});

describe('a registered address', () => {
  it('may have any port on the machine of the person, and nothing else that differs', () => {
    const registered = ['http://127.0.0.1/callback?a=b'];
    expect(isRegisteredRedirect('http://127.0.0.1:49152/callback?a=b', registered)).toBe(true);
    expect(isRegisteredRedirect('http://127.0.0.1/callback?a=b', ['http://127.0.0.1:80/callback?a=b'])).toBe(true);
    for (const asked of [
      'http://localhost:49152/callback?a=b',
      'http://[::1]:49152/callback?a=b',
      'http://127.0.0.1:49152/callback?a=c',
      'http://127.0.0.1:49152/callback',
      'http://127.0.0.1:49152/other?a=b',
      'https://127.0.0.1/callback?a=b',
    ]) {
      expect(isRegisteredRedirect(asked, registered)).toBe(false);
    }
  });

  it('is compared letter by letter otherwise', () => {
    const registered = ['https://app.example.com/callback', 'com.example.app:/callback'];
    for (const asked of registered) expect(isRegisteredRedirect(asked, registered)).toBe(true);
    for (const asked of [
      'https://app.example.com/callback/',
      'https://app.example.com/callback?a=b',
      'https://app.example.com:443/callback',
      'https://APP.example.com/callback',
      'https://app.example.com/x/../callback',
      'com.example.app:/callback2',
    ]) {
      expect(isRegisteredRedirect(asked, registered)).toBe(false);
    }
  });
});

it('leads to no other place on the machine than the one that was registered, however it is written', () => {
  const registered = ['https://app.example.com/callback', 'com.example.app:/callback', 'http://127.0.0.1/callback'];
  for (const asked of [
    'HTTP://127.0.0.1:9/x',
    'http:/localhost:9/x',
    'http://localhost:/x',
    'http:\\\\127.0.0.1:9\\x',
  ]) {
    expect([asked, isRegisteredRedirect(asked, registered)]).toEqual([asked, false]);
  }
});

it('keeps the parameters that an address has', () => {
  expect(redirectWith('http://127.0.0.1:1/cb?a=b', { code: 'c d', state: 's&t', error: undefined })).toBe(
    'http://127.0.0.1:1/cb?a=b&code=c+d&state=s%26t',
  );
  expect(redirectWith('com.example.app:/cb', { code: 'c' })).toBe('com.example.app:/cb?code=c');
});
