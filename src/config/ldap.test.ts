import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { deriveConfig } from './load.ts';

const SECRET = 'a-long-secret-of-this-test-0123456789';
const ON = { SERVICE_ENABLE_AUTH: 'true', SERVICE_SECRET: SECRET };
const BASES = '["ou=people,dc=example,dc=com"]';
const EVERYBODY = '[{"group_dn": "*", "role": "viewer"}]';
const LDAP = {
  ...ON,
  SERVICE_LDAP_HOST: 'ldap.example.com',
  SERVICE_LDAP_USER_SEARCH_BASE_DNS: BASES,
  SERVICE_LDAP_GROUP_ROLE_MAPPINGS: EVERYBODY,
  SERVICE_LDAP_ATTR_EMAIL: 'mail',
};

const ldapOf = (env: Readonly<Record<string, string>> = {}) => {
  const { config, problems } = deriveConfig({ ...LDAP, ...env });
  expect(problems).toEqual([]);
  return config?.auth.ldap;
};
const problemsOf = (env: Readonly<Record<string, string>>) =>
  deriveConfig({ ...LDAP, ...env }).problems.map(({ variable, message }) => `${variable} ${message}`);
const warningsOf = (env: Readonly<Record<string, string>>) => deriveConfig(env).warnings;
const certificate = (name: string) => fileURLToPath(new URL(`../../test/fixtures/tls/${name}`, import.meta.url));

