import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { deriveConfig } from './load.ts';
import type { ProviderConfig } from './provider-config.ts';

const ON = {
  SERVICE_ENABLE_AUTH: 'true',
  SERVICE_SECRET: 'correct-horse-battery-staple-0123',
  SERVICE_ROOT_URL: 'https://cairn.example.com',
};
const CONFIG_URL = 'https://id.example.com/.well-known/openid-configuration';

type Settings = Readonly<Record<string, string>>;

/** Variables of one provider, with what it cannot be without. */
function provider(name: string, more: Settings = {}, prefix = 'SERVICE_'): Settings {
  const settings = { CLIENT_ID: 'cairn', CLIENT_SECRET: 'hunter2', OIDC_CONFIG_URL: CONFIG_URL, ...more };
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [`${prefix}OAUTH2_${name}_${key}`, value]));
}

function derive(env: Settings): readonly ProviderConfig[] {
  const { config, problems } = deriveConfig({ ...ON, ...env });
  if (config === null) throw new Error(JSON.stringify(problems));
  return config.auth.providers;
}

function problemsOf(env: Settings): string[] {
  return deriveConfig({ ...ON, ...env }).problems.map(({ variable, message }) => `${variable} ${message}`);
}

const warningsOf = (env: Settings) => deriveConfig({ ...ON, ...env }).warnings;

describe('providers', () => {
  it('are as many as there are names, under either prefix, in order', () => {
    const found = derive({
      ...provider('OKTA'),
      ...provider('AWS_COGNITO', {}, 'PHOENIX_'),
      ...provider('MY_COMPANY_2', { DISPLAY_NAME: 'Mine' }),
      ...provider('MICROSOFT_ENTRA_ID'),
    });
    expect(found.map(({ name, displayName }) => [name, displayName])).toEqual([
      ['aws_cognito', 'AWS Cognito'],
      ['microsoft_entra_id', 'Microsoft Entra ID'],
      ['my_company_2', 'Mine'],
      ['okta', 'Okta'],
    ]);
  });

  it('have defaults', () => {
    const [okta] = derive(provider('OKTA'));
    expect(okta).toMatchObject({
      clientId: 'cairn',
      configUrl: CONFIG_URL,
      clientAuth: 'client_secret_basic',
      usesPkce: false,
      scopes: ['openid', 'email', 'profile'],
      allowsSignUp: true,
      isAutomatic: false,
      emailPath: { text: 'email' },
      groups: null,
      roles: null,
    });
    expect(okta?.clientSecret?.reveal()).toBe('hunter2');
  });

  it('take every setting', () => {
    const [okta] = derive(
      provider('OKTA', {
        TOKEN_ENDPOINT_AUTH_METHOD: 'Client_Secret_Post',
        USE_PKCE: 'TRUE',
        SCOPES: ' groups  email offline ',
        ALLOW_SIGN_UP: 'False',
        AUTO_LOGIN: 'true',
        EMAIL_ATTRIBUTE_PATH: 'preferred_username',
        GROUPS_ATTRIBUTE_PATH: '"cognito:groups"',
        ALLOWED_GROUPS: ' the engineers ,ops,, ops',
        ROLE_ATTRIBUTE_PATH: "contains(groups, 'x') && 'ADMIN' || 'VIEWER'",
        ROLE_MAPPING: ' Owner : admin , Dev:Member,,Guest:VIEWER',
        ROLE_ATTRIBUTE_STRICT: 'true',
        ROLE_RESYNC: 'false',
      }),
    );
    expect(okta).toMatchObject({
      clientAuth: 'client_secret_post',
      usesPkce: true,
      scopes: ['openid', 'email', 'profile', 'groups', 'offline'],
      allowsSignUp: false,
      isAutomatic: true,
      emailPath: { text: 'preferred_username' },
      groups: { path: { text: '"cognito:groups"' }, allowed: new Set(['the engineers', 'ops']) },
      roles: { isStrict: true, isKeptInStep: false },
    });
    expect([...(okta?.roles?.mapping ?? [])]).toEqual([
      ['Owner', 'ADMIN'],
      ['Dev', 'MEMBER'],
      ['Guest', 'VIEWER'],
    ]);
  });

  it('show no secret', () => {
    const { config } = deriveConfig({ ...ON, ...provider('OKTA') });
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain('hunter2');
  });

  it('are a way to sign in without passwords', () => {
    expect(problemsOf({ ...provider('OKTA'), SERVICE_DISABLE_BASIC_AUTH: 'true' })).toEqual([]);
  });

  it('are checked while authentication is off, too', () => {
    const { problems } = deriveConfig({ SERVICE_OAUTH2_OKTA_CLIENT_ID: 'x' });
    expect(problems.map(({ variable }) => variable)).toEqual([
      'SERVICE_OAUTH2_OKTA_OIDC_CONFIG_URL',
      'SERVICE_OAUTH2_OKTA_CLIENT_SECRET',
    ]);
  });
});

