import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { Secret } from '#base/secret';
import { SecretBox, type SecretBoxOptions } from '#credentials/secret-box';
import { SecretKeyFile } from '#credentials/secret-key-file';
import { systemCaller } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';
import { MAX_SECRETS, SHOWN_VALUE } from '#domain/secret';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { type SecretCommands, secretCommands } from './commands.ts';
import { rotateSecrets, sealSecrets, secretReader } from './operations.ts';
import { secretPolicy } from './policy.ts';
import { findSecrets, listSecrets } from './queries.ts';
import { secretRoutes } from './rest.ts';

const ONE = new Secret('1-long-random-text-of-one-server-aaaa');
const OTHER = new Secret('2-long-random-text-of-another-bbbbbb');
const CANARY = 'sk-canary-of-a-secret';
const ADMIN = userCaller('admin', 1);

let engine: TestEngine;
let commands: CommandCalls<SecretCommands>;
let box: SecretBox;
let app: FastifyInstance;

beforeEach(async () => {
  engine = await openTestEngine();
  await engine.exec(
    `INSERT INTO users (username, email, role, auth_method, oauth2_client_id, created_at_us, updated_at_us)
     VALUES ('ada', 'ada@example.com', 'ADMIN', 'OAUTH2', 'x', 1, 1)`,
  );
  commands = remoteCommands(secretPolicy, runCommandsOn(engine, [secretCommands]));
  box = boxOf({ secret: ONE });
  app = appOf(secretRoutes({ auth: { secretBox: box } }, commands));
});

function boxOf(options: Partial<SecretBoxOptions>): SecretBox {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keyFile = new SecretKeyFile(join(folder, 'secrets.key'), () => undefined);
  return new SecretBox({ secret: null, previousSecret: null, keyFile, mayUseKeyFile: true, ...options });
}

const put = async (...secrets: readonly unknown[]) => {
  const { statusCode, body } = await app.inject({ method: 'PUT', url: '/v1/secrets', payload: { secrets } });
  return { status: statusCode, body };
};
const names = async () =>
  (await listSecrets(engine, { names: null, after: null, limit: 10_000 })).map(({ rowId }) => rowId);
const valueOf = async (name: string) => {
  const stored = (await findSecrets(engine, [name])).get(name);
  return stored && (await box.open(name, stored.sealed))?.reveal();
};
const audited = () =>
  engine.rows(
    'SELECT operation, caller_kind, object_type, object_id, object_name, changes FROM audit_events ORDER BY id',
  );

/** Everything that is stored of secrets and of who did what. */
async function stored(): Promise<string> {
  return JSON.stringify([await engine.rows('SELECT * FROM secrets'), await engine.rows('SELECT * FROM audit_events')]);
}

