import { describe, expect, it } from 'vitest';
import { Expression } from '#base/expression';
import { Secret } from '#base/secret';
import type { ProviderConfig } from '#config/provider-config';
import type { Claims } from './identity-provider.ts';
import { ProviderRefusal } from '#domain/provider-sign-in';
import { readIdentity } from './read-identity.ts';

const CONFIG: ProviderConfig = {
  name: 'dex',
  displayName: 'Dex',
  configUrl: 'https://id.example.com/.well-known/openid-configuration',
  clientId: 'cairn',
  clientSecret: new Secret('secret'),
  clientAuth: 'client_secret_basic',
  usesPkce: false,
  scopes: ['openid'],
  allowsSignUp: true,
  isAutomatic: false,
  emailPath: new Expression('email'),
  groups: null,
  roles: null,
};

const EMAIL = 'ada@example.com';

/** What comes of claims of the ID token, and of those that can be read beside them. */
async function read(
  claims: Claims,
  config: Partial<ProviderConfig> = {},
  more?: Claims | 'refused',
  issuer = 'https://id.example.com',
) {
  const warnings: string[] = [];
  let isMoreRead = false;
  const readMore = async () => {
    isMoreRead = true;
    if (more === 'refused') throw new ProviderRefusal('oauth_error', 'The provider answered 503.');
    return more ?? {};
  };
  const answer = { issuer, subject: 'ada', claims, readMore };
  const person = await readIdentity({ ...CONFIG, ...config }, answer, (warning) => warnings.push(warning));
  return { ...person, warnings, isMoreRead };
}

describe('an address', () => {
  it('is trimmed and in lower case, and found where the settings say', async () => {
    expect((await read({ email: ' Ada@Example.COM ' })).identity.email).toBe(EMAIL);
    const config = { emailPath: new Expression('preferred_username') };
    expect((await read({ email: 'other@example.com', preferred_username: EMAIL }, config)).identity.email).toBe(EMAIL);
  });

  it.each([
    ['verified', { email: EMAIL, email_verified: true }, true],
    ['verified, in words', { email: EMAIL, email_verified: 'True' }, true],
    ['of which nothing is said', { email: EMAIL }, true],
    ['unverified', { email: EMAIL, email_verified: false }, false],
    ['unverified, in words', { email: EMAIL, email_verified: 'false' }, false],
    ['of which nonsense is said', { email: EMAIL, email_verified: 1 }, false],
  ])('that is %s is trusted or not', async (_what, claims, isTrusted) => {
    expect((await read(claims)).identity.isEmailTrusted).toBe(isTrusted);
  });

  it('is not trusted where the claims beside the token call it unverified', async () => {
    const said = await read({ email: EMAIL }, {}, { email: EMAIL, email_verified: false });
    expect(said.identity).toMatchObject({ email: EMAIL, isEmailTrusted: false });
    // Whoever has an account comes in all the same.
    const unsaid = await read({ email: EMAIL }, {}, 'refused');
    expect(unsaid.identity).toMatchObject({ email: EMAIL, isEmailTrusted: false });
    await expect(read({}, {}, 'refused')).rejects.toThrow('503');
    const { identity } = await read({}, {}, { email: EMAIL, email_verified: false });
    expect(identity).toMatchObject({ email: EMAIL, isEmailTrusted: false });
  });

  it('is not trusted where anybody can have an account, unless it is verified', async () => {
    const tenant = 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0';
    const common = { configUrl: 'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration' };
    const named = { configUrl: `${tenant}/.well-known/openid-configuration` };
    const trust = async (claims: Claims, config: Partial<ProviderConfig>, issuer: string) =>
      (await read(claims, config, undefined, issuer)).identity.isEmailTrusted;
    expect(await trust({ email: EMAIL }, common, tenant)).toBe(false);
    expect(await trust({ email: EMAIL, email_verified: true }, common, tenant)).toBe(true);
    expect(await trust({ email: EMAIL }, named, tenant)).toBe(true);
    expect(await trust({ email: EMAIL }, {}, 'https://accounts.google.com')).toBe(false);
    // What is verified is the claim `email`, and nothing else that the settings take for an address.
    const claims = { email: 'mine@example.com', email_verified: true, preferred_username: EMAIL };
    expect(await trust(claims, { ...common, emailPath: new Expression('preferred_username') }, tenant)).toBe(false);
  });
});