describe('a provider is refused', () => {
  const name = (variable: string) => `SERVICE_OAUTH2_OKTA_${variable}`;

  it('without what it needs, all of which is told at once', () => {
    expect(problemsOf({ [name('DISPLAY_NAME')]: 'Okta' })).toEqual([
      `${name('CLIENT_ID')} is unset: set it to the client id that the provider gave this server.`,
      `${name('OIDC_CONFIG_URL')} is unset: set it to the address of the provider’s /.well-known/openid-configuration.`,
      `${name('CLIENT_SECRET')} is unset: set it, or set ${name('TOKEN_ENDPOINT_AUTH_METHOD')} to none for a public client.`,
    ]);
    const isPublic = { TOKEN_ENDPOINT_AUTH_METHOD: 'none', USE_PKCE: 'true' };
    expect(problemsOf(provider('OKTA', { ...isPublic, CLIENT_SECRET: '' }))).toEqual([]);
  });

  it.each([
    'http://id.example.com/.well-known/openid-configuration',
    'http://0.0.0.0/.well-known/openid-configuration',
    'http://localhost.example.com/',
    'https://me:hunter2@id.example.com/',
    'ftp://localhost/',
    'id.example.com',
  ])('with the address %s', (url) => {
    const [problem, ...others] = problemsOf(provider('OKTA', { OIDC_CONFIG_URL: url }));
    expect(others).toEqual([]);
    expect(problem).toMatch(/^SERVICE_OAUTH2_OKTA_OIDC_CONFIG_URL is ".*": write the https address/);
    expect(problem).not.toContain('hunter2');
  });

  it.each(['http://localhost:9000/x', 'http://127.0.0.1/x', 'http://[::1]:1/x', 'https://login.example.com/x?p=B2C_1'])(
    'not with the address %s',
    (url) => {
      expect(derive(provider('OKTA', { OIDC_CONFIG_URL: url }))[0]?.configUrl).toBe(url);
    },
  );

  it.each(['EMAIL_ATTRIBUTE_PATH', 'ROLE_ATTRIBUTE_PATH', 'GROUPS_ATTRIBUTE_PATH'])(
    'with an expression in %s that is none',
    (variable) => {
      for (const text of ['a.', 'resource_access.my-client.roles', 'nonsense(@)', 'cognito:groups', 'a b']) {
        const [problem] = problemsOf(provider('OKTA', { [variable]: text, ALLOWED_GROUPS: 'a' }));
        expect(problem).toMatch(
          new RegExp(`^${name(variable)} is ".*": write a JMESPath expression \\(.+double quotes`),
        );
      }
    },
  );

  it.each([
    ['ROLE_MAPPING', 'Owner:SYSTEM', 'pair 1 is not a role of the provider, a colon, and ADMIN, MEMBER or VIEWER.'],
    ['ROLE_MAPPING', 'Dev:MEMBER,Owner', 'pair 2 is not'],
    ['ROLE_MAPPING', ':ADMIN', 'pair 1 is not'],
    ['ALLOWED_GROUPS', ' , ', 'write at least one group.'],
    ['TOKEN_ENDPOINT_AUTH_METHOD', 'private_key_jwt', 'write client_secret_basic or client_secret_post or none.'],
    ['USE_PKCE', 'yes', 'write true or false.'],
  ])('with %s=%s', (variable, text, fix) => {
    const paths = { ROLE_ATTRIBUTE_PATH: 'role', GROUPS_ATTRIBUTE_PATH: 'groups', ALLOWED_GROUPS: 'a' };
    const [problem, ...others] = problemsOf(provider('OKTA', { ...paths, [variable]: text }));
    expect(others).toEqual([]);
    expect(problem).toContain(`${name(variable)} is ${JSON.stringify(text.trim())}: ${fix}`);
  });

  it('with one setting of two that need each other', () => {
    expect(problemsOf(provider('OKTA', { ALLOWED_GROUPS: 'a' }))).toEqual([
      `${name('GROUPS_ATTRIBUTE_PATH')} is unset, and ${name('ALLOWED_GROUPS')} needs it; set both or none.`,
    ]);
    expect(problemsOf(provider('OKTA', { GROUPS_ATTRIBUTE_PATH: 'groups' }))).toEqual([
      `${name('ALLOWED_GROUPS')} is unset, and ${name('GROUPS_ATTRIBUTE_PATH')} needs it; set both or none.`,
    ]);
    expect(problemsOf(provider('OKTA', { ROLE_MAPPING: 'a:ADMIN' }))).toEqual([
      `${name('ROLE_MAPPING')} needs ${name('ROLE_ATTRIBUTE_PATH')}; set that, or unset this one.`,
    ]);
  });

  it('by a name that is a path of another purpose', () => {
    for (const reserved of ['AUTHORIZE', 'TOKEN', 'REVOKE', 'REGISTER', 'CONSENT']) {
      expect(problemsOf(provider(reserved))).toEqual([
        `SERVICE_OAUTH2_${reserved}_CLIENT_ID names the provider ${reserved}; choose another name.`,
      ]);
    }
  });

  it('as the second that people are led to at once', () => {
    expect(
      problemsOf({ ...provider('OKTA', { AUTO_LOGIN: 'true' }), ...provider('DEX', { AUTO_LOGIN: 'true' }) }),
    ).toEqual([
      'SERVICE_OAUTH2_OKTA_AUTO_LOGIN is true, and so is SERVICE_OAUTH2_DEX_AUTO_LOGIN; set it for one provider at most.',
    ]);
  });
});

