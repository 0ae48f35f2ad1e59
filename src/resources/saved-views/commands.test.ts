import { beforeEach, describe, expect, it } from 'vitest';
import { ANONYMOUS, type Caller } from '#domain/caller';
import { systemKeyCaller, userCaller } from '#domain/callers.fixture';
import { MAX_VIEWS_OF_OWNER } from '#domain/saved-view';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { newProjectRow } from '#store/projects/new-project-row';
import { type NewView, type SavedViewCommands, savedViewCommands } from './commands.ts';
import { savedViewPolicy } from './policy.ts';
import { findViewContents, listViews } from './queries.ts';

const ADMIN = userCaller('admin', 1);
const ADA = userCaller('member', 2);
const BOB = userCaller('member', 3);

let engine: TestEngine;
let commands: CommandCalls<SavedViewCommands>;
let project: number;

beforeEach(async () => {
  engine = await openTestEngine();
  for (const name of ['root', 'ada', 'bob']) {
    await engine.exec(
      `INSERT INTO users (username, email, role, auth_method, oauth2_client_id, created_at_us, updated_at_us)
       VALUES ('${name}', '${name}@example.com', 'MEMBER', 'OAUTH2', 'x', 1, 1)`,
    );
  }
  project = await newProject('shop');
  commands = remoteCommands(savedViewPolicy, runCommandsOn(engine, [savedViewCommands]));
});

