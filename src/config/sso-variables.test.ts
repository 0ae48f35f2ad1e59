/** Every variable of signing in with others changes something, and is refused where it cannot be what is meant. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Secret } from '#base/secret';
import { ldapVariables } from './ldap-variables.ts';
import { deriveConfig } from './load.ts';
import { PLACEHOLDER, providerVariables } from './provider-variables.ts';

type Settings = Readonly<Record<string, string>>;

const ON = {
  SERVICE_ENABLE_AUTH: 'true',
  SERVICE_SECRET: 'correct-horse-battery-staple-0123',
  SERVICE_ROOT_URL: 'https://cairn.example.com',
};
const pem = (name: string) => fileURLToPath(new URL(`../../test/fixtures/tls/${name}`, import.meta.url));

/** What a variable is set to, beside what it needs, and what refuses the start; `undefined` where any text will do. */
interface Row {
  readonly value: string;
  readonly beside?: Settings;
  readonly refused: Settings | undefined;
}

function row(value: string, refused: Settings | undefined, beside?: Settings): Row {
  return beside === undefined ? { value, refused } : { value, refused, beside };
}

const GROUPS = { GROUPS_ATTRIBUTE_PATH: 'groups', ALLOWED_GROUPS: 'engineers' };
const ROLE = { ROLE_ATTRIBUTE_PATH: 'role' };

const PROVIDER: Readonly<Record<string, Row>> = {
  CLIENT_ID: row('another', { CLIENT_ID: '' }),
  CLIENT_SECRET: row('another', { CLIENT_SECRET: '' }),
  OIDC_CONFIG_URL: row('https://other.example.com/x', { OIDC_CONFIG_URL: 'http://other.example.com/x' }),
  DISPLAY_NAME: row('Our own', undefined),
  ALLOW_SIGN_UP: row('false', { ALLOW_SIGN_UP: 'no' }),
  AUTO_LOGIN: row('true', { AUTO_LOGIN: 'yes' }),
  USE_PKCE: row('true', { USE_PKCE: '1' }),
  TOKEN_ENDPOINT_AUTH_METHOD: row('client_secret_post', { TOKEN_ENDPOINT_AUTH_METHOD: 'private_key_jwt' }),
  SCOPES: row('groups offline_access', undefined),
  EMAIL_ATTRIBUTE_PATH: row('preferred_username', { EMAIL_ATTRIBUTE_PATH: 'a.' }),
  GROUPS_ATTRIBUTE_PATH: row('other', { GROUPS_ATTRIBUTE_PATH: 'a b' }, GROUPS),
  ALLOWED_GROUPS: row('one,two', { ALLOWED_GROUPS: ',', GROUPS_ATTRIBUTE_PATH: 'groups' }, GROUPS),
  ROLE_ATTRIBUTE_PATH: row("'MEMBER'", { ROLE_ATTRIBUTE_PATH: 'nonsense(@)' }),
  ROLE_MAPPING: row('Owner:ADMIN', { ...ROLE, ROLE_MAPPING: 'Owner:SYSTEM' }, ROLE),
  ROLE_ATTRIBUTE_STRICT: row('true', { ...ROLE, ROLE_ATTRIBUTE_STRICT: 'on' }, ROLE),
  ROLE_RESYNC: row('false', { ...ROLE, ROLE_RESYNC: 'off' }, ROLE),
};

const CLIENT = {
  TLS_CLIENT_CERT_FILE: pem('client-certificate.pem'),
  TLS_CLIENT_KEY_FILE: pem('client-key.pem'),
};
const SERVICE = { BIND_DN: 'cn=cairn,dc=example', BIND_PASSWORD: 'of-the-service' };
const SEARCH = { GROUP_SEARCH_FILTER: '(member=%s)', GROUP_SEARCH_BASE_DNS: '["ou=groups,dc=example"]' };

