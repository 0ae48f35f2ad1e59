import { expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { definePolicy } from '#domain/access';
import { ANONYMOUS, type Caller, systemCaller } from '#domain/caller';
import { keyCaller, systemKeyCaller, userCaller } from '#domain/callers.fixture';
import { openTestEngine } from '../engine/open-test-engine.fixture.ts';
import type { AuditNote } from './audit.ts';
import { defineCommands, growing, recordCommand, telemetryCommand } from './command.ts';
import { runCommandsOn } from './run-commands.fixture.ts';

const policy = definePolicy('things', { change: 'read', count: 'read' });

interface Input {
  readonly notes?: readonly AuditNote[];
  readonly fails?: boolean;
}

async function work(note: (one: AuditNote) => void, { notes = [], fails = false }: Input): Promise<void> {
  for (const one of notes) note(one);
  if (fails) throw new AppError('not_found', 'There is no such thing.');
}

const commands = defineCommands(policy, {
  change: recordCommand((scope, _caller, input: Input) => work((one) => scope.note(one), input)),
  count: telemetryCommand((scope, _caller, input: Input) => work((one) => scope.note(one), input)),
});

const NOTE: AuditNote = { object: { type: 'Thing', id: 3, name: 'x' }, projectRowId: 1, changes: ['name'] };

it.each(['things.change', 'things.count'])(
  '%s leaves a row where it says nothing, or one for each that it says',
  async (operation) => {
    const engine = await openTestEngine();
    const run = runCommandsOn(engine, [commands]);
    const rows = async () =>
      (
        await engine.rows(
          'SELECT operation, outcome, object_type, object_id, object_name, project_row_id, changes FROM audit_events',
        )
      ).length;
    await run(operation, ANONYMOUS, {});
    expect(await rows()).toBe(1);
    await run(operation, ANONYMOUS, { notes: [NOTE, NOTE] });
    expect(await rows()).toBe(3);
    await run(operation, systemCaller('start'), {});
    expect(await rows()).toBe(3);
    await run(operation, systemCaller('start'), { notes: [NOTE] });
    expect(await rows()).toBe(4);
    await expect(run(operation, ANONYMOUS, { notes: [NOTE], fails: true })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await rows()).toBe(4);
  },
);

it('says who it was, whatever they showed', async () => {
  const engine = await openTestEngine();
  const run = runCommandsOn(engine, [commands]);
  const callers: readonly [Caller, unknown[]][] = [
    [{ ...ANONYMOUS, address: '192.0.2.1' }, ['anonymous', null, null, '192.0.2.1']],
    [userCaller('viewer', 4), ['user', 4, 'Ada', null]],
    [keyCaller('member', null, 5), ['user', 5, 'Ada', null]],
    [systemKeyCaller(), ['system_key', 1, 'ci', null]],
    [{ kind: 'admin_secret', role: 'admin', rowId: 1 }, ['admin_secret', null, null, null]],
  ];
  for (const [caller] of callers) await run('things.change', caller, { notes: [NOTE] });
  const rows = await engine.rows('SELECT * FROM audit_events ORDER BY id');
  expect(rows.map((row) => [row['caller_kind'], row['caller_row_id'], row['caller_name'], row['address']])).toEqual(
    callers.map(([, expected]) => expected),
  );
  expect(rows[0]).toMatchObject({
    outcome: 'done',
    operation: 'things.change',
    event_count: 1,
    object_type: 'Thing',
    object_id: '3',
    object_name: 'x',
    project_row_id: 1,
    changes: '["name"]',
  });
});

it('refuses what grows while there is no room, and nothing else', async () => {
  const engine = await openTestEngine();
  const assertRoom = () => Promise.reject(new AppError('insufficient_storage', 'The data uses too much.'));
  const change = recordCommand(async () => 'done');
  const run = runCommandsOn(engine, [defineCommands(growing(policy, 'change'), { change, count: change })], {
    assertRoom,
  });
  await expect(run('things.change', ANONYMOUS, {})).rejects.toMatchObject({ code: 'insufficient_storage' });
  expect(await run('things.count', ANONYMOUS, {})).toBe('done');
});
