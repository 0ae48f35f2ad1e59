import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { formatGlobalId } from '#base/global-id';
import { ANONYMOUS } from '#domain/caller';
import { type DeletionStore, openDeletionStore } from '#store/deletion/deletion.fixture';
import { DEFAULT_POLICY_ROW_ID, type PolicyChange, type RetentionRule } from '#domain/retention';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { listProjectsOf } from '#store/retention/due-traces';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type RetentionCommands, retentionCommands } from './commands.ts';
import { retentionPolicy } from './policy.ts';
import { countPolicies, countProjectsOf, findPolicies, findPoliciesOfProjects } from './queries.ts';
import { retentionRoutes } from './rest.ts';

let store: DeletionStore;
let commands: CommandCalls<RetentionCommands>;
let app: ReturnType<typeof appOf>;
let projects: readonly [app: number, shop: number];

beforeAll(async () => {
  store = await openDeletionStore();
  for (const [place, project] of ['app', 'shop'].entries()) {
    await store.send([{ traceId: traceId(place + 1), spanId: spanId(place + 1) }], project);
  }
  projects = [await store.projectRowId('app'), await store.projectRowId('shop')];
  commands = remoteCommands(retentionPolicy, runCommandsOn(store, [retentionCommands], store));
  app = appOf(retentionRoutes({ read: () => store }, commands));
});

beforeEach(async () => {
  await store.exec(`DELETE FROM retention_policies WHERE id <> ${DEFAULT_POLICY_ROW_ID}`);
  await store.exec('DELETE FROM project_retention');
});

const KEEP_FIVE: RetentionRule = { maxDays: null, maxCount: 5 };
const FINE = { name: 'fine', cron: '0 3 * * *', rule: KEEP_FIVE };

const create = (change: Partial<PolicyChange> = {}, of: readonly number[] = []) =>
  commands.create(ANONYMOUS, { ...FINE, ...change, projectRowIds: of });
const patch = (rowId: number, change: PolicyChange, added: readonly number[] = [], removed: readonly number[] = []) =>
  commands.patch(ANONYMOUS, { rowId, ...change, added, removed });
const deletePolicy = (rowId: number) => commands.delete(ANONYMOUS, rowId);

/** Names of the policies of both projects. */
async function policies(): Promise<readonly (string | undefined)[]> {
  const found = await findPoliciesOfProjects(store, projects);
  return projects.map((project) => found.get(project)?.name);
}

const invalid = (message: RegExp) => ({ code: 'invalid_argument', message: expect.stringMatching(message) });
const NOT_FOUND = { code: 'not_found' };

describe('a schedule', () => {
  it.each([
    ['0 0 * * *', 'every midnight'],
    ['00 03 * * *', 'leading zeroes'],
    ['0 */6 * * *', 'a step'],
    ['0 */99 * * *', 'a step beyond the day, which is midnight'],
    ['0 1-5/2,23 * * *', 'a range with a step, and a list'],
    ['0 3 * * mon-fri', 'weekdays by name'],
    ['0 3 * * SUN', 'a name in capitals'],
    ['0 3 * * 7', 'Sunday as 7'],
    ['0\t3  *\n* *', 'any blanks'],
  ])('is taken: %j, %s', async (cron) => {
    expect((await create({ cron })).cron).toBe(cron.trim());
  });

  it.each([
    ['', 'nothing'],
    ['* * * * *', 'every minute'],
    ['5 3 * * *', 'another minute'],
    ['-0 3 * * *', 'a minute with a sign'],
    ['0 3 1 * *', 'a day'],
    ['0 3 * 1 *', 'a month'],
    ['0 24 * * *', 'an hour that there is not'],
    ['0 -1 * * *', 'an hour below zero'],
    ['0 1.5 * * *', 'half an hour'],
    ['0 1e1 * * *', 'an exponent'],
    ['0 3 * * 8', 'a weekday that there is not'],
    ['0 5-3 * * *', 'a range backwards'],
    ['0 3 * * fri-mon', 'a range of names backwards'],
    ['0 */0 * * *', 'no step'],
    ['0 *-3 * * *', 'a range from any'],
    ['0 , * * *', 'an empty list'],
    ['0 1, * * *', 'a list that ends early'],
    ['0 3 * * ?', 'another cron'],
    ['0 3 * * 1#2', 'the second Monday'],
    ['@daily', 'a nickname'],
    ['0 3 * *', 'four fields'],
    ['0 3 * * * *', 'six fields'],
    ['0 constructor * * *', 'what every object has'],
    ['０ 3 * * *', 'a wide digit'],
    [`0 ${'1,'.repeat(50_000)}1 * * *`, 'a list without end'],
    [`0 ${'*/'.repeat(95)} * * *`, 'steps of steps'],
  ])('is refused: %j, %s', async (cron) => {
    await expect(create({ cron })).rejects.toMatchObject(invalid(/whose minute is 0/));
    await expect(patch(DEFAULT_POLICY_ROW_ID, { cron })).rejects.toMatchObject(invalid(/whose minute is 0/));
  });
});

