import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { Config, SqliteConfig } from './config.ts';
import { deriveConfig } from './load.ts';

function derive(env: Record<string, string>, flags: Record<string, string> = {}): Config {
  const { config, problems } = deriveConfig(env, flags);
  if (config === null) throw new Error(JSON.stringify(problems));
  return config;
}

function problemsOf(env: Record<string, string>, flags: Record<string, string> = {}): string[] {
  return deriveConfig(env, flags).problems.map(({ variable, message }) => `${variable} ${message}`);
}

describe('addresses', () => {
  it('are both loopback ones while nothing is set, without a warning', () => {
    const { config, warnings } = deriveConfig({});
    expect([config?.addresses, config?.isLoopbackOnly, warnings]).toEqual([['127.0.0.1', '::1'], true, []]);
  });

  it('are what HOST says, with a warning once other machines can reach one', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.4', 'cairn.example.com']) {
      const { config, warnings } = deriveConfig({ SERVICE_HOST: host });
      expect([config?.addresses, config?.isLoopbackOnly]).toEqual([[host], false]);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain('can read and write everything');
    }
    expect(deriveConfig({ SERVICE_HOST: '127.0.0.2' }).warnings).toEqual([]);
  });

  it('allow the names of localhost, HOST, ROOT_URL and ALLOWED_HOSTS, once each, and list no addresses', () => {
    const config = derive({
      SERVICE_HOST: 'box.local',
      SERVICE_ROOT_URL: 'https://Cairn.example.com',
      SERVICE_ALLOWED_HOSTS: 'cairn, localhost, box.local',
    });
    expect(config.allowedHosts).toEqual(['localhost', 'box.local', 'cairn', 'cairn.example.com']);
    expect(derive({ SERVICE_HOST: '::', SERVICE_ROOT_URL: 'http://[::1]:80' }).allowedHosts).toEqual(['localhost']);
  });
});

describe('ports', () => {
  it('must differ, unless any free one is asked for', () => {
    expect(problemsOf({ SERVICE_GRPC_PORT: '6006', PHOENIX_PORT: '6006', SERVICE_OTLP_HTTP_PORT: '6006' })).toEqual([
      'SERVICE_GRPC_PORT is 6006, and so is PHOENIX_PORT; use a different port for each.',
      'SERVICE_OTLP_HTTP_PORT is 6006, and so is PHOENIX_PORT; use a different port for each.',
    ]);
    const config = derive({ SERVICE_PORT: '0', SERVICE_GRPC_PORT: '0', SERVICE_OTLP_HTTP_PORT: '0' });
    expect([config.http.port, config.grpc.port, config.otlpHttp?.port]).toEqual([0, 0, 0]);
  });

  it('leave the second one for OTLP off until it is named', () => {
    expect(derive({}).otlpHttp).toBeNull();
    expect(derive({ SERVICE_OTLP_HTTP_PORT: '4318' }).otlpHttp).toEqual({ port: 4318, tls: null });
  });
});

describe('metrics', () => {
  it('have a listener of their own where a port is named, on this machine unless told otherwise', () => {
    expect(derive({}).metrics).toBeNull();
    expect(derive({ SERVICE_METRICS_PORT: '9090' }).metrics).toEqual({ addresses: ['127.0.0.1', '::1'], port: 9090 });
    const everywhere = derive({ SERVICE_METRICS_PORT: '9090', SERVICE_METRICS_HOST: '0.0.0.0' });
    expect(everywhere.metrics).toEqual({ addresses: ['0.0.0.0'], port: 9090 });
    expect(problemsOf({ SERVICE_METRICS_PORT: '6006' })).toEqual([
      'SERVICE_METRICS_PORT is 6006, and so is SERVICE_PORT; use a different port for each.',
    ]);
  });
});

/** The file that a configuration names. */
function fileOf(env: Record<string, string>, flags: Record<string, string> = {}): SqliteConfig {
  const { database } = derive(env, flags);
  if (database.engine !== 'sqlite') throw new Error('it is no file');
  return database;
}

describe('changes of the schema', () => {
  it('are made and told unless somebody says otherwise, in a word that is known', () => {
    expect(derive({}).migrations).toEqual({ isDisabled: false, isLogged: true, buildsConcurrently: false });
    const given = { SERVICE_DANGEROUSLY_DISABLE_MIGRATIONS: 'true', SERVICE_LOG_MIGRATIONS: 'false' };
    expect(derive(given).migrations).toMatchObject({ isDisabled: true, isLogged: false });
    for (const name of ['LOG_MIGRATIONS', 'DANGEROUSLY_DISABLE_MIGRATIONS', 'MIGRATE_INDEX_CONCURRENTLY'])
      expect(problemsOf({ [`SERVICE_${name}`]: 'yes' })).toEqual([`SERVICE_${name} is "yes": write true or false.`]);
  });
});