describe('a batch over REST', () => {
  it('stores and deletes, trims, and answers names alone, each once', async () => {
    await put({ key: 'OLD', value: 'x' }, { key: 'KEPT', value: 'y' });
    const { status, body } = await put(
      { key: '  API_KEY\n', value: ` ${CANARY}\t` },
      { key: 'OLD', value: null },
      { key: 'NEVER_THERE', value: null },
      { key: '_2', value: 'first' },
      { key: '_2', value: 'last' },
    );
    expect(status).toBe(200);
    const { data } = JSON.parse(body) as { data: { upserted_keys: string[]; deleted_keys: string[] } };
    expect(data.upserted_keys.toSorted()).toEqual(['API_KEY', '_2']);
    expect(data.deleted_keys.toSorted()).toEqual(['NEVER_THERE', 'OLD']);
    expect(body).not.toContain('canary');
    expect(await names()).toEqual(['API_KEY', 'KEPT', '_2']);
    expect([await valueOf('API_KEY'), await valueOf('_2')]).toEqual([CANARY, 'last']);
    expect(await stored()).not.toMatch(/canary|"last"/);
  });

  it.each([
    ['a value that is not there', { key: 'A' }, ['value']],
    ['a number', { key: 'A', value: 12_345 }, ['value']],
    ['nothing but white space', { key: 'A', value: ' \t' }, ['value']],
    ['what is shown in place of values', { key: 'A', value: SHOWN_VALUE }, ['value']],
    ['a value that is too long', { key: 'A', value: `canary${'x'.repeat(65_536)}` }, ['value']],
    ['half a character', { key: 'A', value: 'canary \ud800' }, ['value']],
    ['a digit at the beginning', { key: '1A', value: 'canary' }, ['key']],
    ['a hyphen', { key: 'A-B', value: 'canary' }, ['key']],
    ['another alphabet', { key: 'Ä', value: 'canary' }, ['key']],
    ['no key', { value: 'canary' }, ['key']],
    ['a key that is too long', { key: 'K'.repeat(201), value: 'canary' }, ['key']],
    ['a text', 'canary', []],
  ])('is refused whole for %s, without telling what was sent', async (_what, entry, place) => {
    const { status, body } = await put({ key: 'GOOD', value: 'canary' }, entry);
    expect(status).toBe(422);
    const { detail } = JSON.parse(body) as { detail: readonly { loc: unknown; input: unknown }[] };
    expect(detail).toMatchObject([{ loc: ['body', 'secrets', 1, ...place], input: null }]);
    expect(body).not.toContain('canary');
    expect([await names(), await audited()]).toEqual([[], []]);
  });

  it('tells every fault by its index', async () => {
    const { status, body } = await put({ key: '1', value: '' }, { key: 'FINE', value: 'x' }, { key: 'A' }, 7);
    const { detail } = JSON.parse(body) as { detail: readonly { loc: unknown }[] };
    expect([status, detail.map(({ loc }) => loc)]).toEqual([
      422,
      [
        ['body', 'secrets', 0, 'key'],
        ['body', 'secrets', 0, 'value'],
        ['body', 'secrets', 2, 'value'],
        ['body', 'secrets', 3],
      ],
    ]);
  });

  it('is neither empty nor larger than its bound', async () => {
    const many = Array.from({ length: MAX_SECRETS + 1 }, (_, index) => ({ key: `K${index}`, value: 'x' }));
    expect([(await put()).status, (await put(...many)).status, (await put(...many.slice(1))).status]).toEqual([
      422, 422, 200,
    ]);
    expect(await names()).toHaveLength(MAX_SECRETS);
  });

  it('is refused with what to do where there is nothing to encrypt with', async () => {
    app = appOf(secretRoutes({ auth: { secretBox: boxOf({ mayUseKeyFile: false }) } }, commands));
    const { status, body } = await put({ key: 'A', value: CANARY });
    expect([status, body]).toEqual([409, expect.stringContaining('SERVICE_SECRET')]);
    expect(await names()).toEqual([]);
    expect((await put({ key: 'A', value: null })).status).toBe(200);
  });
});

describe('a batch', () => {
  const run = async (...entries: readonly [string, string | null][]) =>
    commands.upsertOrDelete(
      ADMIN,
      await sealSecrets(
        box,
        entries.map(([name, value]) => ({ name, value })),
      ),
    );

  it('has an owner, until the account is deleted', async () => {
    const [secret] = await run(['A', CANARY]);
    expect(secret).toMatchObject({ rowId: 'A', userRowId: 1 });
    await engine.exec('DELETE FROM users');
    expect((await findSecrets(engine, ['A'])).get('A')).toMatchObject({ userRowId: null });
    expect(await valueOf('A')).toBe(CANARY);
    // Who did it stays in the log, under the name of then.
    expect(await engine.rows('SELECT caller_row_id, caller_name FROM audit_events')).toEqual([
      { caller_row_id: 1, caller_name: 'Ada' },
    ]);
  });

  it('leaves a row in the log for each secret that it changes', async () => {
    await run(['B', 'x'], ['A', 'y']);
    await run(['A', null], ['NEVER_THERE', null]);
    const row = (name: string, what: string) => ({
      operation: 'secrets.upsertOrDelete',
      caller_kind: 'user',
      object_type: 'Secret',
      object_id: name,
      object_name: name,
      changes: JSON.stringify([what]),
    });
    expect(await audited()).toEqual([row('A', 'value'), row('B', 'value'), row('A', 'deleted')]);
  });

  it('is for administrators', async () => {
    for (const role of ['viewer', 'member'] as const) {
      await expect(commands.upsertOrDelete(userCaller(role), [])).rejects.toMatchObject({ code: 'permission_denied' });
    }
  });

  it('with faults is refused over GraphQL too, with every fault by its index', async () => {
    await expect(run(['1', ''], ['A', 'x'], ['B', SHOWN_VALUE])).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(
        /secrets\[0\]: A key .*secrets\[0\]: A value .*secrets\[2\]: This is what is shown/,
      ),
    });
    expect(await names()).toEqual([]);
  });

  it('goes through beside another one in the other order', async () => {
    const many = Array.from({ length: 40 }, (_, index): [string, string] => [`K${index}`, 'x']);
    await Promise.all([run(...many), run(...many.toReversed()), run(...many)]);
    expect(await names()).toHaveLength(40);
  });
});

