import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import type { AnnotationPlace, AnnotationTarget, NewAnnotation } from '#domain/annotation';
import { ANONYMOUS } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';
import { annotationHooks } from '#store/annotations/write/hooks';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { RandomStore } from '#store/random-store.fixture';
import { spanId, TEST_START_US, traceId } from '../../../../test/harness/otlp-json.ts';
import { type AnnotationCommands, annotationCommands } from '../commands.ts';
import { annotationPolicy } from '../policy.ts';
import { findAnnotationsOf } from '../queries.ts';
import type { DeletedByName, NamedAnnotations } from './delete-by-name.ts';

let store: RandomStore;
let commands: CommandCalls<AnnotationCommands>;

beforeEach(async () => {
  store = await RandomStore.open({ hooks: [annotationHooks] });
  commands = remoteCommands(annotationPolicy, runCommandsOn(store.memory, [annotationCommands]));
  const spans = [1, 2].map((number) => ({
    traceId: traceId(number),
    spanId: spanId(number),
    startUs: TEST_START_US + number,
    attributes: { 'session.id': `chat ${number}` },
  }));
  await store.send(spans, 'app');
});

const about = (of: string, name: string, more: Partial<NewAnnotation> = {}): NewAnnotation => ({
  of,
  documentPosition: -1,
  name,
  identifier: '',
  annotatorKind: 'HUMAN',
  label: null,
  score: null,
  explanation: null,
  metadata: '{}',
  ...more,
});

const put = (target: AnnotationTarget, annotations: readonly NewAnnotation[]) =>
  commands.store(ANONYMOUS, { target, annotations, source: 'API' });

const names = async () => (await store.rows('SELECT name FROM annotations ORDER BY id')).map(({ name }) => name);

const remove = async (more: Partial<NamedAnnotations> = {}) => {
  const [{ id }] = (await store.rows("SELECT id FROM projects WHERE name = 'app'")) as [{ id: number }];
  const { count, place } = await commands.deleteByName(ANONYMOUS, {
    target: 'span',
    projectRowId: id,
    name: 'old',
    timeOf: 'annotation',
    ...more,
  });
  expect(place).toBeNull();
  return count;
};

it('takes those of a name, a kind of target and a project, by all authors', async () => {
  await put('span', [about(spanId(1), 'old'), about(spanId(1), 'new'), about(spanId(2), 'old')]);
  await put('trace', [about(traceId(1), 'old')]);
  expect(await remove({ projectRowId: 9_999 })).toBe(0);
  expect(await remove()).toBe(2);
  expect(await names()).toEqual(['new', 'old']);
  await expect(commands.deleteByName(userCaller('member'), {} as NamedAnnotations)).rejects.toMatchObject({
    code: 'permission_denied',
  });
});

it.each(['span', 'trace', 'session'] as const)('takes those of a %s that started in a time', async (target) => {
  const key = { span: spanId, trace: traceId, session: (number: number) => `chat ${number}` }[target];
  await put(target, [about(key(1), 'old'), about(key(2), 'old')]);
  const bounds = { target, timeOf: 'target' } as const;
  expect(await remove({ ...bounds, startTimeUs: TEST_START_US + 3 })).toBe(0);
  expect(await remove({ ...bounds, startTimeUs: TEST_START_US + 1, endTimeUs: TEST_START_US + 2 })).toBe(1);
  expect(await remove({ ...bounds, endTimeUs: TEST_START_US + 3 })).toBe(1);
});

it('takes those that were said in a time', async () => {
  await put('span', [about(spanId(1), 'old'), about(spanId(2), 'old')]);
  await store.memory.exec(sql`UPDATE annotations SET created_at_us = id`);
  const [, second] = (await store.rows('SELECT id FROM annotations ORDER BY id')).map(({ id }) => Number(id));
  expect(await remove({ endTimeUs: 1 })).toBe(0);
  expect(await remove({ startTimeUs: second })).toBe(1);
  expect(await remove({ endTimeUs: second })).toBe(1);
});

it('leaves what was stored after the first call', async () => {
  const [first] = await put('span', [about(spanId(1), 'old')]);
  await put('span', [about(spanId(2), 'old')]);
  expect(await remove({ after: { upToRowId: first ?? 0, name: '', rowId: 0 } })).toBe(1);
  expect(await names()).toEqual(['old']);
});

it('goes through all of a name a bounded number at a time, each once', async () => {
  const many = Array.from({ length: 2500 }, (_, index) =>
    about(spanId(1 + (index % 2)), 'old', { identifier: `${index}` }),
  );
  await put('span', [...many, about(spanId(1), 'new'), about(spanId(1), 'older')]);
  await store.memory.exec(sql`UPDATE annotations SET created_at_us = id`);
  const [{ id: startTimeUs }] = (await store.rows(
    "SELECT id FROM annotations WHERE name = 'old' ORDER BY id LIMIT 1 OFFSET 900",
  )) as [{ id: number }];
  const projectRowId = (await store.projectRowId('app')) ?? 0;
  const named = { target: 'span', projectRowId, name: 'old', timeOf: 'annotation', startTimeUs } as const;
  const counts: number[] = [];
  for (let after: AnnotationPlace | null | undefined; after !== null; ) {
    const { count, place }: DeletedByName = await commands.deleteByName(ANONYMOUS, { ...named, after });
    counts.push(count);
    after = place;
  }
  expect(counts).toEqual([100, 1000, 500]);
  expect(await store.rows('SELECT name, count(*) AS count FROM annotations GROUP BY name ORDER BY name')).toEqual([
    { name: 'new', count: 1 },
    { name: 'old', count: 900 },
    { name: 'older', count: 1 },
  ]);
});

it('leaves annotations that are read with their targets in parts, oldest first', async () => {
  const many = Array.from({ length: 2500 }, (_, index) => about(spanId(1 + (index % 2)), `name ${index}`));
  const rowIds = await put('span', many);
  const targets = (await store.rows('SELECT id FROM spans ORDER BY id')).map(({ id }) => Number(id));
  const found = await findAnnotationsOf(store.scope, 'span', targets);
  const read = targets.flatMap((target) => (found.get(target) ?? []).map(({ rowId }) => rowId));
  expect(new Set(read)).toEqual(new Set(rowIds));
  expect(read).toHaveLength(rowIds.length);
  const first = (found.get(targets[0] ?? 0) ?? []).map(({ rowId }) => rowId);
  expect(first).toEqual(first.toSorted((a, b) => a - b));
  await store.memory.exec(sql`UPDATE annotations SET explanation = ${'x'.repeat(20_000)}`);
  await expect(findAnnotationsOf(store.scope, 'span', targets)).rejects.toMatchObject({ code: 'resource_exhausted' });
});
