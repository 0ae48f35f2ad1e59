/** What operators do to accounts and secrets from the machine of the server, beside it. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCairn } from '../../src/cli/child-process.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { bearer, sendJson } from '../harness/accounts.ts';
import { AS_ADMIN, ASKING } from '../harness/asking-server.ts';
import { postGraphql } from '../harness/graphql.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { createTestData, environmentOf, type TestData } from '../harness/test-data.ts';
import { TEST_ENGINE } from '../harness/test-engine.ts';

const NEW_SECRET = 'the-next-secret-of-tests-0123456789';
const VALUE = 'sk-never-shown';

let folder: string;
let data: TestData;
let settings: Readonly<Record<string, string>>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-operator-'));
  data = await createTestData(folder);
  settings = { WORKING_DIR: folder, ...data.settings };
});

afterEach(async () => {
  await data.remove();
  await rm(folder, { recursive: true, force: true });
});

const start = (more: Readonly<Record<string, string>> = {}) => startTestServer({ ...settings, ...more });

const cairn = (args: readonly string[], more: Readonly<Record<string, string>> = {}, input?: string) =>
  runCairn(args, environmentOf({ ...settings, PORT: '0', GRPC_PORT: '0', ...more }), input);

/** What the doctor finds of one check. */
async function findings(check: string, more: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { stdout } = await cairn(['doctor', '--json'], more);
  const { findings: all } = JSON.parse(stdout) as { findings: readonly Finding[] };
  return all.filter((finding) => finding.check === check).map(({ status, message }) => `${status}: ${message}`);
}

async function signIn(server: TestServer, email: string, password: string): Promise<number> {
  const { status } = await sendJson(server.url, 'POST', '/auth/login', { email, password }, {});
  return status;
}

