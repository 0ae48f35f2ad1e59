/** Signing in on the command line, and the commands that use it. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNode, runCairn } from '../../src/cli/child-process.ts';
import { addPerson, sendJson, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';
import { findFreePort } from '../harness/free-port.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { environmentOf } from '../harness/test-data.ts';

let folder: string;
let server: TestServer;
let person: TestPerson;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-login-'));
  const port = String(await findFreePort());
  server = await startTestServer({ ...WITH_PEOPLE, WORKING_DIR: folder, PORT: port });
  person = await addPerson(server.url, 'ada', 'ADMIN');
  await exportAll(server.url, traceRequest([{ traceId: traceId(1), spanId: spanId(1) }]), { ...AS_ADMIN });
  // Nothing of the server's own credentials.
  environment = environmentOf({ WORKING_DIR: folder, HOST: '127.0.0.1', PORT: port });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const path = () => join(folder, 'sign-in.json');
const explain = () => runCairn(['explain', spanId(1)], environment);

/** Runs `cairn login`, and answers what it asks as the person. */
async function login(isApproved: boolean) {
  const program = startNode(['src/main.ts', 'login', '--no-browser'], environment);
  let printed = '';
  program.child.stdout?.on('data', (chunk: string) => (printed += chunk));
  await program.waitForOutput(/oauth2\/authorize\?\S+\n/);
  const asked = Object.fromEntries(new URL(/http\S+/.exec(printed)?.[0] ?? '').searchParams);
  const callback = new URL(asked['redirect_uri'] ?? '');
  // Somebody who does not know the state ends nothing.
  for (const query of ['?code=made-up', `?code=made-up&state=${asked['state']}&iss=https://evil.example`]) {
    expect((await fetch(`${callback.href}${query}`)).status).toBe(404);
  }
  const { body } = await sendJson(
    server.url,
    'POST',
    '/oauth2/authorize/decision',
    { ...asked, approved: isApproved },
    { ...person.headers, origin: server.url },
  );
  expect((await fetch((body as { redirect_to: string }).redirect_to)).status).toBe(200);
  return program.finished;
}

it('lets the commands act as the person until they sign out', async () => {
  expect(await explain()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('cairn login') });
  expect(await login(true)).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await stat(path())).mode & 0o777).toBe(0o600);
  expect(await explain()).toMatchObject({ exitCode: 0, stderr: '' });

  const stored = JSON.parse(await readFile(path(), 'utf8')) as Record<string, { expiresAtMs: number; access: string }>;
  const [address = '', tokens] = Object.entries(stored)[0] ?? [];
  await writeFile(path(), JSON.stringify({ [address]: { ...tokens, expiresAtMs: 0 } }));
  expect(await explain()).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await readFile(path(), 'utf8')).not.toContain(tokens?.access);

  expect(await runCairn(['logout'], environment)).toMatchObject({ exitCode: 0, stdout: 'You are signed out.\n' });
  expect(await server.data.rows('SELECT sign_in_id FROM oauth2_grants')).toEqual([]);
  expect(await explain()).toMatchObject({ exitCode: 1 });
  expect(await runCairn(['logout'], environment)).toMatchObject({ exitCode: 0, stdout: 'You were not signed in.\n' });
});

it('says that the person said no', async () => {
  expect(await login(false)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('access_denied') });
});