describe('a directory', () => {
  it('is there when it has a server, with what most directories have', () => {
    expect(deriveConfig(ON).config?.auth.ldap).toBeNull();
    expect(ldapOf()).toEqual({
      servers: [{ host: 'ldap.example.com', port: 389 }],
      tls: { isUpgraded: true, isVerified: true, caPem: null, client: null },
      service: null,
      users: {
        baseDns: ['ou=people,dc=example,dc=com'],
        filter: '(&(objectClass=user)(sAMAccountName=%s))',
        emailAttribute: 'mail',
        uniqueIdAttribute: null,
        displayNameAttribute: 'displayName',
        memberOfAttribute: 'memberOf',
      },
      groups: null,
      roles: [{ groupDn: null, role: 'VIEWER' }],
      allowsSignUp: true,
    });
  });

  it('is read as it is described, under either name', () => {
    const ldap = ldapOf({
      SERVICE_LDAP_HOST: 'one.example.com, 10.0.0.2,[::1]',
      SERVICE_LDAP_TLS_MODE: 'ldaps',
      PHOENIX_LDAP_TLS_VERIFY: 'false',
      SERVICE_LDAP_BIND_DN: 'cn=cairn,dc=example,dc=com',
      SERVICE_LDAP_BIND_PASSWORD: 'of-the-service',
      SERVICE_LDAP_USER_SEARCH_BASE_DNS: '[" ou=a,dc=example ", ""]',
      SERVICE_LDAP_ATTR_EMAIL: 'NULL',
      SERVICE_LDAP_ATTR_UNIQUE_ID: 'entryUUID',
      SERVICE_LDAP_GROUP_SEARCH_FILTER: '(&(objectClass=groupOfNames)(member=%s))',
      SERVICE_LDAP_GROUP_SEARCH_BASE_DNS: '["ou=groups,dc=example"]',
      SERVICE_LDAP_GROUP_SEARCH_FILTER_USER_ATTR: 'dn',
      SERVICE_LDAP_GROUP_ROLE_MAPPINGS: '[{"group_dn": "CN=Ops, DC=example", "role": "Admin"}]',
    });
    expect(ldap).toMatchObject({
      servers: [
        { host: 'one.example.com', port: 636 },
        { host: '10.0.0.2', port: 636 },
        { host: '::1', port: 636 },
      ],
      tls: { isUpgraded: false, isVerified: false },
      users: { baseDns: ['ou=a,dc=example', ''], emailAttribute: null, uniqueIdAttribute: 'entryUUID' },
      groups: { baseDns: ['ou=groups,dc=example'], userAttribute: 'dn' },
      roles: [{ groupDn: 'cn=ops,dc=example', role: 'ADMIN' }],
    });
    expect(inspect(ldap, { depth: 9 }) + JSON.stringify(ldap)).not.toContain('of-the-service');
    expect(ldapOf({ SERVICE_LDAP_TLS_MODE: 'none', SERVICE_LDAP_PORT: '1389' })).toMatchObject({
      servers: [{ port: 1389 }],
      tls: null,
    });
  });

  it('is a way to sign in where passwords are off', () => {
    expect(ldapOf({ SERVICE_DISABLE_BASIC_AUTH: 'true' })).not.toBeNull();
  });

  it('needs what people cannot be found, known and let in without, and says all of it at once', () => {
    const { problems, config } = deriveConfig({ ...ON, SERVICE_LDAP_HOST: 'ldap.example.com' });
    expect(config).toBeNull();
    expect(problems.map(({ variable, message }) => `${variable} ${message}`)).toEqual([
      `SERVICE_LDAP_USER_SEARCH_BASE_DNS is unset, and SERVICE_LDAP_HOST needs it: set it to a JSON array of where users are, such as ${BASES}.`,
      'SERVICE_LDAP_ATTR_EMAIL is unset, and SERVICE_LDAP_HOST needs it: set it to the attribute with the e-mail address, such as mail, or to null for a directory without addresses.',
      'SERVICE_LDAP_GROUP_ROLE_MAPPINGS is unset, and SERVICE_LDAP_HOST needs it: set it to a JSON array of groups and their roles; [{"group_dn": "*", "role": "VIEWER"}] makes everyone a viewer.',
    ]);
  });

  it.each([
    ['HOST', 'ldaps://ldap.example.com', 'item 1: write only a host name or an IP address'],
    ['HOST', 'a.example.com:389', 'item 1: write only a host name'],
    ['HOST', ',', 'name at least one server'],
    ['PORT', '0', 'from 1 to 65535'],
    ['TLS_MODE', 'tls', 'write starttls or ldaps or none'],
    ['TLS_VERIFY', 'yes', 'write true or false'],
    ['USER_SEARCH_BASE_DNS', 'ou=people,dc=example', 'write a JSON array of distinguished names'],
    ['USER_SEARCH_BASE_DNS', '[]', 'name at least one'],
    ['USER_SEARCH_BASE_DNS', '["dc=a", 3]', 'item 2 is not a distinguished name'],
    ['USER_SEARCH_BASE_DNS', '["people"]', 'item 1 is not a distinguished name'],
    ['USER_SEARCH_FILTER', '(uid=ada)', 'write %s where the user belongs'],
    ['USER_SEARCH_FILTER', 'uid=%s', 'write one with parentheses'],
    ['USER_SEARCH_FILTER', '(&(uid=%s)', 'this is not a filter'],
    ['USER_SEARCH_FILTER', '(%s=ada)', 'this is not a filter'],
    ['USER_SEARCH_FILTER', '(uid=%s))', 'this is not a filter'],
    ['ATTR_EMAIL', 'mail address', 'write the name of one attribute'],
    ['ATTR_UNIQUE_ID', 'a b', 'write the name of one attribute'],
    ['ATTR_DISPLAY_NAME', 'a,b', 'write the name of one attribute'],
    ['ATTR_MEMBER_OF', '(a)', 'write the name of one attribute'],
    ['GROUP_ROLE_MAPPINGS', '[]', 'with at least one object'],
    ['GROUP_ROLE_MAPPINGS', '{"group_dn": "*", "role": "ADMIN"}', 'write a JSON array'],
    ['GROUP_ROLE_MAPPINGS', '[3]', 'item 1 is not an object'],
    ['GROUP_ROLE_MAPPINGS', '[{"group_dn": "*", "role": "SYSTEM"}]', 'item 1 has no role that people can have'],
    ['GROUP_ROLE_MAPPINGS', '[{"group_dn": "*"}]', 'item 1 has no role that people can have'],
    ['GROUP_ROLE_MAPPINGS', '[{"group_dn": "", "role": "ADMIN"}]', 'item 1 has a group_dn that is not'],
    ['GROUP_ROLE_MAPPINGS', '[{"group_dn": "admins", "role": "ADMIN"}]', 'item 1 has a group_dn that is not'],
    ['GROUP_ROLE_MAPPINGS', '[{"dn": "*", "role": "ADMIN"}]', 'item 1 has a field that is not known'],
    ['ALLOW_SIGN_UP', '1', 'write true or false'],
  ])('with %s=%s is refused, and says what to do', (name, text, fix) => {
    const [problem, ...others] = problemsOf({ [`SERVICE_LDAP_${name}`]: text });
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^SERVICE_LDAP_${name} is `));
    expect(problem).toContain(fix);
  });

  it.each([
    ['BIND_PASSWORD', { BIND_DN: 'cn=cairn' }, 'is unset, and SERVICE_LDAP_BIND_DN needs it'],
    ['BIND_DN', { BIND_PASSWORD: 'hunter2' }, 'is unset, and SERVICE_LDAP_BIND_PASSWORD needs it'],
    ['BIND_DN', { BIND_DN: 'cairn', BIND_PASSWORD: 'hunter2' }, 'write a distinguished name'],
    ['TLS_CLIENT_KEY_FILE', { TLS_CLIENT_CERT_FILE: certificate('client-certificate.pem') }, 'set both or neither'],
    ['TLS_CLIENT_CERT_FILE', { TLS_CLIENT_KEY_FILE: certificate('client-key.pem') }, 'set both or neither'],
    ['TLS_CA_CERT_FILE', { TLS_CA_CERT_FILE: '/nowhere/ca.pem' }, 'cannot be read (ENOENT)'],
    ['TLS_CA_CERT_FILE', { TLS_CA_CERT_FILE: '/' }, 'is not a file'],
    ['TLS_CA_CERT_FILE', { TLS_CA_CERT_FILE: certificate('server-key.pem') }, 'contains nothing that can be used'],
    [
      'TLS_CLIENT_KEY_FILE',
      {
        TLS_CLIENT_CERT_FILE: certificate('client-certificate.pem'),
        TLS_CLIENT_KEY_FILE: certificate('server-key.pem'),
      },
      'contains nothing that can be used',
    ],
    ['GROUP_SEARCH_BASE_DNS', { GROUP_SEARCH_FILTER: '(member=%s)' }, 'is unset, and SERVICE_LDAP_GROUP_SEARCH_FILTER'],
    [
      'GROUP_SEARCH_FILTER_USER_ATTR',
      { GROUP_SEARCH_FILTER_USER_ATTR: 'dn' },
      'needs SERVICE_LDAP_GROUP_SEARCH_FILTER',
    ],
    ['ATTR_UNIQUE_ID', { ATTR_EMAIL: 'null' }, 'is unset, and SERVICE_LDAP_ATTR_EMAIL is null'],
    [
      'ALLOW_SIGN_UP',
      { ATTR_EMAIL: 'null', ATTR_UNIQUE_ID: 'entryUUID', ALLOW_SIGN_UP: 'false' },
      'is false, and SERVICE_LDAP_ATTR_EMAIL is null',
    ],
  ])('is refused where %s does not fit the others: %j', (name, settings, fix) => {
    const env = Object.fromEntries(Object.entries(settings).map(([key, text]) => [`SERVICE_LDAP_${key}`, text]));
    const [problem, ...others] = problemsOf(env);
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^SERVICE_LDAP_${name} `));
    expect(problem).toContain(fix);
    expect(problem).not.toContain('hunter2');
  });

  it('without e-mail addresses refuses administrators who are named by theirs', () => {
    const env = {
      SERVICE_LDAP_ATTR_EMAIL: 'null',
      SERVICE_LDAP_ATTR_UNIQUE_ID: 'entryUUID',
      SERVICE_ADMINS: 'Ada=ada@example.com',
    };
    expect(problemsOf(env)).toEqual([expect.stringContaining('SERVICE_ADMINS is set')]);
  });

  it('takes the certificates that it is given', () => {
    const tls = ldapOf({
      SERVICE_LDAP_TLS_CA_CERT_FILE: certificate('authority.pem'),
      SERVICE_LDAP_TLS_CLIENT_CERT_FILE: certificate('client-certificate.pem'),
      SERVICE_LDAP_TLS_CLIENT_KEY_FILE: certificate('client-key.pem'),
    })?.tls;
    expect(tls?.caPem).toContain('BEGIN CERTIFICATE');
    expect(tls?.client?.certificatePem).toContain('BEGIN CERTIFICATE');
    expect(JSON.stringify(tls)).not.toContain('PRIVATE KEY');
  });

  it('is configured by the examples of its document', () => {
    const document = readFileSync(new URL('../../docs/ldap.md', import.meta.url), 'utf8');
    const blocks = [...document.matchAll(/```sh\n(export [^]*?)```/g)].map(([, block = '']) => block);
    expect(blocks).toHaveLength(2);
    for (const block of blocks) {
      const lines = [...block.matchAll(/export (\w+)=(?:'([^']*)'|(\S*))/g)];
      const settings = lines.map(([, name = '', quoted, plain]) => [name, quoted ?? plain] as const);
      const given = { ...ON, ...Object.fromEntries(settings.filter(([name]) => name.startsWith('SERVICE_LDAP_'))) };
      expect(deriveConfig(given)).toMatchObject({ problems: [], warnings: [], config: { auth: { ldap: {} } } });
    }
  });

  it('warns of what protects less than it seems to, or does nothing', () => {
    expect(warningsOf({ ...LDAP, SERVICE_LDAP_TLS_MODE: 'none', SERVICE_LDAP_TLS_VERIFY: 'false' })).toEqual([
      expect.stringContaining('SERVICE_LDAP_TLS_MODE is none: passwords cross the network'),
      'SERVICE_LDAP_TLS_VERIFY has no effect: SERVICE_LDAP_TLS_MODE is none.',
    ]);
    expect(warningsOf({ ...LDAP, SERVICE_LDAP_TLS_VERIFY: 'false' })).toEqual([
      expect.stringContaining('SERVICE_LDAP_TLS_VERIFY is false: anyone in the network'),
    ]);
    expect(warningsOf({ ...LDAP, SERVICE_LDAP_GROUP_SEARCH_BASE_DNS: '["dc=a"]' })).toEqual([
      'SERVICE_LDAP_GROUP_SEARCH_BASE_DNS has no effect: SERVICE_LDAP_GROUP_SEARCH_FILTER is unset.',
    ]);
    expect(warningsOf({ SERVICE_LDAP_ATTR_EMAIL: 'mail' })).toEqual([
      'SERVICE_LDAP_ATTR_EMAIL has no effect: SERVICE_LDAP_HOST is unset.',
    ]);
    expect(warningsOf({ ...LDAP, SERVICE_ENABLE_AUTH: 'false' })).toEqual([
      'SERVICE_LDAP_HOST has no effect: authentication is off until SERVICE_ENABLE_AUTH is true.',
    ]);
    expect(warningsOf({ ...LDAP, SERVICE_LDAP_HOSTS: 'x' })).toEqual([
      'SERVICE_LDAP_HOSTS is not a known variable and has no effect. Did you mean SERVICE_LDAP_HOST?',
    ]);
  });
});
