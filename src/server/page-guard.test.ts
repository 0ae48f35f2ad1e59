import { describe, expect, it } from 'vitest';
import { isFromTrustedPage } from './page-guard.ts';

const trustedHosts = ['app.example.com'];
const host = 'cairn.internal:6006';

describe('a request', () => {
  it.each([
    [{}, true],
    [{ origin: 'https://app.example.com' }, true],
    [{ origin: 'http://app.example.com:8080', referer: 'https://APP.example.com/a?b' }, true],
    [{ origin: 'http://cairn.internal' }, true],
    [{ referer: 'https://cairn.internal:1/x' }, true],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'https://app.example.com', referer: 'https://evil.example/' }, false],
    [{ origin: 'https://evil.example', referer: 'https://app.example.com/' }, false],
    [{ origin: 'https://app.example.com.evil.example' }, false],
    [{ origin: 'https://app.example.com@evil.example' }, false],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
    [{ referer: 'about:blank' }, false],
  ])('with %j is let in: %s', (headers, isLetIn) => {
    expect(isFromTrustedPage({ host, ...headers }, trustedHosts)).toBe(isLetIn);
  });

  it('of any page is let in without a list, and none without its own host', () => {
    expect(isFromTrustedPage({ host, origin: 'https://evil.example' }, null)).toBe(true);
    expect(isFromTrustedPage({ origin: 'null', host: '' }, [])).toBe(false);
    expect(isFromTrustedPage({ origin: 'https://undefined' }, [])).toBe(false);
  });
});
