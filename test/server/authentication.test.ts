/** Callers of a server that asks for credentials, as its tables have them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '#base/secret';
import { type TokenKind, Tokens } from '#credentials/tokens';
import { startTestServer, type TestServer } from '../harness/server.ts';

const SECRET = 'a-long-secret-of-this-test-0123456789';
const ADMIN_SECRET = 'another-long-secret-of-this-test-01234';
const tokens = new Tokens(new Secret(SECRET));
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ ENABLE_AUTH: 'true', SECRET, ADMIN_SECRET });
});

afterAll(() => server[Symbol.asyncDispose]());

const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(`${server.url}${path}`, { method, headers });
  return { status: response.status, challenge: response.headers.get('www-authenticate'), text: await response.text() };
};
const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

describe('without credentials', () => {
  it.each(['/v1/projects', '/v1/nothing', '/graphql', '/v1/traces'])('%s is refused', async (path) => {
    const { status, challenge } = await ask(path);
    const metadata = `${server.url}/.well-known/oauth-protected-resource`;
    expect([status, challenge]).toEqual([401, `Bearer realm="cairn", resource_metadata="${metadata}"`]);
  });

  it.each(['/healthz', '/readyz', '/arize_phoenix_version', '/projects'])('%s is answered', async (path) => {
    expect((await ask(path)).status).not.toBe(401);
  });
});

describe('credentials that are none', () => {
  it.each<[string, () => Promise<Record<string, string>>]>([
    ['another scheme', async () => ({ authorization: `Basic ${ADMIN_SECRET}` })],
    ['no token', async () => ({ authorization: 'Bearer' })],
    ['a text', async () => bearer('anything')],
    ['a token that is stored nowhere', async () => bearer((await tokens.issue('ApiKey')).text)],
    ['a token of another secret', async () => bearer((await new Tokens(new Secret('x')).issue('ApiKey')).text)],
    ['the secret of the administrator in a cookie', async () => ({ cookie: `phoenix-access-token=${ADMIN_SECRET}` })],
    ...(['RefreshToken', 'PasswordResetToken', 'KnownBrowser'] as const).map(
      (kind: TokenKind): [string, () => Promise<Record<string, string>>] => [
        kind,
        async () => bearer((await tokens.issue(kind)).text),
      ],
    ),
  ])('%s', async (_what, headers) => {
    expect((await ask('/v1/projects', await headers())).status).toBe(401);
  });
});