describe('of providers, a warning is given', () => {
  it('for names that nothing knows', () => {
    expect(
      warningsOf({
        ...provider('OKTA'),
        SERVICE_OAUTH2_OKTA_CLEINT_ID: 'x',
        PHOENIX_OAUTH2_okta_CLIENT_SECRET: 'x',
        SERVICE_OAUTH2_NONSENSE: 'x',
        SERVICE_OAUTH2_EMPTY_NONSENSE: ' ',
      }),
    ).toEqual([
      'SERVICE_OAUTH2_OKTA_CLEINT_ID is not a known variable and has no effect. Did you mean SERVICE_OAUTH2_OKTA_CLIENT_ID?',
      'PHOENIX_OAUTH2_okta_CLIENT_SECRET is not a known variable and has no effect. Did you mean PHOENIX_OAUTH2_OKTA_CLIENT_SECRET?',
      'SERVICE_OAUTH2_NONSENSE is not a known variable and has no effect. Names of providers have the form SERVICE_OAUTH2_<IDP>_CLIENT_ID, with <IDP> in upper case.',
    ]);
  });

  it('for what has no effect, and for what is open', () => {
    const okta = provider('OKTA', { TOKEN_ENDPOINT_AUTH_METHOD: 'none', ROLE_ATTRIBUTE_STRICT: 'true' });
    expect(warningsOf(okta)).toEqual([
      'SERVICE_OAUTH2_OKTA_CLIENT_SECRET has no effect: SERVICE_OAUTH2_OKTA_TOKEN_ENDPOINT_AUTH_METHOD is none.',
      'SERVICE_OAUTH2_OKTA_TOKEN_ENDPOINT_AUTH_METHOD is none, and SERVICE_OAUTH2_OKTA_USE_PKCE is not true: anyone who sees a code of the provider can use it. Set SERVICE_OAUTH2_OKTA_USE_PKCE to true.',
      'SERVICE_OAUTH2_OKTA_ROLE_ATTRIBUTE_STRICT has no effect without SERVICE_OAUTH2_OKTA_ROLE_ATTRIBUTE_PATH.',
    ]);
    expect(warningsOf({ ...provider('OKTA'), SERVICE_ROOT_URL: '' })).toEqual([
      expect.stringMatching(/^SERVICE_ROOT_URL is unset, so providers are told/),
    ]);
    expect(warningsOf({ ...provider('OKTA'), SERVICE_ENABLE_AUTH: 'false' })).toEqual([
      'Providers have no effect: authentication is off until SERVICE_ENABLE_AUTH is true.',
    ]);
  });
});
