import { expect, it } from 'vitest';
import { Secret } from '#base/secret';
import { formatFirstPassword, formatReady } from './ready.ts';

const auth = { isEnabled: false };
const addresses = ['127.0.0.1', '::1'] as const;
const database = { engine: 'sqlite', path: '/data/cairn.db', isTemporary: false } as const;
const server = { httpUrl: 'https://cairn.example', grpcAddress: 'cairn.example:4317' };

it('names every place once, one a line', () => {
  const lines = formatReady({ addresses, auth, database }, server).split('\n');
  const places = lines.filter((line) => /^ {2}\S.* {2}/.test(line)).map((line) => line.trim().split(/ {2,}/));
  expect(places).toEqual([
    ['Open', 'https://cairn.example'],
    ['OTLP over HTTP', 'https://cairn.example/v1/traces'],
    ['OTLP over gRPC', 'cairn.example:4317'],
    ['Data', '/data/cairn.db'],
  ]);
});

it('leaves gRPC out when nothing listens there', () => {
  expect(formatReady({ addresses, auth, database }, { ...server, grpcAddress: null })).not.toContain('gRPC');
});

it('says when it listens on every address', () => {
  for (const address of ['0.0.0.0', '::']) {
    const text = formatReady({ addresses: [address], auth, database }, server);
    expect(text).toContain(`\n  Listening on    every address of this machine (${address})\n`);
  }
});

it('says when the data does not stay', () => {
  expect(formatReady({ addresses, auth, database: { ...database, isTemporary: true } }, server)).toContain('temporary');
});

it('says which key programs need while callers are asked for credentials', () => {
  expect(formatReady({ addresses, auth: { isEnabled: true }, database }, server)).toContain(
    '"authorization=Bearer%20<key>"',
  );
  expect(formatReady({ addresses, auth, database }, server)).not.toContain('API key');
});

it('names a gRPC port that the Phoenix client would not find', () => {
  const other = formatReady({ addresses, auth, database }, { ...server, grpcAddress: 'localhost:7001' });
  expect(other).toMatch(/\bPHOENIX_GRPC_PORT=7001,/);
  expect(formatReady({ addresses, auth, database }, server)).not.toContain('PHOENIX_GRPC_PORT');
});

it('shows a first password that was made up, and names the setting of any other', () => {
  const email = 'admin@localhost';
  expect(formatFirstPassword({ email, madeUp: new Secret('x9') })).toMatch(/as admin@localhost .* x9$/m);
  expect(formatFirstPassword({ email, madeUp: null })).toMatch(/SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD.*\.$/m);
});
