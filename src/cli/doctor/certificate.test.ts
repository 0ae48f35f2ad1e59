import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Secret } from '#base/secret';
import { checkCertificate } from './certificate.ts';

/** Valid from 2026-11-21 to 2126-10-28, for localhost, 127.0.0.1 and ::1. */
const certificatePem = readFileSync(
  new URL('../../../test/fixtures/tls/server-certificate.pem', import.meta.url),
  'utf8',
);
const tls = { certificatePem, keyPem: new Secret(''), keyPassword: null, clientCaPem: null };
const inClear = { port: 0, tls: null };
const encrypted = { http: { port: 0, tls }, grpc: inClear, rootUrl: null };
const on = (day: string, config: Parameters<typeof checkCertificate>[0] = encrypted) =>
  checkCertificate(config, Date.parse(day)).map(({ status, message }) => `${status}: ${message}`);

it.each([
  ['2026-11-01', 'problem: is valid only from 2026-11-21 on'],
  ['2027-01-01', 'ok: valid until 2126-10-28'],
  ['2126-10-13', 'ok: valid until 2126-10-28'],
  ['2126-10-15', 'warning: expires on 2126-10-28'],
  ['2126-10-29', 'problem: expired on 2126-10-28'],
])('on %s, a certificate is a %s', (day, found) => {
  expect(on(day)).toEqual([found]);
});

it('of gRPC alone is looked at too, and nothing without TLS', () => {
  expect(on('2126-10-29', { http: inClear, grpc: { port: 0, tls }, rootUrl: null })).toHaveLength(1);
  expect(on('2126-10-29', { http: inClear, grpc: inClear, rootUrl: null })).toEqual([]);
});

it('should be for the host at which people reach the server', () => {
  const named = (rootUrl: string) => on('2027-01-01', { ...encrypted, rootUrl }).slice(1);
  for (const host of ['localhost:6006', '127.0.0.1:6006/traces', '[::1]']) {
    expect([host, named(`https://${host}`)]).toEqual([host, []]);
  }
  expect(named('http://cairn.example.com')).toEqual([]);
  expect(named('https://cairn.example.com')).toEqual([
    'warning: is not for cairn.example.com, the host of SERVICE_ROOT_URL',
  ]);
});
