import { beforeEach, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import { relationalProjectStore } from '#store/projects/relational-projects';
import type { TouchedProject } from '#store/engine/touched-project';
import { type ProjectCommands, projectCommands } from './commands.ts';
import { projectPolicy } from './policy.ts';

let commands: CommandCalls<ProjectCommands>;
let store: ReturnType<typeof relationalProjectStore>;
let touched: TouchedProject[];

beforeEach(async () => {
  const engine = await openTestEngine();
  touched = [];
  commands = remoteCommands(projectPolicy, runCommandsOn(engine, [projectCommands], { touched }));
  store = relationalProjectStore(engine.db, engine.dialect);
});

describe('commands of projects', () => {
  it('create a project with colours of its own, unless there is one of that name', async () => {
    const created = await commands.create(ANONYMOUS, { name: ' new ', description: 'why' });
    expect(created).toMatchObject({ name: 'new', description: 'why', gradientStartColor: expect.stringMatching(/^#/) });
    expect(await store.findProject({ name: 'new' })).toEqual(created);
    await expect(commands.create(ANONYMOUS, { name: 'new' })).rejects.toMatchObject({ code: 'already_exists' });
    expect(touched).toMatchObject([{ projectRowId: created.rowId, traceIds: [] }]);
  });

  it('change what is given alone, and note when', async () => {
    const before = await commands.create(ANONYMOUS, { name: 'new', description: 'why', gradientEndColor: '#010203' });
    const { rowId } = before;
    const after = await commands.patch(ANONYMOUS, { rowId, description: null, gradientStartColor: '#040506' });
    expect(after).toMatchObject({ description: null, gradientStartColor: '#040506', gradientEndColor: '#010203' });
    expect(after.updatedAtUs).toBeGreaterThanOrEqual(before.updatedAtUs);
    await expect(commands.patch(ANONYMOUS, { rowId: 99 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are refused to callers who may not use them', async () => {
    await expect(commands.create(userCaller('viewer'), { name: 'new' })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    expect(await store.findProject({ name: 'new' })).toBeUndefined();
  });
});
