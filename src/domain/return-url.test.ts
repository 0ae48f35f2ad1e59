import { describe, expect, it } from 'vitest';
import { readReturnUrl, withReturnUrl } from './return-url.ts';

const AT_ROOT = { origin: 'https://cairn.example', rootPath: '' };
const BELOW = { origin: 'https://cairn.example', rootPath: '/tools/cairn' };

describe('a return address', () => {
  it.each([
    '/',
    '/projects',
    '/authors',
    '/oauth2/authorize?client_id=a',
    '/projects/UHJvamVjdDox/traces?range=all#top',
    '/settings/users',
    '/%2F%2Fevil.example',
  ])('that is a path of this server is kept: %s', (path) => {
    expect(readReturnUrl(path, AT_ROOT)).toBe(path);
  });

  it.each([
    null,
    '',
    'projects',
    'https://evil.example/',
    'https://cairn.example/projects',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/.//evil.example',
  ])('that names another server, or none, is ignored: %j', (text) => {
    expect(readReturnUrl(text, AT_ROOT)).toBeUndefined();
  });

  it.each([
    '/login',
    '/login?returnUrl=/login',
    '/logout',
    '/l%6Fgout',
    '/reset-password/',
    '/forgot-password',
    '/auth',
    '/auth/logout',
    '/auth/logout/?a=b',
    '/%61uth/logout',
    '/auth%2Flogout',
    '/%',
  ])('that is a page or a route for signing in or out, or no text, is ignored: %s', (path) => {
    expect(readReturnUrl(path, AT_ROOT)).toBeUndefined();
  });

  it('lies below the root path', () => {
    expect(readReturnUrl('/tools/cairn/projects?a=b', BELOW)).toBe('/tools/cairn/projects?a=b');
    expect(readReturnUrl('/tools/cairn', BELOW)).toBe('/tools/cairn');
    for (const path of [
      '/projects',
      '/tools',
      '/tools/cairnival',
      '/tools/cairn/../other',
      '/tools/cairn/login',
      '/tools/cairn/auth/logout',
    ]) {
      expect(readReturnUrl(path, BELOW), path).toBeUndefined();
    }
  });

  it('is written so that it is read back', () => {
    const page = withReturnUrl('/login?message=password_reset', '/projects?range=all&q=a b');
    const { searchParams } = new URL(page, AT_ROOT.origin);
    expect(searchParams.get('message')).toBe('password_reset');
    expect(readReturnUrl(searchParams.get('returnUrl'), AT_ROOT)).toBe('/projects?range=all&q=a%20b');
    expect(withReturnUrl('/login', undefined)).toBe('/login');
  });
});
