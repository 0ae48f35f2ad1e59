import { describe, expect, it } from 'vitest';
import { Secret } from '#base/secret';
import { asksForPostgres, derivePostgres } from './postgres.ts';
import type { PostgresConfig } from './postgres-config.ts';
import { type EnvironmentVariables, type Problem, readEnvironment } from './read-environment.ts';

const NO_FILES = { rootCertificate: null, certificate: null, key: null, keyPassword: null, revoked: null };
const GROUP = { POSTGRES_HOST: 'db.example', POSTGRES_USER: 'u', POSTGRES_PASSWORD: 'hunter2', POSTGRES_DB: 'd' };

describe('a URL of PostgreSQL', () => {
  it('says where the data lies, whatever driver it names', () => {
    const { config } = derive({ SQL_DATABASE_URL: 'postgresql+asyncpg://u%40x:p%2F%3a@[::1]:5433/d%20b' });
    expect(plain(config?.primary)).toEqual({
      host: '::1',
      port: 5433,
      user: 'u@x',
      database: 'd b',
      login: { kind: 'password', password: 'p/:' },
      tls: { ...NO_FILES, mode: 'prefer' },
    });
    expect(config).toMatchObject({ engine: 'postgres', replica: null, schema: null });
  });

  it('may name a socket, files of TLS and what means nothing here', () => {
    const { config, warnings } = derive({
      SQL_DATABASE_URL:
        'postgres://u@/d?host=/run/postgresql&sslmode=verify-full&sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem&sslpassword=hunter2&sslcrldir=/crl&sslsni=1&channel_binding=require',
    });
    expect(plain(config?.primary)).toMatchObject({
      host: '/run/postgresql',
      login: { kind: 'password', password: null },
      tls: {
        mode: 'verify-full',
        rootCertificate: '/ca.pem',
        certificate: '/c.pem',
        key: '/k.pem',
        keyPassword: 'hunter2',
        revoked: '/crl',
      },
    });
    expect(warnings).toEqual(['The parameter "channel_binding" of SERVICE_SQL_DATABASE_URL has no effect.']);
  });

  it.each([
    ['postgresql://u:hunter2@h', 'must name a database'],
    ['postgresql://h/d', 'must name a user'],
    ['postgresql://u:hun@ter2@h/d', 'must be postgresql://user:password@host:5432/database; write @, /'],
    ['postgresql://u:hunter2%@h/d', 'has a % that is not followed by two hexadecimal digits'],
    ['postgresql://u:hunter2@h1,h2/d', 'must name one host'],
    ['postgresql://u:hunter2@/d', 'must name one host'],
    ['postgresql://u:hunter2@h:70000/d', 'has an invalid port'],
    ['postgresql://u:hunter2@h/d?sslmod=require', 'has an unknown parameter "sslmod"; did you mean sslmode?'],
    ['postgresql://u:hunter2@h/d?ssl=true', 'has an unknown parameter "ssl"; the known ones are sslmode, sslrootcert,'],
    ['postgresql://u:hunter2@h/d?sslmode=maybe', 'has an invalid sslmode; write disable, allow,'],
  ])('is refused without being repeated: %s', (url, message) => {
    const { config, problems } = derive({ SQL_DATABASE_URL: url });
    expect(config).toBeNull();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`SERVICE_SQL_DATABASE_URL ${message}`);
    expect(problems[0]).not.toContain('ter2');
  });
});

describe('the group of variables for PostgreSQL', () => {
  it('asks for it with host and user, unless there is a URL', () => {
    expect(asks(GROUP)).toBe(true);
    expect(asks({ ...GROUP, POSTGRES_USER: '' })).toBe(false);
    expect(asks({ ...GROUP, SQL_DATABASE_URL: 'sqlite:////x.db' })).toBe(false);
    expect(plain(derive(GROUP).config?.primary)).toEqual({
      host: 'db.example',
      port: 5432,
      user: 'u',
      database: 'd',
      login: { kind: 'password', password: 'hunter2' },
      tls: { ...NO_FILES, mode: 'prefer' },
    });
    expect(derive({ ...GROUP, POSTGRES_HOST: '/run/postgresql' }).config?.primary.host).toBe('/run/postgresql');
    expect(derive({ ...GROUP, POSTGRES_HOST: '[::1]', POSTGRES_PORT: '1' }).config?.primary).toMatchObject({
      host: '::1',
      port: 1,
    });
  });

  it.each([
    [{ POSTGRES_PASSWORD: '' }, 'SERVICE_POSTGRES_PASSWORD must be set'],
    [{ POSTGRES_DB: '' }, 'SERVICE_POSTGRES_DB must be set'],
    [{ POSTGRES_PORT: 'tcp://10.0.0.1:5432' }, 'SERVICE_POSTGRES_PORT is not a port: Kubernetes sets this variable'],
    [{ POSTGRES_PORT: '0' }, 'SERVICE_POSTGRES_PORT is 0'],
    [{ POSTGRES_HOST: 'http://h' }, 'SERVICE_POSTGRES_HOST is not a host'],
    [{ SQL_DATABASE_SCHEMA: 'pg_mine' }, 'SERVICE_SQL_DATABASE_SCHEMA must be a name'],
    [{ SQL_DATABASE_READ_REPLICA_URL: 'sqlite:///x' }, 'SERVICE_SQL_DATABASE_READ_REPLICA_URL must begin with'],
    [{ POSTGRES_USE_AWS_IAM_AUTH: 'yes' }, 'SERVICE_POSTGRES_USE_AWS_IAM_AUTH write true or false'],
    [{ POSTGRES_USE_AWS_IAM_AUTH: 'true' }, 'SERVICE_POSTGRES_PASSWORD is set together with a login without password'],
  ])('is refused with what to do: %j', (change, message) => {
    const { config, problems } = derive({ ...GROUP, ...change });
    expect(config).toBeNull();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(message);
  });

  it('takes a schema and a replica', () => {
    const { config } = derive({
      ...GROUP,
      SQL_DATABASE_SCHEMA: 'Größe',
      SQL_DATABASE_READ_REPLICA_URL: 'postgres://r@replica/d?sslmode=require',
    });
    expect(config).toMatchObject({
      schema: 'Größe',
      replica: { host: 'replica', user: 'r', tls: { mode: 'require' } },
    });
  });
});

