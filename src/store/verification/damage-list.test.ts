import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import type { Damage } from '../engine/damage.ts';
import { DamageList } from './damage-list.ts';

const lost = (message: string, ...numbers: number[]): Damage => ({
  kind: 'span',
  message,
  spans: numbers.map((number) => ({ traceId: traceId(1), spanId: spanId(number) })),
});

it('names the spans of a block once, and whatever else is lost beside them', () => {
  const list = new DamageList();
  const block = lost('spans 1 to 3', 1, 2, 3);
  const others = [
    lost('spans 3 and 4', 3, 4),
    { ...lost('what spans share', 1), shared: 'resource 1' },
    { ...lost('a resource', 1), kind: 'resource' } as const,
    { ...lost('pages'), kind: 'database' } as const,
  ];
  for (const damage of [block, lost('span 2', 2), ...others, block, lost('span 4', 4)]) list.add(damage);
  expect(list.listed).toEqual([block, ...others]);
  expect(list.count).toBe(5);
});

it('counts more than it lists', () => {
  const list = new DamageList();
  for (let number = 1; number <= 10_001; number++)
    list.add({ kind: 'columns', message: `segment ${number}`, spans: [] });
  expect([list.listed.length, list.count]).toEqual([10_000, 10_001]);
});
