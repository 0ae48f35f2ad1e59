/** What `cairn doctor --sso` says of the providers and the directory that people sign in with. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runCairn } from '../../src/cli/child-process.ts';
import { type DirectoryServer, NO_DIRECTORY, SEARCHER, startDirectory, TOP } from '../harness/directory-server.ts';
import { findFreePort } from '../harness/free-port.ts';
import { startIdentityProvider } from '../harness/identity-provider.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';

const CLIENT_SECRET = 'a-client-secret-that-nobody-prints';

const ON = {
  SERVICE_PORT: '0',
  SERVICE_GRPC_PORT: '0',
  SERVICE_ENABLE_AUTH: 'true',
  SERVICE_SECRET: 'a-long-secret-of-this-test-0123456789',
};

const provider = (name: string, configUrl: string, more: Readonly<Record<string, string>> = {}) => ({
  [`SERVICE_OAUTH2_${name}_CLIENT_ID`]: 'cairn',
  [`SERVICE_OAUTH2_${name}_CLIENT_SECRET`]: CLIENT_SECRET,
  [`SERVICE_OAUTH2_${name}_OIDC_CONFIG_URL`]: configUrl,
  ...more,
});

async function runDoctor(settings: Readonly<Record<string, string>>, args: readonly string[] = ['--sso']) {
  const data = createTestFolder('doctor');
  try {
    const { exitCode, stdout, stderr } = await runCairn(['doctor', '--data', data, ...args], { ...ON, ...settings });
    expect(stdout + stderr).not.toContain(CLIENT_SECRET);
    expect(stdout + stderr).not.toContain(SEARCHER.password);
    return { exitCode, stdout };
  } finally {
    removeTestFolder(data);
  }
}

describe('cairn doctor --sso, of providers,', () => {
  it('tells one that answers from one that does not, and asks none without the option', async () => {
    const redirectUri = 'http://localhost/oauth2/here/tokens';
    await using here = await startIdentityProvider({
      clients: [{ id: 'cairn', secret: CLIENT_SECRET, method: 'client_secret_basic', redirectUri }],
    });
    const awayUrl = `http://localhost:${await findFreePort()}/.well-known/openid-configuration`;
    const settings = { ...provider('HERE', here.configUrl), ...provider('AWAY', awayUrl) };
    const { exitCode, stdout } = await runDoctor(settings);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`✓ Provider here: describes itself as ${here.issuer}`);
    expect(stdout).toMatch(/✗ Provider away: .*could not be read.*\n.*SERVICE_OAUTH2_AWAY_OIDC_CONFIG_URL/);
    expect((await runDoctor(settings, [])).stdout).not.toContain('Provider');
  });

  it('warns of what the provider does not offer', async () => {
    const server = createServer((_request, response) => {
      const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
      const description = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        code_challenge_methods_supported: ['plain'],
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(description));
    });
    await once(server.listen(0, 'localhost'), 'listening');
    const url = `http://localhost:${(server.address() as AddressInfo).port}/.well-known/openid-configuration`;
    const { exitCode, stdout } = await runDoctor(provider('HERE', url, { SERVICE_OAUTH2_HERE_USE_PKCE: 'true' }));
    server.close();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /! Provider here: .*client_secret_basic.*\n.*TOKEN_ENDPOINT_AUTH_METHOD to one of client_secret_post/,
    );
    expect(stdout).toMatch(/! Provider here: .*S256.*\n.*SERVICE_OAUTH2_HERE_USE_PKCE/);
  });

  it('says that nothing is configured', async () => {
    const { exitCode, stdout } = await runDoctor({});
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('neither a provider nor a directory is configured'),
    ]);
  });
});

describe.skipIf(NO_DIRECTORY !== null)('cairn doctor --sso, of a directory,', () => {
  const settingsOf = ({ port }: DirectoryServer, password: string, base = `ou=people,${TOP}`) => ({
    SERVICE_LDAP_HOST: '127.0.0.1',
    SERVICE_LDAP_PORT: String(port),
    SERVICE_LDAP_TLS_MODE: 'none',
    SERVICE_LDAP_BIND_DN: SEARCHER.dn,
    SERVICE_LDAP_BIND_PASSWORD: password,
    SERVICE_LDAP_USER_SEARCH_BASE_DNS: JSON.stringify([base]),
    SERVICE_LDAP_USER_SEARCH_FILTER: '(uid=%s)',
    SERVICE_LDAP_ATTR_EMAIL: 'mail',
    SERVICE_LDAP_GROUP_ROLE_MAPPINGS: '[{"group_dn": "*", "role": "VIEWER"}]',
  });

  it('tells whether it lets the account search that the settings name, and has the base', async () => {
    await using directory = await startDirectory({ entries: '' });
    const right = await runDoctor(settingsOf(directory, SEARCHER.password));
    expect(right.exitCode).toBe(0);
    expect(right.stdout).toContain(`✓ Directory 127.0.0.1:${directory.port}: searches for names`);
    const wrong = await runDoctor(settingsOf(directory, 'wrong'));
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stdout).toMatch(/✗ Directory 127\.0\.0\.1:\d+: it refused the account that searches/);
    const nowhere = await runDoctor(settingsOf(directory, SEARCHER.password, `ou=nowhere,${TOP}`));
    expect(nowhere.exitCode).toBe(1);
    expect(nowhere.stdout).toMatch(/✗ Directory .*: it does not have the base ou=nowhere/);
  });
});
