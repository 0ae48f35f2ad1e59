import { beforeEach, describe, expect, it } from 'vitest';
import { type AnnotationConfigContent, MAX_CONFIGS } from '#domain/annotation-config';
import { ANONYMOUS } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import type { TouchedProject } from '#store/engine/touched-project';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { newProjectRow } from '#store/projects/new-project-row';
import { type AnnotationConfigCommands, annotationConfigCommands } from './commands.ts';
import { annotationConfigPolicy } from './policy.ts';
import { browseConfigs, countProjectsByConfig, findConfigs, findConfigsOfProjects } from './queries.ts';

const BASE = { description: null, isStrict: false } as const;
const choice = (name: string): AnnotationConfigContent => ({
  ...BASE,
  kind: 'CATEGORICAL',
  name,
  direction: 'MAXIMIZE',
  values: [
    { label: 'good', score: 0.5 },
    { label: 'bad', score: null },
  ],
});
const range = (name: string): AnnotationConfigContent => ({
  ...BASE,
  kind: 'CONTINUOUS',
  name,
  direction: 'NONE',
  lowerBound: -1.5,
  upperBound: null,
});
const freeform = (name: string): AnnotationConfigContent => ({
  ...BASE,
  kind: 'FREEFORM',
  name,
  direction: null,
  threshold: 0.25,
  lowerBound: 0,
  upperBound: 1,
  isStrict: true,
});

const NOT_FOUND = { code: 'not_found' };
const TAKEN = { code: 'already_exists' };
const NOWHERE = 99_999;

let engine: TestEngine;
let touched: TouchedProject[];
let commands: CommandCalls<AnnotationConfigCommands>;
let shop: number;

beforeEach(async () => {
  engine = await openTestEngine();
  touched = [];
  commands = remoteCommands(annotationConfigPolicy, runCommandsOn(engine, [annotationConfigCommands], { touched }));
  shop = (
    await engine.db.insertInto('projects').values(newProjectRow('shop')).returning('id').executeTakeFirstOrThrow()
  ).id;
});

const create = (content: AnnotationConfigContent) => commands.create(ANONYMOUS, content);
const update = (rowId: number, content: AnnotationConfigContent) => commands.update(ANONYMOUS, { rowId, content });
const remove = (...rowIds: readonly number[]) => commands.delete(ANONYMOUS, rowIds);
const assign = (configRowIds: readonly number[], isRepeatable = false, projectRowId = shop) =>
  commands.assign(ANONYMOUS, {
    assignments: configRowIds.map((configRowId) => ({ projectRowId, configRowId })),
    isRepeatable,
  });
const unassign = (configRowId: number, isRepeatable = false) =>
  commands.unassign(ANONYMOUS, { assignments: [{ projectRowId: shop, configRowId }], isRepeatable });
const replace = (configRowIds: readonly number[], projectRowId = shop) =>
  commands.replaceOfProject(ANONYMOUS, { projectRowId, configRowIds });
const offered = async () => ((await findConfigsOfProjects(engine, [shop])).get(shop) ?? []).map(({ name }) => name);