const LDAP: Readonly<Record<string, Row>> = {
  HOST: row('one.example.com,two.example.com', { HOST: 'ldap://one.example.com' }),
  PORT: row('1389', { PORT: '0' }),
  TLS_MODE: row('ldaps', { TLS_MODE: 'tls' }),
  TLS_VERIFY: row('false', { TLS_VERIFY: 'no' }),
  TLS_CA_CERT_FILE: row(pem('server-certificate.pem'), { TLS_CA_CERT_FILE: '/nowhere/ca.pem' }),
  TLS_CLIENT_CERT_FILE: row(CLIENT.TLS_CLIENT_CERT_FILE, { TLS_CLIENT_CERT_FILE: CLIENT.TLS_CLIENT_CERT_FILE }, CLIENT),
  TLS_CLIENT_KEY_FILE: row(CLIENT.TLS_CLIENT_KEY_FILE, { TLS_CLIENT_KEY_FILE: CLIENT.TLS_CLIENT_KEY_FILE }, CLIENT),
  BIND_DN: row('cn=other,dc=example', { ...SERVICE, BIND_DN: 'other' }, SERVICE),
  BIND_PASSWORD: row('another', { BIND_PASSWORD: 'alone' }, SERVICE),
  USER_SEARCH_BASE_DNS: row('["ou=a,dc=b","ou=c,dc=d"]', { USER_SEARCH_BASE_DNS: '[]' }),
  USER_SEARCH_FILTER: row('(uid=%s)', { USER_SEARCH_FILTER: '(uid=ada)' }),
  ATTR_EMAIL: row('rfc822Mailbox', { ATTR_EMAIL: 'null' }),
  ATTR_UNIQUE_ID: row('entryUUID', { ATTR_UNIQUE_ID: 'a b' }),
  ATTR_DISPLAY_NAME: row('cn', { ATTR_DISPLAY_NAME: 'a,b' }),
  ATTR_MEMBER_OF: row('isMemberOf', { ATTR_MEMBER_OF: '(a)' }),
  GROUP_SEARCH_BASE_DNS: row('["ou=other,dc=example"]', { GROUP_SEARCH_FILTER: '(member=%s)' }, SEARCH),
  GROUP_SEARCH_FILTER: row('(memberUid=%s)', { ...SEARCH, GROUP_SEARCH_FILTER: 'member=%s' }, SEARCH),
  GROUP_SEARCH_FILTER_USER_ATTR: row('dn', { ...SEARCH, GROUP_SEARCH_FILTER_USER_ATTR: 'a b' }, SEARCH),
  GROUP_ROLE_MAPPINGS: row('[{"group_dn": "*", "role": "ADMIN"}]', { GROUP_ROLE_MAPPINGS: '[]' }),
  ALLOW_SIGN_UP: row('false', { ALLOW_SIGN_UP: '0' }),
};

describe.each([
  {
    of: 'a provider',
    prefix: 'OAUTH2_OKTA_',
    variables: Object.values(providerVariables).map(({ name }) => name.replace(`OAUTH2_${PLACEHOLDER}_`, '')),
    rows: PROVIDER,
    needed: {
      CLIENT_ID: 'cairn',
      CLIENT_SECRET: 'hunter2',
      OIDC_CONFIG_URL: 'https://id.example.com/.well-known/openid-configuration',
    },
  },
  {
    of: 'a directory',
    prefix: 'LDAP_',
    variables: Object.values(ldapVariables).map(({ name }) => name.replace('LDAP_', '')),
    rows: LDAP,
    needed: {
      HOST: 'ldap.example.com',
      USER_SEARCH_BASE_DNS: '["ou=people,dc=example,dc=com"]',
      GROUP_ROLE_MAPPINGS: '[{"group_dn": "*", "role": "VIEWER"}]',
      ATTR_EMAIL: 'mail',
    },
  },
])('of $of, every variable', ({ prefix, variables, rows, needed }) => {
  const derive = (settings: Settings) =>
    deriveConfig({
      ...ON,
      ...Object.fromEntries(
        Object.entries({ ...needed, ...settings }).map(([name, text]) => [`SERVICE_${prefix}${name}`, text]),
      ),
    });

  it('is here', () => {
    expect(Object.keys(rows).sort()).toEqual([...variables].sort());
  });

  it.each(Object.entries(rows))('%s changes what is configured', (name, { value, beside }) => {
    const [before, after] = [derive(beside ?? {}), derive({ ...beside, [name]: value })];
    expect(after.problems).toEqual([]);
    // What only stands together is compared with nothing of it.
    const without = beside?.[name] === value ? derive({}) : before;
    expect(plain(after.config?.auth)).not.toEqual(plain(without.config?.auth));
  });

  const refusable = Object.entries(rows).flatMap(([name, { refused }]) =>
    refused === undefined ? [] : [{ name, refused }],
  );
  it.each(refusable)('$name refuses the start', ({ refused }) => {
    const { config, problems } = derive(refused);
    expect(config).toBeNull();
    expect(problems.map(({ variable }) => variable).join()).toContain(`SERVICE_${prefix}`);
    expect(problems.map(({ message }) => message).join()).not.toMatch(/hunter2|of-the-service|alone/);
  });
});

/** The value with what is in its secrets, sets and maps. */
function plain(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (value instanceof Set || value instanceof Map || Array.isArray(value)) return [...value].map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