describe('the server', () => {
  const reader = (secretBox: SecretBox) =>
    secretReader({ readPrimary: () => engine, auth: { secretBox } }, commands.use);

  it('reads a value for somebody, who is in the log then', async () => {
    await put({ key: 'A', value: CANARY });
    const member = userCaller('viewer', 1);
    expect((await reader(box).readSecret(member, 'A'))?.reveal()).toBe(CANARY);
    expect((await audited()).at(-1)).toMatchObject({ operation: 'secrets.use', object_name: 'A' });
    expect(await stored()).not.toContain('canary');
  });

  it('finds nothing where there is none, or none that it can read, and notes nothing', async () => {
    await put({ key: 'A', value: CANARY });
    const before = await audited();
    expect(await reader(box).readSecret(ADMIN, 'B')).toBeNull();
    expect(await reader(boxOf({ secret: OTHER })).readSecret(ADMIN, 'A')).toBeNull();
    expect(await audited()).toEqual(before);
  });
});

describe('another key', () => {
  const rotate = (secretBox: SecretBox) =>
    rotateSecrets(systemCaller('command line'), () => engine, secretBox, commands.rotate);

  it('encrypts what the one before did, once, and says what it could not read', async () => {
    await put({ key: 'A', value: CANARY }, { key: 'B', value: 'b' });
    await commands.upsertOrDelete(ADMIN, [
      { name: 'LOST', sealed: await boxOf({ secret: new Secret('a key that is lost') }).seal('LOST', 'x') },
    ]);
    const both = boxOf({ secret: OTHER, previousSecret: ONE });
    await commands.upsertOrDelete(ADMIN, [{ name: 'NEW', sealed: await both.seal('NEW', 'n') }]);
    expect(await rotate(both)).toEqual({ rotatedCount: 2, currentCount: 1, unreadable: ['LOST'] });
    expect(await rotate(both)).toEqual({ rotatedCount: 0, currentCount: 3, unreadable: ['LOST'] });
    box = boxOf({ secret: OTHER });
    expect([await valueOf('A'), await valueOf('B'), await valueOf('NEW')]).toEqual([CANARY, 'b', 'n']);
    const ofRotation = (await audited()).filter(({ operation }) => operation === 'secrets.rotate');
    expect(ofRotation).toMatchObject([
      { object_name: 'A', caller_kind: 'system', changes: '["encryption"]' },
      { object_name: 'B' },
    ]);
    expect(await stored()).not.toContain('canary');
  });

  it('does not take back what somebody said meanwhile', async () => {
    await put({ key: 'A', value: 'old' }, { key: 'B', value: 'b' });
    const both = boxOf({ secret: OTHER, previousSecret: ONE });
    const result = await rotateSecrets(
      systemCaller('command line'),
      () => engine,
      both,
      async (caller, secrets) => {
        await put({ key: 'A', value: 'new' }, { key: 'B', value: null });
        return commands.rotate(caller, secrets);
      },
    );
    expect(result).toMatchObject({ rotatedCount: 0 });
    expect([await valueOf('A'), await valueOf('B')]).toEqual(['new', undefined]);
  });
});
