import { describe, expect, it } from 'vitest';
import { isFromTrustedPage, mayBringCookies } from './page-guard.ts';

const trusted = { trustedHosts: ['app.example.com'], ownHost: 'own.example', allowedOrigins: ['https://ui.example'] };
const host = 'cairn.internal:6006';

describe('a request', () => {
  it.each([
    [{}, true],
    [{ origin: 'https://app.example.com' }, true],
    [{ origin: 'http://app.example.com:8080', referer: 'https://APP.example.com/a?b' }, true],
    [{ origin: 'http://cairn.internal' }, true],
    [{ origin: 'https://own.example' }, true],
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
    expect(isFromTrustedPage({ host, ...headers }, trusted)).toBe(isLetIn);
  });

  it('of any page is let in without a list, and none without its own host', () => {
    expect(isFromTrustedPage({ host, origin: 'https://evil.example' }, { ...trusted, trustedHosts: null })).toBe(true);
    expect(isFromTrustedPage({ origin: 'null', host: '' }, { ...trusted, trustedHosts: [] })).toBe(false);
    expect(isFromTrustedPage({ origin: 'https://undefined' }, { ...trusted, trustedHosts: [] })).toBe(false);
  });
});

describe('cookies', () => {
  it.each([
    [{}, true],
    [{ origin: 'https://evil.example' }, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://cairn.internal:1' }, false],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://own.example:1' }, false],
    [{ 'sec-fetch-site': 'same-origin, cross-site' }, false],
    [{ 'sec-fetch-site': '' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://ui.example' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://ui.example:1' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://app.example.com:8080' }, true],
    [{ 'sec-fetch-site': 'cross-site', referer: 'https://app.example.com/a' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: 'null', referer: 'https://app.example.com/a' }, false],
  ])('with %j count: %s', (headers, doCount) => {
    expect(mayBringCookies({ host, ...headers }, trusted)).toBe(doCount);
  });
});
