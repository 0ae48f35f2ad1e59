import { beforeEach, expect, it } from 'vitest';
import type { Damage, LostSpan } from '../engine/damage.ts';
import { DamageRegister } from './damage-register.ts';

let register: DamageRegister;
let [found, mended, repairs]: [string[], string[], (number | undefined)[]] = [[], [], []];

beforeEach(() => {
  [found, mended, repairs] = [[], [], []];
  register = new DamageRegister({
    onDamage: ({ message }) => found.push(message),
    onShared: (shared, spanCount) => found.push(`${shared}: ${spanCount}`),
    onMended: ({ message }) => mended.push(message),
    onRepairable: ({ segment, part }) => repairs.push(segment ?? part),
  });
});

const span = (number: number): LostSpan => ({ traceId: 'a trace', spanId: `${number}` });
const spansAre = (message: string, ...numbers: readonly number[]): Damage => ({
  kind: 'span',
  message,
  spans: numbers.map(span),
});
const columns = (segment: number, name: string): Damage => ({
  kind: 'columns',
  message: `segment ${segment}, ${name}`,
  spans: [],
  segment,
});

it('forgets what is whole again, and knows it when it is damaged again', () => {
  const block = spansAre('a block', 1, 2);
  register.note(block);
  register.note(spansAre('one of its spans', 2));
  expect(register.startRecheck()).toEqual([block]);
  register.settle(block, spansAre('a block', 2));
  expect([register.counts().span, mended]).toEqual([1, []]);
  register.note(spansAre('still one of its spans', 2));
  register.note(spansAre('another block', 1));
  expect(found).toEqual(['a block', 'another block']);
  for (const known of register.startRecheck()) register.settle(known, null);
  expect(register.counts().span).toBe(0);
  expect(mended).toEqual(['a block', 'another block']);
  register.note(block);
  expect(found).toEqual(['a block', 'another block', 'a block']);
});

it('counts spans that share something lost as one thing, and tells when they are twice as many', () => {
  const shares = (number: number): Damage => ({ ...spansAre(`span ${number}`, number), shared: 'resource 7' });
  for (const number of [1, 2, 3, 3]) register.note(shares(number));
  const message = 'Spans that share the resource 7 are damaged.';
  expect([found, register.counts().span]).toEqual([[message], 1]);
  const [known] = register.startRecheck();
  expect(known?.spans).toEqual([1, 2, 3].map(span));
  register.note(shares(4));
  // The first two are whole again; the last was not known when the others were read.
  if (known) register.settle(known, { ...known, spans: [span(3)] });
  expect(register.startRecheck()[0]?.spans).toEqual([3, 4].map(span));
  for (let number = 5; number < 2000; number++) register.note(shares(number));
  register.note(shares(1));
  const [all] = register.startRecheck();
  expect(found).toEqual([message, 'resource 7: 3', 'resource 7: 1000']);
  if (all) register.settle(all, null);
  expect([mended, register.counts().span]).toEqual([[message], 0]);
});

it('has everything repaired that can be, however much is known to be damaged', () => {
  for (let number = 0; number < 1005; number++) register.note(spansAre(`span ${number}`, number));
  for (let name = 0; name < 1005; name++) register.note(columns(1, `column ${name}`));
  register.note(columns(2, 'names'));
  register.note({ kind: 'search_words', message: 'words', spans: [], part: 7 });
  expect(register.counts()).toMatchObject({ span: 1000, columns: 1000, search_words: 1 });
  expect(repairs).toEqual([1, 2, 7]);
  // What is still damaged when it is read again is repaired again, once.
  register.startRecheck();
  for (let read = 0; read < 2; read++) register.note(columns(1, 'column 1'));
  expect(repairs).toEqual([1, 2, 7, 1]);
});

it('leaves indexes of large tables to a command', () => {
  const isAsked = (isLarge: boolean) => {
    const before = repairs.length;
    const index = { table: 'spans', name: `index ${isLarge}`, isRebuildable: true, isLarge };
    register.note({ kind: 'database', message: index.name, spans: [], index });
    return repairs.length > before;
  };
  expect([isAsked(true), isAsked(false)]).toEqual([false, true]);
});

it('repairs what an earlier server knew once it was read again and is still damaged', () => {
  const [whole, damaged] = [columns(1, 'name'), columns(2, 'name')];
  for (const known of [whole, damaged]) register.recall(known);
  expect([found, repairs]).toEqual([[whole.message, damaged.message], []]);
  register.startRecheck();
  register.settle(whole, null);
  register.settle(damaged, { ...damaged, recheckedTo: { table: 'spans', after: 7 } });
  expect([mended, repairs]).toEqual([[whole.message], []]);
  register.settle(damaged, damaged);
  expect(repairs).toEqual([2]);
  register.startRecheck();
  register.settle(damaged, damaged);
  expect(repairs).toEqual([2]);
  register.note(damaged);
  expect(repairs).toEqual([2, 2]);
});