describe('the database', () => {
  it('is a file in the working directory by default', () => {
    expect(derive({}).database).toEqual({
      engine: 'sqlite',
      path: join(homedir(), '.cairn', 'cairn.db'),
      isTemporary: false,
    });
    expect(fileOf({ SERVICE_WORKING_DIR: '/a' }, { '--data': '/b' }).path).toBe(resolve('/b/cairn.db'));
  });

  it('is the file of a URL: relative after three slashes, absolute after four', () => {
    const pathOf = (url: string) => fileOf({ SERVICE_SQL_DATABASE_URL: url }).path;
    expect(pathOf('sqlite:///data/x.db')).toBe(resolve('data/x.db'));
    expect(pathOf('sqlite:////data/x.db')).toBe('/data/x.db');
    expect(pathOf('sqlite:///~/x.db')).toBe(join(homedir(), 'x.db'));
  });

  it('is a temporary file with a name of its own when it is asked for in memory', () => {
    const first = fileOf({ SERVICE_SQL_DATABASE_URL: 'sqlite:///:memory:' });
    const second = fileOf({ SERVICE_SQL_DATABASE_URL: 'sqlite:///:memory:' });
    expect(first.isTemporary).toBe(true);
    expect(first.path.startsWith(tmpdir())).toBe(true);
    expect(first.path).not.toBe(second.path);
  });

  it('refuses every other URL and never shows it', () => {
    for (const url of [
      'sqlite://',
      'sqlite:///',
      'sqlite:///dir/',
      'sqlite:///a.db?mode=ro',
      'mysql://u:hunter2@h/d',
      'x',
    ]) {
      const problems = problemsOf({ SERVICE_SQL_DATABASE_URL: url });
      expect([url, problems.length]).toEqual([url, 1]);
      expect(problems[0]).not.toContain('hunter2');
    }
  });

  it('is PostgreSQL where a URL, or host and user, ask for it', () => {
    for (const env of [
      { PHOENIX_SQL_DATABASE_URL: 'postgresql://u:hunter2@h/d' },
      { SERVICE_SQL_DATABASE_URL: 'postgresql+psycopg://u:hunter2@h/d' },
      {
        SERVICE_POSTGRES_HOST: 'h',
        PHOENIX_POSTGRES_USER: 'u',
        SERVICE_POSTGRES_PASSWORD: 'hunter2',
        SERVICE_POSTGRES_DB: 'd',
      },
    ]) {
      const { database } = derive(env);
      expect(database).toMatchObject({ engine: 'postgres', primary: { host: 'h', user: 'u', database: 'd' } });
      expect(JSON.stringify(database)).not.toContain('hunter2');
    }
  });

  it("warns about PostgreSQL's other names, and about host and user when a URL wins over them", () => {
    const env = { SERVICE_SQL_DATABASE_URL: 'sqlite:////x.db', SERVICE_POSTGRES_HOST: 'h', SERVICE_POSTGRES_USER: 'u' };
    const { config, warnings } = deriveConfig({ ...env, PHOENIX_SQL_DATABASE_SCHEMA: 's' });
    expect(config?.database).toMatchObject({ path: '/x.db' });
    expect(warnings.map((warning) => warning.split(' ')[0])).toEqual([
      'PHOENIX_SQL_DATABASE_SCHEMA',
      'SERVICE_POSTGRES_HOST',
      'SERVICE_POSTGRES_USER',
    ]);
  });

  it('says what the group for PostgreSQL lacks', () => {
    const { warnings } = deriveConfig({ SERVICE_POSTGRES_HOST: 'h', SERVICE_POSTGRES_PASSWORD: 'hunter2' });
    expect(warnings).toEqual([
      'SERVICE_POSTGRES_HOST has no effect without SERVICE_POSTGRES_USER: the data is stored in a file.',
      'SERVICE_POSTGRES_PASSWORD has no effect without SERVICE_POSTGRES_USER: the data is stored in a file.',
    ]);
  });

  it('refuses a URL beside the flag for a folder, for one of them would be passed over', () => {
    const [problem] = problemsOf({ SERVICE_SQL_DATABASE_URL: 'sqlite:////x.db' }, { '--data': '/b' });
    expect(problem).toBe('--data SERVICE_SQL_DATABASE_URL also says where the data is stored; unset one of them.');
  });
});

describe('the storage guard', () => {
  const capacity = { SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: '2' };
  const percentage = { SERVICE_DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE: '75' };

  it('works when capacity and share are given', () => {
    expect(derive({ ...capacity, ...percentage }).storageGuard).toEqual({
      capacityBytes: 2 * 2 ** 30,
      blockAboveBytes: 1.5 * 2 ** 30,
    });
  });

  it('is off at a share of 0, and off with a warning when one of the two is missing', () => {
    const zero = { SERVICE_DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE: '0' };
    expect([derive({}).storageGuard, derive({ ...capacity, ...zero }).storageGuard]).toEqual([null, null]);
    for (const env of [capacity, percentage]) {
      const { config, warnings } = deriveConfig(env);
      expect(config?.storageGuard).toBeNull();
      expect(warnings[0]).toMatch(/has no effect without SERVICE_DATABASE_/);
    }
  });
});

