import { describe, expect, it } from 'vitest';
import { findRefusal, type GuardedHeaders } from './host-guard.ts';

const OPTIONS = { allowedHosts: ['localhost', 'cairn.example'], allowedOrigins: ['https://ui.example'] };

function isRefused(headers: GuardedHeaders): boolean {
  return findRefusal(headers, OPTIONS) !== undefined;
}

describe('the host', () => {
  it.each([
    'localhost',
    'localhost:6006',
    'LOCALHOST:6006',
    'localhost.:6006',
    'cairn.localhost:6006',
    '127.0.0.1:6006',
    '192.168.1.20',
    '[::1]:6006',
    '[fe80::1]',
    'cairn.example',
    'Cairn.Example:443',
  ])('%s is answered', (host) => {
    expect(isRefused({ host })).toBe(false);
  });

  it.each([
    'evil.example',
    'evil.example:6006',
    'localhost.evil.example',
    'notlocalhost',
    'cairn.example.evil.example',
    'sub.cairn.example',
    '127.0.0.1.evil.example',
    '127.1',
    '0x7f000001',
    '[localhost]',
    'localhost:6006@evil.example',
    'evil.example/localhost',
    'localhost evil.example',
    '',
    ':6006',
  ])('%j is refused', (host) => {
    expect(isRefused({ host })).toBe(true);
  });

  it('is required', () => {
    expect(isRefused({})).toBe(true);
  });

  it('that is refused is named, with the setting that allows it', () => {
    expect(findRefusal({ host: 'cairn-1:6006' }, OPTIONS)).toContain('cairn-1. If the name is yours');
    expect(findRefusal({ host: 'cairn-1:6006' }, OPTIONS)).toContain('SERVICE_ALLOWED_HOSTS');
  });
});

describe('the origin', () => {
  it.each([
    ['http://localhost:6006', 'localhost:6006'],
    ['https://cairn.example', 'cairn.example'],
    ['https://cairn.example', 'cairn.example:443'],
    ['http://[::1]:6006', '[::1]:6006'],
    ['https://ui.example', 'localhost:6006'],
  ])('%s may call %s', (origin, host) => {
    expect(isRefused({ host, origin })).toBe(false);
  });

  it.each([
    ['http://evil.example', 'localhost:6006'],
    ['http://localhost:3000', 'localhost:6006'],
    ['http://127.0.0.1:6006', 'localhost:6006'],
    ['http://localhost', 'localhost:6006'],
    ['http://ui.example', 'localhost:6006'],
    ['https://ui.example.evil.example', 'localhost:6006'],
    ['https://ui.example:8443', 'localhost:6006'],
    ['null', 'localhost:6006'],
    ['', 'localhost:6006'],
    ['file://', 'localhost:6006'],
    ['chrome-extension://localhost:6006', 'localhost:6006'],
  ])('%j may not call %s', (origin, host) => {
    expect(isRefused({ host, origin })).toBe(true);
  });

  it('does not help a host that is not known', () => {
    expect(isRefused({ host: 'evil.example', origin: 'http://evil.example' })).toBe(true);
    expect(isRefused({ host: 'evil.example', origin: 'https://ui.example' })).toBe(true);
  });
});

describe('what a browser says of the page', () => {
  const host = 'localhost:6006';
  it.each([
    ['same-origin', false],
    ['none', false],
    ['same-site', true],
    ['cross-site', true],
    ['same-origin, none', true],
    ['', true],
  ])('%j: refused %s', (site, isOther) => {
    expect(isRefused({ host, 'sec-fetch-site': site })).toBe(isOther);
    expect(isRefused({ host, origin: `http://${host}`, 'sec-fetch-site': site })).toBe(isOther);
  });

  it('does not matter for an origin that is allowed, or where a link leads a tab to a page', () => {
    const site = { 'sec-fetch-site': 'cross-site' };
    expect(isRefused({ host, origin: 'https://ui.example', ...site })).toBe(false);
    expect(findRefusal({ host, ...site }, OPTIONS, true)).toBeUndefined();
    expect(findRefusal({ host, ...site, origin: 'https://evil.example' }, OPTIONS, true)).toBeDefined();
    expect(findRefusal({ host: 'evil.example', ...site }, OPTIONS, true)).toBeDefined();
  });
});
