import { expect, it } from 'vitest';
import { formatReady } from './ready.ts';

const database = { engine: 'sqlite', path: '/data/cairn.db', isTemporary: false } as const;
const server = { httpUrl: 'https://cairn.example', grpcAddress: 'cairn.example:4317' };

it('names every place once, one a line', () => {
  const lines = formatReady({ database }, server).split('\n');
  const places = lines.filter((line) => /^ {2}\S.* {2}/.test(line)).map((line) => line.trim().split(/ {2,}/));
  expect(places).toEqual([
    ['Open', 'https://cairn.example'],
    ['OTLP over HTTP', 'https://cairn.example/v1/traces'],
    ['OTLP over gRPC', 'cairn.example:4317'],
    ['Data', '/data/cairn.db'],
  ]);
});

it('leaves gRPC out when nothing listens there', () => {
  expect(formatReady({ database }, { ...server, grpcAddress: null })).not.toContain('gRPC');
});

it('says when the data does not stay', () => {
  expect(formatReady({ database: { ...database, isTemporary: true } }, server)).toContain('temporary');
});