describe('the root address', () => {
  it('should end with the root path', () => {
    const env = { SERVICE_HOST_ROOT_PATH: '/traces', SERVICE_ROOT_URL: 'https://a.example/traces/' };
    const { config, warnings } = deriveConfig(env);
    expect([config?.rootPath, config?.rootUrl, warnings]).toEqual(['/traces', 'https://a.example/traces', []]);
    expect(deriveConfig({ SERVICE_ROOT_URL: 'https://a.example/traces' }).warnings).toHaveLength(1);
  });
});

describe('TLS', () => {
  const file = (name: string) => resolve(import.meta.dirname, '../../test/fixtures/tls', name);
  const folder = mkdtempSync(join(tmpdir(), 'cairn-config-'));
  const own = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const pair = {
    SERVICE_TLS_ENABLED: 'true',
    SERVICE_TLS_CERT_FILE: file('server-certificate.pem'),
    SERVICE_TLS_KEY_FILE: file('server-key.pem'),
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is for both listeners, or for the one that is named', () => {
    const both = derive({ ...pair, SERVICE_OTLP_HTTP_PORT: '4318' });
    expect([both.http.tls, both.grpc.tls, both.otlpHttp?.tls].every((tls) => tls?.clientCaPem === null)).toBe(true);
    const http = derive({ ...pair, SERVICE_TLS_ENABLED_FOR_GRPC: 'false' });
    expect([http.http.tls === null, http.grpc.tls === null]).toEqual([false, true]);
    const grpc = derive({ ...pair, SERVICE_TLS_ENABLED: '', SERVICE_TLS_ENABLED_FOR_GRPC: 'true' });
    expect([grpc.http.tls === null, grpc.grpc.tls === null]).toEqual([true, false]);
  });

  it('opens an encrypted key with its password, and shows neither', () => {
    const env = { ...pair, SERVICE_TLS_KEY_FILE: file('server-key-encrypted.pem') };
    const config = derive({ ...env, SERVICE_TLS_KEY_FILE_PASSWORD: 'cairn-test' });
    expect(config.http.tls?.keyPassword?.reveal()).toBe('cairn-test');
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toMatch(/cairn-test|PRIVATE KEY/);
    expect(problemsOf({ ...env, SERVICE_TLS_KEY_FILE_PASSWORD: 'wrong' })).toHaveLength(1);
  });

  it('asks for the authorities exactly when clients are verified', () => {
    const env = { ...pair, SERVICE_TLS_VERIFY_CLIENT: 'true' };
    expect(problemsOf(env)).toEqual([
      'SERVICE_TLS_CA_FILE is unset: SERVICE_TLS_VERIFY_CLIENT needs certificate authorities to accept; name a PEM file.',
    ]);
    expect(derive({ ...env, SERVICE_TLS_CA_FILE: file('authority.pem') }).http.tls?.clientCaPem).toContain('BEGIN');
    expect(problemsOf({ ...env, SERVICE_TLS_CA_FILE: file('server-key.pem') })).toHaveLength(1);
  });

  it('reads no file while it is off', () => {
    expect(problemsOf({ SERVICE_TLS_CERT_FILE: '/nowhere', SERVICE_TLS_KEY_FILE: '/nowhere' })).toEqual([]);
  });

  it('lists what is wrong with each file', () => {
    const of = (certificate: string, key: string) =>
      problemsOf({ SERVICE_TLS_ENABLED: 'true', SERVICE_TLS_CERT_FILE: certificate, SERVICE_TLS_KEY_FILE: key });
    expect(of('', '')).toHaveLength(2);
    const [missing, notAFile] = of(join(folder, 'none.pem'), folder);
    expect([missing, notAFile]).toEqual([expect.stringContaining('ENOENT'), expect.stringContaining('is not a file')]);
    expect(of(own('empty.pem', '\n'), pair.SERVICE_TLS_KEY_FILE)[0]).toContain('is empty');
    expect(of(own('text.pem', 'hello'), pair.SERVICE_TLS_KEY_FILE)[0]).toMatch(
      /^SERVICE_TLS_CERT_FILE contains no usable/,
    );
    expect(of(pair.SERVICE_TLS_CERT_FILE, own('text.pem', 'hello'))[0]).toMatch(
      /^SERVICE_TLS_KEY_FILE contains no usable/,
    );
    expect(of(own('text.pem', 'hello'), own('text.pem', 'hello'))).toHaveLength(2);
    expect(of(pair.SERVICE_TLS_CERT_FILE, file('client-key.pem'))).toEqual([
      expect.stringMatching(/^SERVICE_TLS_KEY_FILE does not belong to the certificate/),
    ]);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('names a file that it may not read', () => {
    const locked = own('locked.pem', 'x');
    chmodSync(locked, 0);
    expect(problemsOf({ ...pair, SERVICE_TLS_KEY_FILE: locked })[0]).toContain('EACCES');
  });
});
