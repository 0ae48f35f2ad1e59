/** However commands run beside each other, on one server or on two: there is an administrator, and each account is made once. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '#base/errors';
import { unusablePassword } from '#credentials/unusable-password';
import { BUILT_IN_ADMIN } from '#domain/account';
import { type Caller, systemCaller } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openPostgresServers } from '#store/engine/open-postgres-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { openSqliteTestEngine } from '#store/sqlite/open-test-engine.fixture';
import { describePostgres } from '../../../../test/harness/postgres/databases.ts';
import { type UserCommands, userCommands } from '../commands.ts';
import { userPolicy } from '../policy.ts';

const PEOPLE = ['ada', 'bob', 'cy', 'dan'] as const;
type Person = (typeof PEOPLE)[number];

/** What somebody does to somebody; the row ids are the database's. */
type Step =
  | { readonly kind: 'create'; readonly by: Person; readonly whom: Person }
  | { readonly kind: 'promote' | 'demote' | 'delete' | 'remove'; readonly by: Person; readonly whom: Person };

const PERSON = fc.constantFrom(...PEOPLE);
const STEP: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('create', 'promote', 'demote', 'delete', 'remove'),
  by: PERSON,
  whom: PERSON,
});

type Calls = CommandCalls<UserCommands>;

async function openRunners(servers: readonly TestEngine[]): Promise<readonly [Calls, ...Calls[]]> {
  const [first, ...others] = servers.map((server) =>
    remoteCommands<UserCommands>(userPolicy, runCommandsOn(server, [userCommands])),
  );
  if (first === undefined) throw new Error('no server');
  return [first, ...others];
}

/** Administrators alone, without the built-in one, who would always be left. */
async function begin(engine: TestEngine, calls: Calls): Promise<Map<Person, number>> {
  await engine.exec('DELETE FROM users');
  const input = { unusable: unusablePassword(), initialPassword: null, admins: [], tellsPlanted: false };
  await calls.prepare(systemCaller('start'), input);
  const rowIds = new Map<Person, number>();
  for (const person of PEOPLE) rowIds.set(person, (await create(calls, SECRET, person)).rowId);
  await engine.exec(`DELETE FROM users WHERE email = '${BUILT_IN_ADMIN.email}'`);
  return rowIds;
}

const SECRET: Caller = { kind: 'admin_secret', role: 'admin', rowId: 1 };

const create = (calls: Calls, caller: Caller, person: Person) =>
  calls.create(caller, {
    username: person,
    email: `${person}@example.com`,
    role: 'ADMIN',
    authMethod: 'LOCAL',
    password: unusablePassword(),
  });

/** What it was refused with, or nothing. */
async function run(calls: Calls, { kind, by, whom }: Step, rowIds: Map<Person, number>): Promise<string | undefined> {
  const rowId = rowIds.get(whom) ?? 0;
  const caller = userCaller('admin', rowIds.get(by) ?? 0);
  try {
    if (kind === 'create') rowIds.set(whom, (await create(calls, caller, whom)).rowId);
    else if (kind === 'promote') await calls.patch(caller, { rowId, role: 'ADMIN' });
    else if (kind === 'demote') await calls.patch(caller, { rowId, role: 'MEMBER' });
    else if (kind === 'delete') await calls.delete(caller, rowId);
    else await calls.remove(caller, [rowId]);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

async function expectAdministrator(
  servers: readonly TestEngine[],
  batches: readonly (readonly Step[])[],
): Promise<void> {
  const runners = await openRunners(servers);
  const [engine] = servers;
  if (engine === undefined) throw new Error('no server');
  const rowIds = await begin(engine, runners[0]);
  for (const batch of batches) {
    const refusals = await Promise.all(
      batch.map((step, place) => run(runners[place % runners.length] ?? runners[0], step, rowIds)),
    );
    expect(refusals.filter((code) => code !== undefined && !EXPECTED.has(code))).toEqual([]);
    const admins = await engine.rows(`SELECT id FROM users WHERE role = 'ADMIN'`);
    expect(admins.length).toBeGreaterThan(0);
  }
}

const EXPECTED: ReadonlySet<string> = new Set([
  'already_exists',
  'not_found',
  'permission_denied',
  'failed_precondition',
]);

const BATCHES = fc.array(fc.array(STEP, { minLength: 2, maxLength: 6 }), { maxLength: 6 });

/** All of them at once, as servers that start together do. */
async function expectOneOfEach(servers: readonly TestEngine[]): Promise<void> {
  const runners = await openRunners(servers);
  const admins = [
    { username: 'ada', email: 'ada@example.com', password: unusablePassword(), authMethod: 'LOCAL' as const },
  ];
  const prepared = await Promise.all(
    [...runners, ...runners].map((calls) =>
      calls.prepare(systemCaller('start'), {
        unusable: unusablePassword(),
        initialPassword: { hash: 'aGFzaA==', salt: 'c2FsdA==', algorithm: 'argon2id:m=65536,t=2,p=1' },
        admins,
        tellsPlanted: true,
      }),
    ),
  );
  expect(prepared.filter(({ isPasswordSet }) => isPasswordSet)).toHaveLength(1);
  const accounts = await servers[0]?.rows('SELECT id, username FROM users ORDER BY id');
  expect(accounts).toEqual([
    { id: 1, username: 'system' },
    { id: 2, username: 'admin' },
    { id: 3, username: 'ada' },
  ]);
}

describe('accounts on one server', () => {
  it('have an administrator', async () => {
    const engine = await openSqliteTestEngine();
    onTestFinished(() => engine.close());
    await fc.assert(
      fc.asyncProperty(BATCHES, (batches) => expectAdministrator([engine], batches)),
      { numRuns: 60 },
    );
  });

  it('are made once at the start', async () => {
    const engine = await openSqliteTestEngine();
    onTestFinished(() => engine.close());
    await expectOneOfEach([engine]);
  });
});

describePostgres('accounts on two servers', () => {
  it('have an administrator', async () => {
    const servers = await openPostgresServers(2);
    await fc.assert(
      fc.asyncProperty(BATCHES, (batches) => expectAdministrator(servers, batches)),
      { numRuns: 25 },
    );
  });

  it('are made once at the start of both', async () => {
    await expectOneOfEach(await openPostgresServers(2));
  });
});