describe('groups', () => {
  const groups = { path: new Expression('groups'), allowed: new Set(['ops', '7']) };

  it.each(['ops', ['dev', 'ops'], 7, [{ name: 'x' }, ['ops'], 'ops']])('%j let somebody in', async (given) => {
    await expect(read({ email: EMAIL, groups: given }, { groups })).resolves.toBeDefined();
  });

  it.each(['Ops', ' ops', [], [['ops']], { ops: true }, null])('%j let nobody in', async (given) => {
    await expect(read({ email: EMAIL, groups: given }, { groups })).rejects.toMatchObject({ code: 'auth_failed' });
  });

  it('are read beside the token only where it has none', async () => {
    const verified = { email: EMAIL, email_verified: true };
    expect((await read({ ...verified, groups: ['ops'] }, { groups }, {})).isMoreRead).toBe(false);
    expect((await read(verified, { groups }, { groups: ['ops'] })).isMoreRead).toBe(true);
    expect((await read({ email: EMAIL }, { groups }, { groups: ['ops'] })).isMoreRead).toBe(true);
    // The token wins.
    await expect(read({ email: EMAIL, groups: ['dev'] }, { groups }, { groups: ['ops'] })).rejects.toThrow(
      'allowed groups',
    );
  });
});

describe('a role', () => {
  const roles = { path: new Expression('role'), mapping: null, isStrict: false, isKeptInStep: true };

  it.each([
    ['admin', 'ADMIN'],
    [[' Member '], 'MEMBER'],
    ['SYSTEM', 'VIEWER'],
    ['owner', 'VIEWER'],
    [undefined, 'VIEWER'],
  ])('%j is %s', async (given, role) => {
    const claims = { email: EMAIL, ...(given !== undefined && { role: given }) };
    expect((await read(claims, { roles })).role).toEqual({ ofNew: role, ofExisting: role });
  });

  it('is looked up exactly where there is a mapping', async () => {
    const mapped = { ...roles, mapping: new Map([['Owner', 'ADMIN' as const]]) };
    expect((await read({ email: EMAIL, role: 'Owner' }, { roles: mapped })).role.ofNew).toBe('ADMIN');
    for (const role of ['owner', 'ADMIN']) {
      expect((await read({ email: EMAIL, role }, { roles: mapped })).role.ofNew).toBe('VIEWER');
    }
  });

  it('changes no account where the provider does not decide, or only about new ones', async () => {
    expect((await read({ email: EMAIL })).role).toEqual({ ofNew: 'VIEWER', ofExisting: null });
    const atFirst = { ...roles, isKeptInStep: false };
    const { role } = await read({ email: EMAIL, role: 'ADMIN' }, { roles: atFirst });
    expect(role).toEqual({ ofNew: 'ADMIN', ofExisting: null });
  });

  it('finds nothing by an expression that does not fit the claims, and says so', async () => {
    const path = new Expression('length(number)');
    const { role, warnings } = await read({ email: EMAIL, number: 7 }, { roles: { ...roles, path } });
    expect(role.ofNew).toBe('VIEWER');
    expect(warnings[0]).toBe(
      'The expression length(number) does not fit the claims of this sign-in, and found nothing.',
    );
  });
});

describe('a picture', () => {
  it.each(['http://id.example.com/a.png', 'javascript:alert(1)', 'data:image/png,', 7])(
    'is not %j',
    async (picture) => {
      expect((await read({ email: EMAIL, picture })).identity.pictureUrl).toBeNull();
    },
  );
});