describe('a login with a token of a cloud', () => {
  const passwordless = { ...GROUP, POSTGRES_PASSWORD: '' };
  const clouds = {
    AWS_REGION: 'eu-west-1',
    AWS_SECRET_ACCESS_KEY: 'hunter2',
    AZURE_CLIENT_ID: 'who',
    IDENTITY_ENDPOINT: 'http://x',
    AZURE_EMPTY: '',
  };

  it('is encrypted, and knows the variables of that cloud', () => {
    const aws = derive({ ...passwordless, POSTGRES_DB: '', POSTGRES_USE_AWS_IAM_AUTH: 'true' }, clouds).config?.primary;
    expect(plain(aws)).toMatchObject({
      database: 'postgres',
      login: { kind: 'aws', environment: { AWS_REGION: 'eu-west-1', AWS_SECRET_ACCESS_KEY: 'hunter2' } },
      tls: { mode: 'require' },
    });
    expect(JSON.stringify(aws)).not.toContain('hunter2');
    const azure = derive({ ...passwordless, POSTGRES_USE_AZURE_MANAGED_IDENTITY: 'true' }, clouds).config?.primary;
    expect(plain(azure?.login)).toEqual({
      kind: 'azure',
      scope: 'https://ossrdbms-aad.database.windows.net/.default',
      environment: { AZURE_CLIENT_ID: 'who', IDENTITY_ENDPOINT: 'http://x' },
    });
  });

  it('serves a URL without a password, and the replica', () => {
    const { config } = derive({
      SQL_DATABASE_URL: 'postgres://u@h/d?sslmode=verify-full',
      SQL_DATABASE_READ_REPLICA_URL: 'postgres://u@r/d',
      POSTGRES_USE_AWS_IAM_AUTH: 'true',
      POSTGRES_AWS_IAM_TOKEN_LIFETIME_SECONDS: '900',
    });
    expect(config?.primary).toMatchObject({ login: { kind: 'aws' }, tls: { mode: 'verify-full' } });
    expect(config?.replica).toMatchObject({ login: { kind: 'aws' }, tls: { mode: 'require' } });
  });

  it.each([
    [{ ...passwordless, POSTGRES_DB: '', POSTGRES_USE_AZURE_MANAGED_IDENTITY: 'true' }, 'SERVICE_POSTGRES_DB must be'],
    [
      { ...passwordless, POSTGRES_USE_AWS_IAM_AUTH: 'true', POSTGRES_USE_AZURE_MANAGED_IDENTITY: 'true' },
      'are both true',
    ],
    [
      { SQL_DATABASE_URL: 'postgres://u:p@h/d', POSTGRES_USE_AWS_IAM_AUTH: 'true' },
      'contains a password although the login',
    ],
    [
      { SQL_DATABASE_URL: 'postgres://u@h/d?sslmode=disable', POSTGRES_USE_AWS_IAM_AUTH: 'true' },
      'has sslmode=disable',
    ],
  ])('is refused with what to do: %j', (given, message) => {
    const { config, problems } = derive(given);
    expect(config).toBeNull();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(message);
  });
});

function derive(
  settings: Record<string, string>,
  env: EnvironmentVariables = {},
): { config: PostgresConfig | null; problems: readonly string[]; warnings: readonly string[] } {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const config = derivePostgres(read(settings), env, problems, warnings);
  return { config, problems: problems.map(({ variable, message }) => `${variable} ${message}`), warnings };
}

function asks(settings: Record<string, string>): boolean {
  return asksForPostgres(read(settings));
}

function read(settings: Record<string, string>) {
  return readEnvironment(
    Object.fromEntries(Object.entries(settings).map(([name, text]) => [`SERVICE_${name}`, text])),
    {},
  );
}

/** With the texts of secrets. */
function plain(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