describe('configs', () => {
  it('come back as they were created, of every kind, beside the one that is there from the beginning', async () => {
    const made = [await create(range('b')), await create(choice('a')), await create(freeform('c'))];
    const rowId: unknown = expect.any(Number);
    expect(made).toEqual([range('b'), choice('a'), freeform('c')].map((content) => ({ ...content, rowId })));
    const all = await browseConfigs(engine, { offset: 0, limit: 10 });
    expect(all.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'user_feedback']);
    expect(all[3]).toMatchObject({
      kind: 'CATEGORICAL',
      direction: 'MAXIMIZE',
      isStrict: false,
      values: [
        { label: 'positive', score: 1 },
        { label: 'negative', score: 0 },
      ],
    });
  });

  it('have names of their own, none of them that of notes', async () => {
    await create(range('a'));
    await expect(create(choice(' a '))).rejects.toMatchObject(TAKEN);
    await expect(create(choice('note'))).rejects.toMatchObject(TAKEN);
    const { rowId } = await create(choice('b'));
    await expect(update(rowId, range('a'))).rejects.toMatchObject(TAKEN);
    await expect(update(rowId, range('note'))).rejects.toMatchObject(TAKEN);
    await expect(create({ ...choice('c'), name: '' })).rejects.toMatchObject({ code: 'invalid_argument' });
    expect((await findConfigs(engine, [rowId])).get(rowId)).toEqual({ ...choice('b'), rowId });
  });

  it('are replaced whole, also by another kind, under the same row id and for the same projects', async () => {
    const { rowId } = await create(freeform('a'));
    await assign([rowId]);
    expect(await update(rowId, range('a'))).toEqual({ ...range('a'), rowId });
    expect(await update(rowId, choice('b'))).toEqual({ ...choice('b'), rowId });
    expect(await offered()).toEqual(['b']);
    await expect(update(NOWHERE, choice('c'))).rejects.toMatchObject(NOT_FOUND);
    const changes = await engine.rows(
      `SELECT changes FROM audit_events WHERE operation = 'annotationConfigs.update' ORDER BY id`,
    );
    expect(changes.map((row) => JSON.parse(String(row['changes'])))).toEqual([
      ['kind', 'optimization_direction', 'content', 'is_strict'],
      ['name', 'kind', 'optimization_direction', 'content'],
    ]);
  });

  it('are deleted all or none, and offered no longer', async () => {
    const [one, two] = [await create(choice('a')), await create(choice('b'))];
    await assign([one.rowId, two.rowId]);
    await expect(remove(one.rowId, NOWHERE)).rejects.toMatchObject(NOT_FOUND);
    await expect(remove()).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await offered()).toEqual(['a', 'b']);
    expect(await remove(two.rowId, one.rowId, two.rowId)).toEqual([one, two]);
    expect(await offered()).toEqual([]);
    await expect(remove(one.rowId)).rejects.toMatchObject(NOT_FOUND);
    // A later config does not take the place of one that is gone.
    expect((await create(choice('a'))).rowId).not.toBe(one.rowId);
  });

  it('are a thousand at most', async () => {
    await engine.exec(`WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_CONFIGS})
      INSERT INTO annotation_configs (name, kind, content) SELECT 'c' || i, 'FREEFORM', '{}' FROM n`);
    await expect(create(choice('a'))).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining(String(MAX_CONFIGS)),
    });
    const [{ rowId } = { rowId: 0 }] = await browseConfigs(engine, { offset: 5, limit: 1 });
    expect(await update(rowId, choice('a'))).toMatchObject({ name: 'a' });
  });
});

describe('a project', () => {
  it('offers a config once, and those who watch the project hear of it', async () => {
    const { rowId } = await create(choice('a'));
    await assign([rowId]);
    expect(touched).toMatchObject([{ projectRowId: shop, traceIds: [] }]);
    await expect(assign([rowId])).rejects.toMatchObject(TAKEN);
    await assign([rowId], true);
    expect(await offered()).toEqual(['a']);
    expect(await countProjectsByConfig(engine, [rowId])).toEqual(new Map([[rowId, 1]]));
    await unassign(rowId);
    await expect(unassign(rowId)).rejects.toMatchObject(NOT_FOUND);
    await unassign(rowId, true);
    expect(await offered()).toEqual([]);
    expect(await countProjectsByConfig(engine, [rowId])).toEqual(new Map());
    expect(touched).toHaveLength(2);
  });

  it('takes several at once, all or none', async () => {
    const [one, two] = [await create(choice('a')), await create(range('b'))];
    await assign([one.rowId]);
    await expect(assign([two.rowId, one.rowId])).rejects.toMatchObject(TAKEN);
    await expect(assign([two.rowId, NOWHERE])).rejects.toMatchObject(NOT_FOUND);
    await expect(assign([two.rowId], false, NOWHERE)).rejects.toMatchObject(NOT_FOUND);
    await expect(assign([])).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await offered()).toEqual(['a']);
  });

  it('has the set of them replaced, newest first', async () => {
    const [one, two, three] = [await create(choice('a')), await create(range('b')), await create(freeform('c'))];
    await assign([one.rowId, two.rowId]);
    expect(await replace([two.rowId, three.rowId, two.rowId])).toEqual([three, two]);
    expect(await offered()).toEqual(['b', 'c']);
    await expect(replace([one.rowId, NOWHERE])).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(replace([one.rowId], NOWHERE)).rejects.toMatchObject(NOT_FOUND);
    expect(await offered()).toEqual(['b', 'c']);
    expect(await replace([])).toEqual([]);
    expect(await offered()).toEqual([]);
  });

  it('is changed by members, not by viewers', async () => {
    const { rowId } = await commands.create(userCaller('member'), choice('a'));
    const given = { assignments: [{ projectRowId: shop, configRowId: rowId }], isRepeatable: true };
    await commands.assign(userCaller('member'), given);
    for (const change of [
      () => commands.create(userCaller('viewer'), choice('b')),
      () => commands.unassign(userCaller('viewer'), given),
      () => commands.replaceOfProject(userCaller('viewer'), { projectRowId: shop, configRowIds: [] }),
      () => commands.delete(userCaller('viewer'), [rowId]),
    ]) {
      await expect(change()).rejects.toMatchObject({ code: 'permission_denied' });
    }
    expect(await offered()).toEqual(['a']);
  });
});