async function newProject(name: string): Promise<number> {
  const row = await engine.db
    .insertInto('projects')
    .values(newProjectRow(name))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

const create = (caller: Caller, view: Partial<NewView> = {}) =>
  commands.create(caller, {
    projectRowId: project,
    table: 'spans',
    name: 'Slow',
    content: '{}',
    isShared: false,
    ...view,
  });
const seenBy = async (caller: Caller) => (await listViews(engine, caller, project)).map(({ name }) => name);
const openedBy = async (caller: Caller) =>
  (await listViews(engine, caller, project)).flatMap(({ name, isOwnDefault, isSharedDefault }) => [
    ...(isOwnDefault ? [`own ${name}`] : []),
    ...(isSharedDefault ? [`shared ${name}`] : []),
  ]);
const choice = (viewRowId: number | null) => ({ projectRowId: project, table: 'spans' as const, viewRowId });
const refused = (code: string, message: RegExp = /./) => ({ code, message: expect.stringMatching(message) });

describe('a view', () => {
  it('is seen by its owner alone, or by everybody', async () => {
    await create(ADA);
    await create(ADA, { name: 'Errors', isShared: true });
    expect([await seenBy(ADA), await seenBy(BOB), await seenBy(ADMIN), await seenBy(ANONYMOUS)]).toEqual([
      ['Slow', 'Errors'],
      ['Errors'],
      ['Errors'],
      ['Errors'],
    ]);
    const [slow] = await listViews(engine, ADA, project);
    expect(slow).toMatchObject({ table: 'spans', ownerName: 'ada', isShared: false, isOwnDefault: false });
  });

  it.each([ANONYMOUS, systemKeyCaller()])(
    'of a caller without an account is shared and belongs to nobody',
    async (caller) => {
      expect(await create(caller)).toMatchObject({ isShared: true, ownerRowId: null });
      await expect(create(caller)).rejects.toMatchObject(refused('already_exists'));
      expect(await seenBy(BOB)).toEqual(['Slow']);
    },
  );

  it('has a name that no other one of its owner has in the table', async () => {
    const { rowId } = await create(ADA, { name: ' Slow\n' });
    await expect(create(ADA, { isShared: true })).rejects.toMatchObject(refused('already_exists', /named Slow/));
    await create(ADA, { table: 'traces' });
    await create(BOB);
    const other = await create(ADA, { name: 'Errors' });
    await expect(commands.patch(ADA, { rowId: other.rowId, name: 'Slow' })).rejects.toMatchObject(
      refused('already_exists'),
    );
    expect(await commands.patch(ADA, { rowId, name: 'Slow' })).toMatchObject({ name: 'Slow' });
  });

  it.each(['', ' \n', 'x'.repeat(101), 'a\u202Eb', 'a\u0000b'])('is not called %j', async (name) => {
    await expect(create(ADA, { name })).rejects.toMatchObject(refused('invalid_argument'));
  });

  it('is changed by its owner and, while it is shared, by administrators', async () => {
    const { rowId } = await create(ADA);
    for (const caller of [BOB, ADMIN]) {
      await expect(commands.patch(caller, { rowId, name: 'x' })).rejects.toMatchObject(refused('not_found'));
      await expect(commands.delete(caller, rowId)).rejects.toMatchObject(refused('not_found'));
    }
    expect(await commands.patch(ADA, { rowId, isShared: true, content: '{"group":"model"}' })).toMatchObject({
      isShared: true,
    });
    await expect(commands.patch(BOB, { rowId, name: 'x' })).rejects.toMatchObject(
      refused('permission_denied', /owner/),
    );
    await expect(commands.delete(BOB, rowId)).rejects.toMatchObject(refused('permission_denied'));
    expect(await commands.patch(ADMIN, { rowId, name: 'Slower' })).toMatchObject({ name: 'Slower', ownerRowId: 2 });
    expect(await findViewContents(engine, [rowId])).toEqual(new Map([[rowId, '{"group":"model"}']]));
    await commands.delete(ADMIN, rowId);
    await expect(commands.delete(ADA, rowId)).rejects.toMatchObject(refused('not_found'));
  });

  it('is not for viewers to change', async () => {
    await expect(create(userCaller('viewer', 2))).rejects.toMatchObject(refused('permission_denied'));
  });

  it('stays shared where nobody owns it', async () => {
    const { rowId } = await create(ANONYMOUS);
    await expect(commands.patch(ADMIN, { rowId, isShared: false })).rejects.toMatchObject(
      refused('failed_precondition'),
    );
    await expect(commands.patch(ADA, { rowId, name: 'x' })).rejects.toMatchObject(refused('permission_denied'));
  });

  it('goes with the account of its owner unless it is shared, whatever it is called', async () => {
    await create(ANONYMOUS, { name: 'Errors' });
    await create(ADA, { name: 'Errors', isShared: true });
    await create(ADA);
    await engine.exec('DELETE FROM users WHERE id = 2');
    expect(await seenBy(ADMIN)).toEqual(['Errors', 'Errors']);
    expect(await engine.rows('SELECT name, owner_id FROM saved_views')).toEqual([
      { name: 'Errors', owner_id: null },
      { name: 'Errors', owner_id: null },
    ]);
  });

  it('goes with its project', async () => {
    const { rowId } = await create(ADA);
    await commands.setOwnDefault(ADA, choice(rowId));
    await engine.exec(`DELETE FROM projects WHERE id = ${project}`);
    expect(await engine.rows('SELECT id FROM saved_views')).toEqual([]);
    await expect(create(ADA)).rejects.toMatchObject(refused('not_found', /project/));
  });

  it('is one of a bounded number', async () => {
    await engine.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_VIEWS_OF_OWNER})
      INSERT INTO saved_views (project_id, table_name, name, owner_id, seen_by_id, content, created_at_us, updated_at_us)
      SELECT ${project}, 'traces', 'v' || i, 2, 2, '{}', 1, 1 FROM n`);
    await expect(create(ADA)).rejects.toMatchObject(refused('failed_precondition', /200/));
    await create(BOB);
    project = await newProject('app');
    await create(ADA);
  });

  it('leaves a line in the log for each change, without what it keeps', async () => {
    const { rowId } = await create(ADA, { content: '{"filter":"name == \\"canary\\""}' });
    await commands.patch(ADA, { rowId, isShared: true });
    await commands.delete(ADMIN, rowId);
    const events = await engine.rows(
      'SELECT operation, object_name, project_row_id, changes FROM audit_events ORDER BY id',
    );
    expect(events).toEqual(
      [
        ['savedViews.create', '["name","content"]'],
        ['savedViews.patch', '["shared"]'],
        ['savedViews.delete', '["deleted"]'],
      ].map(([operation, changes]) => ({ operation, object_name: 'Slow', project_row_id: project, changes })),
    );
  });
});

describe('what a table opens with', () => {
  it('is chosen by each person, and for everybody', async () => {
    const own = await create(ADA);
    const shared = await create(BOB, { name: 'Errors', isShared: true });
    await commands.setSharedDefault(ADMIN, choice(shared.rowId));
    await commands.setOwnDefault(ADA, choice(own.rowId));
    expect([await openedBy(ADA), await openedBy(BOB)]).toEqual([['own Slow', 'shared Errors'], ['shared Errors']]);
    await commands.setOwnDefault(ADA, choice(shared.rowId));
    expect(await openedBy(ADA)).toEqual(['own Errors', 'shared Errors']);
    await commands.setOwnDefault(ADA, choice(null));
    await commands.setSharedDefault(ADMIN, choice(null));
    expect(await openedBy(ADA)).toEqual([]);
  });

  it('is one shared view at a time', async () => {
    const first = await create(ADMIN, { isShared: true });
    const second = await create(ADMIN, { name: 'Errors', isShared: true });
    await commands.setSharedDefault(ADMIN, choice(first.rowId));
    await commands.setSharedDefault(ADMIN, choice(second.rowId));
    expect(await openedBy(BOB)).toEqual(['shared Errors']);
  });

  it('is no longer a view that is not shared any more, but for its owner', async () => {
    const { rowId } = await create(ADA, { isShared: true });
    await commands.setSharedDefault(ADMIN, choice(rowId));
    await commands.setOwnDefault(ADA, choice(rowId));
    await commands.setOwnDefault(BOB, choice(rowId));
    await commands.patch(ADA, { rowId, isShared: false });
    expect([await openedBy(ADA), await openedBy(BOB)]).toEqual([['own Slow'], []]);
    expect(await engine.rows('SELECT user_id FROM own_default_views')).toEqual([{ user_id: 2 }]);
  });

  it('is neither a view of another table nor one that the caller does not see', async () => {
    const elsewhere = await create(ADA, { table: 'traces' });
    const bobs = await create(BOB);
    for (const { rowId } of [elsewhere, bobs]) {
      await expect(commands.setOwnDefault(ADA, choice(rowId))).rejects.toMatchObject(refused('not_found'));
      await expect(commands.setSharedDefault(ADMIN, choice(rowId))).rejects.toMatchObject(refused('not_found'));
    }
    const own = await create(ADMIN);
    await expect(commands.setSharedDefault(ADMIN, choice(own.rowId))).rejects.toMatchObject(
      refused('failed_precondition'),
    );
  });

  it('is a person’s own only with an account, and everybody’s only by administrators', async () => {
    await expect(commands.setOwnDefault(ANONYMOUS, choice(null))).rejects.toMatchObject(refused('permission_denied'));
    await expect(commands.setOwnDefault(systemKeyCaller(), choice(null))).rejects.toMatchObject(
      refused('permission_denied'),
    );
    await expect(commands.setSharedDefault(ADA, choice(null))).rejects.toMatchObject(refused('permission_denied'));
  });
});

describe('views that are saved at once', () => {
  it('keep to the rules of names', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => create(ANONYMOUS)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await seenBy(BOB)).toEqual(['Slow']);
  });
});