describe('a rule', () => {
  it.each<RetentionRule>([
    { maxDays: 0, maxCount: null },
    { maxDays: 0.5, maxCount: null },
    { maxDays: 36_525, maxCount: 0 },
    { maxDays: null, maxCount: 2 ** 31 - 1 },
  ])('is taken: %j', async (rule) => {
    expect(await create({ rule })).toMatchObject(rule);
  });

  it.each<[RetentionRule, RegExp]>([
    [{ maxDays: -1, maxCount: null }, /Days are between 0/],
    [{ maxDays: -Number.MIN_VALUE, maxCount: null }, /Days are between 0/],
    [{ maxDays: 36_525.1, maxCount: null }, /and 36525/],
    [{ maxDays: Number.MAX_VALUE, maxCount: null }, /and 36525/],
    [{ maxDays: Number.NaN, maxCount: null }, /Days are between 0/],
    [{ maxDays: null, maxCount: -1 }, /number of traces is 0/],
    [{ maxDays: 1, maxCount: Number.NaN }, /number of traces is 0/],
  ])('is refused: %j', async (rule, message) => {
    await expect(create({ rule })).rejects.toMatchObject(invalid(message));
  });

  it('replaces the whole of another', async () => {
    const { rowId } = await create({ rule: { maxDays: 7, maxCount: 100 } });
    expect(await patch(rowId, { rule: { maxDays: 3, maxCount: null } })).toMatchObject({ maxDays: 3, maxCount: null });
    expect(await patch(rowId, { name: 'renamed' })).toMatchObject({ name: 'renamed', maxDays: 3, cron: FINE.cron });
  });
});

describe('a name', () => {
  it.each([
    ['', /needs a name/],
    [' \n\t ', /needs a name/],
    ['x'.repeat(201), /at most 200/],
    ['a\u0000b', /control characters/],
    ['a\u0085b', /control characters/],
    ['\ud800', /control characters/],
  ])('is refused: %j', async (name, message) => {
    await expect(create({ name })).rejects.toMatchObject(invalid(message));
  });

  it('has no blanks around it', async () => {
    expect((await create({ name: ' nightly 🌙 ' })).name).toBe('nightly 🌙');
  });
});

describe('projects', () => {
  it('have one policy at a time, and the default one again when that is gone', async () => {
    const [one, two] = projects;
    const first = await create({ name: 'first' }, [one, two]);
    expect(await policies()).toEqual(['first', 'first']);
    const second = await create({ name: 'second' }, [two]);
    expect(await policies()).toEqual(['first', 'second']);
    // What another policy has is not taken from it.
    await patch(first.rowId, {}, [], [two]);
    expect(await policies()).toEqual(['first', 'second']);
    await patch(first.rowId, {}, [], [one]);
    expect(await policies()).toEqual(['Default', 'second']);
    await patch(DEFAULT_POLICY_ROW_ID, {}, [two]);
    expect(await policies()).toEqual(['Default', 'Default']);
    await patch(second.rowId, {}, [one]);
    expect([await countProjectsOf(store, second.rowId), await countProjectsOf(store, DEFAULT_POLICY_ROW_ID)]).toEqual([
      1, 2,
    ]);
    expect(await deletePolicy(second.rowId)).toMatchObject({ name: 'second' });
    expect(await policies()).toEqual(['Default', 'Default']);
    expect(await listProjectsOf(store.db, DEFAULT_POLICY_ROW_ID, { offset: 0, limit: 10 })).toEqual([1, ...projects]);
  });

  it('are not inherited by a policy that comes after one that was deleted', async () => {
    const { rowId } = await create({ name: 'gone' }, [...projects]);
    await deletePolicy(rowId);
    const next = await create({ name: 'next', rule: { maxDays: null, maxCount: 1 } });
    expect(next.rowId).not.toBe(rowId);
    expect(await policies()).toEqual(['Default', 'Default']);
    expect(await countProjectsOf(store, next.rowId)).toBe(0);
  });

  it('that are not there leave nothing behind', async () => {
    await expect(create({}, [projects[0], 999])).rejects.toMatchObject(NOT_FOUND);
    const many = Array.from({ length: 1001 }, (_, index) => index + 1);
    await expect(create({}, many)).rejects.toMatchObject(invalid(/At most 1000 projects/));
    expect(await countPolicies(store)).toBe(1);
    const { rowId } = await create();
    await expect(patch(rowId, { name: 'changed' }, [999])).rejects.toMatchObject(NOT_FOUND);
    expect((await findPolicies(store, [rowId])).get(rowId)?.name).toBe('fine');
  });

  it('that are not there keep a policy as it was, whatever else is asked of it', async () => {
    const { rowId } = await create({ name: 'kept' }, [projects[0]]);
    const before = await findPolicies(store, [rowId]);
    await expect(patch(rowId, { name: 'changed', cron: '0 4 * * *' }, [projects[1]], [999])).rejects.toMatchObject(
      NOT_FOUND,
    );
    await expect(patch(rowId, { name: 'changed' }, [projects[1], 999])).rejects.toMatchObject(NOT_FOUND);
    expect(await findPolicies(store, [rowId])).toEqual(before);
    expect(await policies()).toEqual(['kept', 'Default']);
  });

  it('cannot come and go at once', async () => {
    const { rowId } = await create();
    await expect(patch(rowId, {}, [projects[0]], [projects[0]])).rejects.toMatchObject(invalid(/at once/));
  });
});