/** The statements of the document, with the hash that was printed. */
function repairWith(printed: string): string {
  const document = readFileSync(new URL('../../docs/authentication.md', import.meta.url), 'utf8');
  const [, statements = ''] = /```sql\n([^]*?)```/.exec(document) ?? [];
  const given = Object.fromEntries(
    printed
      .trim()
      .split('\n')
      .map((line) => line.split(' = ') as [string, string]),
  );
  const complete = statements.replaceAll(/(\w+) = '…'/g, (_all, name: string) => `${name} = ${given[name]}`);
  expect(complete).toMatch(/password_algorithm = 'argon2id/);
  return complete;
}

describe('a hash that is written by hand', () => {
  it('lets its account in at once with the password that it was made of', async () => {
    await using server = await start({ ...ASKING, DISABLE_RATE_LIMIT: 'true' });
    const printed = await cairn(['users', 'hash-password'], {}, 'by-hand\nmore\n');
    expect([printed.exitCode, printed.stderr]).toEqual([0, '']);
    expect(printed.stdout).not.toContain('by-hand');
    for (let attempt = 0; attempt < 5; attempt++) await signIn(server, 'admin@localhost', 'wrong');
    expect(await signIn(server, 'admin@localhost', 'admin')).toBe(429);
    await data.change(repairWith(printed.stdout));
    expect(await signIn(server, 'admin@localhost', 'admin')).toBe(401);
    expect(await signIn(server, 'admin@localhost', 'by-hand')).toBe(204);
  });

  it('is not made of a password that nobody may have', async () => {
    const short = await cairn(['users', 'hash-password', '--json'], {}, 'abc');
    expect([short.exitCode, short.stdout]).toEqual([1, '']);
    expect(short.stderr).toContain('at least 4 characters');
  });
});

describe('a password', () => {
  it('is asked for, or piped in, by the rules of the server', async () => {
    await using server = await start(ASKING);
    const reset = (password: string, more = {}) =>
      cairn(['users', 'reset-password', '--ask', 'admin@localhost'], { ...ASKING, ...more }, password);
    const weak = await reset('piped-in', { ENABLE_STRONG_PASSWORD_POLICY: 'true' });
    expect([weak.exitCode, await signIn(server, 'admin@localhost', 'admin')]).toEqual([1, 204]);
    const { exitCode, stdout, stderr } = await reset('piped-in\n');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain('piped-in');
    expect(await signIn(server, 'admin@localhost', 'piped-in')).toBe(204);
  });
});

describe('another secret', () => {
  const both = { ...ASKING, SECRET: NEW_SECRET, PREVIOUS_SECRET: ASKING.SECRET };
  const alone = { ...ASKING, SECRET: NEW_SECRET };

  it('takes stored secrets over beside a running server, which reads them before and after', async () => {
    {
      await using old = await start(ASKING);
      await storeSecret(old, AS_ADMIN);
      expect(await canRead(old)).toBe(true);
    }
    {
      await using server = await start(both);
      expect(await canRead(server)).toBe(true);
      expect(await findings('Secrets', both)).toEqual([
        'ok: this server can read 1',
        'warning: 1 are encrypted with a key from before',
      ]);
      const rotated = await cairn(['secrets', 'rotate'], both);
      expect(rotated).toEqual({
        exitCode: 0,
        stderr: '',
        stdout: 'Encrypted with the current key: 1 now, 0 before.\n',
      });
      expect(await canRead(server)).toBe(true);
      expect((await cairn(['secrets', 'rotate', '--json'], both)).stdout).toContain('"rotatedCount": 0');
    }
    {
      await using server = await start(alone);
      expect(await canRead(server)).toBe(true);
      expect(await findings('Secrets', alone)).toEqual(['ok: this server can read 1']);
    }
    await using lost = await start(ASKING);
    expect(await canRead(lost)).toBe(false);
    expect(await findings('Secrets', ASKING)).toEqual([
      'ok: this server can read 0',
      'problem: no key that this server has opens OPENAI_API_KEY',
    ]);
    const failed = await cairn(['secrets', 'rotate'], ASKING);
    expect([failed.exitCode, failed.stdout]).toEqual([1, expect.stringContaining('no key opens them: OPENAI_API_KEY')]);
    expect(JSON.stringify(await data.rows('SELECT * FROM secrets'))).not.toContain(VALUE);
  });

  it.skipIf(TEST_ENGINE === 'postgres')('takes over what a key file beside the data has encrypted', async () => {
    {
      await using open = await start();
      await storeSecret(open, {});
    }
    const file = join(folder, 'secrets.key');
    expect([(await stat(file)).size, (await stat(file)).mode & 0o777]).toEqual([32, 0o600]);
    expect((await cairn(['secrets', 'rotate'], ASKING)).stdout).toContain('1 now');
    await rm(file);
    await using asking = await start(ASKING);
    expect(await canRead(asking)).toBe(true);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });
});

describe.skipIf(TEST_ENGINE === 'postgres')('a command that asks a running server', () => {
  const certificate = (name: string) => new URL(`../fixtures/tls/${name}`, import.meta.url).pathname;
  const encrypted = {
    ...ASKING,
    TLS_ENABLED_FOR_HTTP: 'true',
    TLS_CERT_FILE: certificate('server-certificate.pem'),
    TLS_KEY_FILE: certificate('server-key.pem'),
  };

  it.each([
    ['', {}],
    [', which demands one of its clients', { TLS_VERIFY_CLIENT: 'true', TLS_CA_FILE: certificate('authority.pem') }],
  ])('knows it by its certificate%s', async (_what, demands) => {
    await using server = await start({ ...encrypted, ...demands });
    const address = { HOST: '127.0.0.1', PORT: new URL(server.url).port };
    const done = await cairn(['reindex', '--columns'], { ...encrypted, ...demands, ...address });
    expect([done.exitCode, done.stderr]).toEqual([0, '']);
    const other = { TLS_CERT_FILE: certificate('client-certificate.pem'), TLS_KEY_FILE: certificate('client-key.pem') };
    const refused = await cairn(['reindex', '--columns'], { ...encrypted, ...demands, ...address, ...other });
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/does not respond at https:\/\/127\.0\.0\.1:\d+\/v1\/reindex \(.*certificate/);
  });
});

describe('the doctor', () => {
  it('names accounts that anybody may have made, and an administrator without a password of its own', async () => {
    {
      await using open = await start();
      const user = { auth_method: 'LOCAL', email: 'eve@example.com', username: 'eve', role: 'ADMIN', password: 'pass' };
      const { status } = await sendJson(open.url, 'POST', '/v1/users', { user }, {});
      expect(status).toBe(201);
    }
    expect(await findings('Accounts', {})).toEqual([]);
    for (let time = 0; time < 2; time++) {
      expect(await findings('Accounts', ASKING)).toEqual([
        expect.stringMatching(/^warning: .*eve <eve@example\.com> \(ADMIN\)/),
      ]);
    }
    await using _asking = await start(ASKING);
    const none = 'ok: no account was created while authentication was off';
    const initial = 'warning: admin@localhost has not chosen a password of its own yet';
    expect(await findings('Accounts', ASKING)).toEqual([none, initial]);
    await data.change(`UPDATE users SET password_needs_reset = 0 WHERE email = 'admin@localhost'`);
    expect(await findings('Accounts', ASKING)).toEqual([none]);
  });

  it('says why a verification takes hours, and warns of the first password as the start does that sets it', async () => {
    const reached = { ...ASKING, HOST: '0.0.0.0' };
    const ofNewData = (await findings('Accounts', reached)).at(-1);
    {
      await using _open = await start();
    }
    const pass = { position: { table: 'spans', after: 0 }, startedAtUs: 0, differingCount: 0, endedAtUs: null };
    await data.change(`UPDATE jobs SET progress = '${JSON.stringify(pass)}' WHERE kind = 'verification'`);
    expect(await findings('Verification', reached)).toEqual([
      expect.stringMatching(
        /a pass is at \d+ %, started on .*\. The server spreads a pass over four hours or more, .*--verify/,
      ),
    ]);
    const none = 'ok: no account was created while authentication was off';
    expect(await findings('Accounts', reached)).toEqual([none, ofNewData]);
    await using first = await start(reached);
    expect(first.complaints).toEqual([expect.stringMatching(/admin@localhost with the password admin until/)]);
    expect(ofNewData).toBe(`warning: ${first.complaints[0]}`);
  });
});

describe('the audit log', () => {
  it('is kept for a year, or as many days as are configured', async () => {
    {
      await using _first = await start();
    }
    const daysAgo = (days: number) => (Date.now() - days * 86_400_000) * 1000;
    const rows = [364, 366].map((days) => `(${daysAgo(days)}, 'done', 'test.${days}', 'system')`).join(', ');
    await data.change(`INSERT INTO audit_events (occurred_at_us, outcome, operation, caller_kind) VALUES ${rows}`);
    const kept = () => data.rows(`SELECT operation FROM audit_events WHERE operation LIKE 'test.%'`);
    {
      await using _forEver = await start({ AUDIT_RETENTION_DAYS: '0' });
      expect(await kept()).toHaveLength(2);
    }
    {
      await using _forAYear = await start();
      await expect.poll(kept).toEqual([{ operation: 'test.364' }]);
    }
    await using _shorter = await start({ AUDIT_RETENTION_DAYS: '30' });
    await expect.poll(kept).toEqual([]);
    expect(await data.rows(`SELECT 1 FROM audit_events`)).not.toEqual([]);
  });
});

async function storeSecret({ url }: TestServer, headers: Readonly<Record<string, string>>): Promise<void> {
  const secrets = [{ key: 'OPENAI_API_KEY', value: VALUE }];
  const { status, body } = await sendJson(url, 'PUT', '/v1/secrets', { secrets }, headers);
  expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining(VALUE)]);
}

async function canRead({ url }: TestServer): Promise<boolean> {
  const query = '{ secrets { edges { node { key value { __typename } } } } }';
  const answer = await postGraphql(url, { query }, bearer(ASKING.ADMIN_SECRET));
  const { data: found } = (await answer.json()) as {
    data: { secrets: { edges: readonly { node: { key: string; value: { __typename: string } } }[] } };
  };
  expect(found.secrets.edges.map(({ node }) => node.key)).toEqual(['OPENAI_API_KEY']);
  return found.secrets.edges[0]?.node.value.__typename === 'DecryptedSecret';
}
