/** A command that is cut off after any of its statements has changed nothing. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openPostgresServers } from '#store/engine/open-postgres-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { openSqliteWriter } from '#store/sqlite/connection';
import { openSqliteFileEngine, sqliteTestEngineOn } from '#store/sqlite/open-test-engine.fixture';
import { describePostgres } from '../../test/harness/postgres/databases.ts';
import {
  ALL_COMMANDS,
  applyStep,
  FIRST_STEPS,
  noRowIds,
  NOTHING,
  readStored,
  type RowIds,
  runStep,
  type Step,
  type Stored,
} from './command-model.fixture.ts';

/** One of each kind, each of which changes something. */
const STEPS: readonly Step[] = [
  { kind: 'createProject', name: 'c' },
  { kind: 'describeProject', name: 'a', description: 'x' },
  { kind: 'createPolicy', name: 'd', projects: ['a', 'b', 'c'] },
  { kind: 'patchPolicy', name: 'a', cron: '0 1 * * *', added: ['b'], removed: ['a'] },
  { kind: 'assign', name: 'a', project: 'c' },
  { kind: 'deletePolicy', name: 'a' },
  { kind: 'createPrice', name: 'a', pattern: 'p' },
  { kind: 'deletePrice', name: 'a' },
  { kind: 'createConfig', name: 'c' },
  { kind: 'offer', name: 'c', project: 'a' },
  { kind: 'setOffered', names: ['a', 'b'], project: 'a' },
  { kind: 'renameConfig', name: 'a', to: 'd' },
  { kind: 'withdraw', name: 'd', project: 'a' },
  { kind: 'deleteConfig', name: 'b' },
];

/** Fills the database, and gives it to the function before and after each step. */
async function forEachStep(
  engine: TestEngine,
  run: (step: Step, rowIds: RowIds, before: Stored, after: Stored) => Promise<void>,
): Promise<void> {
  const rowIds = noRowIds();
  let stored = NOTHING;
  for (const step of FIRST_STEPS) {
    await runStep(runCommandsOn(engine, ALL_COMMANDS), step, rowIds);
    ({ stored } = applyStep(stored, step));
  }
  for (const step of STEPS) {
    const after = applyStep(stored, step).stored;
    expect(after).not.toEqual(stored);
    await run(step, rowIds, stored, after);
    expect(await readStored(engine)).toEqual(after);
    stored = after;
  }
}

/** Calls the function after each statement of a command. */
function afterEachStatement(call: () => Promise<void>): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await call();
      return result;
    },
  };
}

it('on SQLite, what a crash leaves is what was there before the command, until it is answered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'cairn.db');
  const engine = await openSqliteFileEngine(path);
  onTestFinished(() => engine.close());
  /** What somebody reads who opens the files as they are now: those of a process that was killed. */
  const readCrashed = async () => {
    for (const ending of ['', '-wal']) {
      if (existsSync(path + ending)) copyFileSync(path + ending, join(folder, `crashed${ending}`));
    }
    const crashed = sqliteTestEngineOn(openSqliteWriter(join(folder, 'crashed')));
    const stored = await readStored(crashed);
    await crashed.close();
    for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, `crashed${ending}`), { force: true });
    return stored;
  };
  await forEachStep(engine, async (step, rowIds, before, after) => {
    let statements = 0;
    const plugin = afterEachStatement(async () => {
      statements += 1;
      expect(await readCrashed()).toEqual(before);
    });
    await runStep(runCommandsOn(engine, ALL_COMMANDS, { plugin }), step, rowIds);
    expect(statements).toBeGreaterThan(0);
    expect(await readCrashed()).toEqual(after);
  });
});

describePostgres('a command on PostgreSQL whose connection is ended', () => {
  it('has changed nothing, after whichever of its statements', async () => {
    const [engine] = await openPostgresServers(1);
    if (engine === undefined) throw new Error('no server');
    await forEachStep(engine, async (step, rowIds, before) => {
      for (let last = 1, isCut = true; isCut; last++) {
        let statements = 0;
        isCut = false;
        const plugin = afterEachStatement(async () => {
          if (++statements !== last) return;
          isCut = true;
          await engine.exec(END_WRITERS);
        });
        const outcome = await runStep(runCommandsOn(engine, ALL_COMMANDS, { plugin }), step, rowIds);
        expect(outcome).toBe(isCut ? 'unavailable' : 'done');
        if (isCut) expect(await readStored(engine)).toEqual(before);
      }
    });
  });
});

/** Ends every connection that is in a transaction of this database. */
const END_WRITERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`;