describe('policies', () => {
  it('that are not there are not found', async () => {
    const { rowId } = await create();
    await deletePolicy(rowId);
    await expect(patch(rowId, { name: 'again' }, [projects[0]])).rejects.toMatchObject(NOT_FOUND);
    await expect(deletePolicy(rowId)).rejects.toMatchObject(NOT_FOUND);
    expect(await policies()).toEqual(['Default', 'Default']);
  });

  it('include the default one for ever, under its name', async () => {
    await expect(deletePolicy(DEFAULT_POLICY_ROW_ID)).rejects.toMatchObject(invalid(/cannot be deleted/));
    await expect(patch(DEFAULT_POLICY_ROW_ID, { name: 'other' })).rejects.toMatchObject(invalid(/cannot be renamed/));
    const leave = patch(DEFAULT_POLICY_ROW_ID, {}, [], [projects[0]]);
    await expect(leave).rejects.toMatchObject(invalid(/assign another policy/));
  });

  it('are a thousand at most', async () => {
    await store.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
      INSERT INTO retention_policies (name, cron, max_count, looked_at_us) SELECT 'p' || i, '0 3 * * *', 1, 0 FROM n`);
    await expect(create()).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining('1000'),
    });
  });
});

describe('over REST', () => {
  const choose = async (project: string, body: object) => {
    const { statusCode, body: text } = await app.inject({
      method: 'PATCH',
      url: `/v1/projects/${project}/retention`,
      payload: body,
    });
    return [statusCode, text] as const;
  };
  const policyId = (rowId: number) => formatGlobalId('ProjectTraceRetentionPolicy', rowId);

  it('a project is given a policy, by its name or its id', async () => {
    const { rowId } = await create({ name: 'chosen' });
    expect((await choose('app', { policy_id: policyId(rowId) }))[0]).toBe(200);
    expect((await choose(formatGlobalId('Project', projects[1]), { policy_id: policyId(rowId) }))[0]).toBe(200);
    expect(await policies()).toEqual(['chosen', 'chosen']);
    expect((await choose('app', { policy_id: null }))[0]).toBe(200);
    expect(await policies()).toEqual(['Default', 'chosen']);
  });

  it.each<[string, object, number, RegExp]>([
    ['an id of another type', { policy_id: formatGlobalId('Project', 1) }, 422, /Invalid policy id/],
    ['no id', { policy_id: 'x' }, 422, /Invalid policy id/],
    ['an empty id', { policy_id: '' }, 422, /Invalid policy id/],
    ['a number', { policy_id: 1 }, 422, /policy_id/],
    ['nothing', {}, 422, /policy_id/],
    ['one that is not there', { policy_id: policyId(99_999) }, 404, /no such retention policy/],
  ])('%s is refused', async (_what, body, status, message) => {
    const [answered, text] = await choose('app', body);
    expect([answered, text]).toEqual([status, expect.stringMatching(message)]);
    expect(await policies()).toEqual(['Default', 'Default']);
  });

  it('a project that is not there is not made', async () => {
    expect(await choose('none', { policy_id: null })).toEqual([404, 'There is no project none.']);
    expect((await choose(formatGlobalId('Trace', 1), { policy_id: null }))[0]).toBe(404);
  });
});
