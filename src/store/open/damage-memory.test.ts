import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Damage } from '../engine/damage.ts';
import { openDamageMemory } from './damage-memory.ts';

let folder: string;
let path: string;
let known: readonly Damage[];
let errors: unknown[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-damage-memory-'));
  path = join(folder, 'cairn.db');
  [known, errors] = [[], []];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SPAN: Damage = { kind: 'span', message: 'a span', spans: [{ traceId: 'a', spanId: 'b' }] };
const PAGES: Damage = { kind: 'database', message: 'pages', spans: [] };

it('remembers what is known until it is whole, but not what is lost for good', async () => {
  known = [SPAN, { ...PAGES, recheckedTo: { table: 'spans', after: 7 } }, { ...PAGES, kind: 'record' }];
  await keep();
  expect(open().recall()).toEqual([SPAN, PAGES]);
  known = [];
  await keep();
  expect([open().recall(), existsSync(`${path}.damage`)]).toEqual([[], false]);
  expect(errors).toEqual([]);
});

it('keeps nothing where nothing has changed', async () => {
  known = [SPAN];
  await open().close();
  expect(existsSync(`${path}.damage`)).toBe(false);
});

it('remembers all that a thing says of where it is', async () => {
  known = [
    { ...SPAN, shared: 'resource 7', envelope: { table: 'otel_resources', rowId: 7 } },
    { ...PAGES, segment: 1, part: 2, logRecordRowIds: [3], spanRowIds: [4] },
    { ...PAGES, index: { table: 'spans', name: 'spans_by_start', isRebuildable: true, isLarge: false } },
    { ...PAGES, kind: 'sums', sums: { projectRowId: 1, fromUs: null, belowUs: 5 } },
  ];
  await keep();
  expect(open().recall()).toEqual(known);
});

it.for([
  { spans: [null] },
  { spans: [{ traceId: 'a' }] },
  { segment: '1; DROP TABLE spans' },
  { spanRowIds: [1, 'x'] },
  { index: { table: 'spans', name: 'a"; DROP TABLE spans; --', isRebuildable: true } },
  { envelope: { table: 'spans', rowId: 1 } },
  { recheckedTo: { table: 'spans', after: 7 } },
])('remembers nothing of what does not say where it is as the server does: %j', (changed) => {
  writeFileSync(`${path}.damage`, JSON.stringify([{ ...SPAN, ...changed }, PAGES]));
  expect(open().recall()).toEqual([PAGES]);
});

it('reads no file that is larger than any that is kept', () => {
  writeFileSync(`${path}.damage`, JSON.stringify([SPAN]).padEnd(64 * 2 ** 20 + 1));
  expect(open().recall()).toEqual([]);
});

it.for(['', '{', '7', '[7, null, {"kind": "moon", "message": "", "spans": []}, {"kind": "span"}]'])(
  'remembers nothing of a file that is not what it kept: %s',
  (text) => {
    writeFileSync(`${path}.damage`, text);
    expect(open().recall()).toEqual([]);
  },
);

it('says once why it could not keep it, and leaves what it kept before', async () => {
  known = [SPAN];
  await keep();
  const before = readFileSync(`${path}.damage`, 'utf8');
  mkdirSync(`${path}.damage.new`);
  known = [SPAN, PAGES];
  await keep();
  expect(errors).toHaveLength(1);
  expect(readFileSync(`${path}.damage`, 'utf8')).toBe(before);
});

it('there is none of a database that lies in memory', () => {
  expect(openDamageMemory({ engine: 'sqlite', path: ':memory:', blockAboveBytes: null }, options())).toBeUndefined();
});

function open() {
  const memory = openDamageMemory({ engine: 'sqlite', path, blockAboveBytes: null }, options());
  if (memory === undefined) throw new Error('there is no memory');
  return memory;
}

function options() {
  return { known: () => known, onError: (_message: string, error: unknown) => void errors.push(error) };
}

async function keep() {
  const memory = open();
  memory.noteChange();
  await memory.close();
}
