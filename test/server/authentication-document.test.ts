/** The commands of docs/authentication.md do what it says, word for word but for the address. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveConfig } from '#config/load';
import { bearer, sendJson } from '../harness/accounts.ts';
import { AS_ADMIN, ASKING } from '../harness/asking-server.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const DOCUMENT = readFileSync(new URL('../../docs/authentication.md', import.meta.url), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** The block of shell commands that has this in it. */
function block(part: string): string {
  const found = [...DOCUMENT.matchAll(/```sh\n([^]*?)```/g)].find(([, text = '']) => text.includes(part));
  if (found?.[1] === undefined) throw new Error(`no commands with ${part}`);
  return found[1];
}

describe('settings', () => {
  it.each(['SERVICE_ENABLE_AUTH=', 'SERVICE_SMTP_HOSTNAME='])('in the block with %s are complete', (part) => {
    const lines = [...block(part).matchAll(/\b(SERVICE_\w+)=('[^']*'|"[^"]*"|\S*)/g)];
    const settings = lines.map(([, name = '', value = '']) => {
      const isMadeUp = value.includes('openssl');
      return [name, isMadeUp ? `0123456789abcdef-${name}-0123456789` : value.replaceAll("'", '')] as const;
    });
    expect(settings.length).toBeGreaterThan(4);
    expect(deriveConfig(Object.fromEntries(settings)).problems).toEqual([]);
  });
});

describe.skipIf(!hasCurl)('commands', () => {
  let server: TestServer;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-document-'));
    server = await startTestServer(ASKING);
    // The project that a key is limited to.
    await sendJson(server.url, 'POST', '/v1/projects', { name: 'checkout' }, AS_ADMIN);
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** What the commands of a block print; each must succeed. */
  async function run(part: string): Promise<string> {
    const script = block(part)
      .replaceAll('https://cairn.example.com', server.url)
      .replaceAll('curl ', 'curl -sS --fail-with-body ');
    const env = { PATH: process.env['PATH'], SERVICE_ADMIN_SECRET: ASKING.ADMIN_SECRET };
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd: folder, env });
    return stdout;
  }

  it('create an account, which signs in and learns who it is', async () => {
    expect(JSON.parse(await run('/v1/users'))).toMatchObject({ data: { email: 'grace@example.com', role: 'MEMBER' } });
    const signedIn = JSON.parse(await run('/auth/login')) as unknown;
    expect(signedIn).toMatchObject({ data: { username: 'Grace', password_needs_reset: true } });
  });

  it('create a limited key, which can tell its limits', async () => {
    const { data } = JSON.parse(await run('/v1/system/api_keys')) as { data: { key: string } };
    const { status } = await sendJson(server.url, 'GET', '/v1/user', undefined, bearer(data.key));
    expect(status).toBe(200);
    expect((await sendJson(server.url, 'GET', '/v1/projects', undefined, bearer(data.key))).status).toBe(403);
  });

  it('store and delete secrets', async () => {
    const { data } = JSON.parse(await run('/v1/secrets')) as { data: unknown };
    expect(data).toEqual({ upserted_keys: ['OPENAI_API_KEY'], deleted_keys: ['OLD_KEY'] });
  });

  it('read and export the audit log', async () => {
    expect(JSON.parse(await run('/v1/audit_events'))).toMatchObject({ data: [] });
    const exported = await readFile(join(folder, 'audit.csv'), 'utf8');
    expect(exported).toMatch(/secrets\.upsertOrDelete.*OPENAI_API_KEY/);
    expect(exported).toMatch(/users\.create.*Grace/);
  });
});
