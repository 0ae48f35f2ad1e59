import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../../test/harness/free-port.ts';
import { type PostgresCluster, startCluster } from '../../../test/harness/postgres/cluster.ts';
import { createTestDatabase, describePostgres } from '../../../test/harness/postgres/databases.ts';
import { findPostgres } from '../../../test/harness/postgres/find-postgres.ts';
import { NO_TLS, type PostgresAddress, type PostgresTls } from '../engine/postgres-address.ts';
import { sessionOn } from './open-session.fixture.ts';

const found = findPostgres();
const OTHER_NAME = '127.0.0.2';

describePostgres('encrypted connections to PostgreSQL', () => {
  let cluster: PostgresCluster;
  let address: PostgresAddress;

  beforeAll(async () => {
    if (found.kind !== 'binaries') return;
    const port = await findFreePort();
    cluster = await startCluster(found, {
      tcp: { hosts: `127.0.0.1,${OTHER_NAME}`, port },
      settings: { ssl: 'on', ssl_cert_file: '<folder>/cert', ssl_key_file: '<folder>/key', ssl_ca_file: '<folder>/ca' },
      files: { cert: read('server-certificate.pem'), key: read('server-key.pem'), ca: read('authority.pem') },
      access: [
        'hostnossl all plain 127.0.0.0/8 trust',
        'hostssl all encrypted 127.0.0.0/8 trust',
        'hostssl all certified 127.0.0.0/8 trust clientcert=verify-ca',
        'host all known 127.0.0.0/8 scram-sha-256',
      ],
    });
    const admin = sessionOn(cluster.address);
    await admin.exec(`CREATE ROLE plain LOGIN; CREATE ROLE encrypted LOGIN; CREATE ROLE certified LOGIN;
      CREATE ROLE known LOGIN PASSWORD 'p a%ss'`);
    await admin.close();
    address = { ...cluster.address, host: '127.0.0.1', port };
  });

  afterAll(async () => {
    await cluster?.end();
  });

  /** Whether the connection is encrypted; what keeps it from being made throws. */
  async function isEncrypted(user: string, tls: Partial<PostgresTls>, more: Partial<PostgresAddress> = {}) {
    const session = sessionOn({ ...address, user, ...more, tls: { ...NO_TLS, ...tls } });
    onTestFinished(() => session.close());
    const { rows } = await session.run('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()', []);
    return (rows as readonly { ssl: boolean }[])[0]?.ssl;
  }

  it.skipIf(found.kind !== 'binaries')('are tried in the order of the mode', async () => {
    expect(await isEncrypted('plain', { mode: 'disable' })).toBe(false);
    await expect(isEncrypted('encrypted', { mode: 'disable' })).rejects.toThrow(/pg_hba.conf/);
    expect(await isEncrypted('plain', { mode: 'allow' })).toBe(false);
    expect(await isEncrypted('encrypted', { mode: 'allow' })).toBe(true);
    expect(await isEncrypted('plain', { mode: 'prefer' })).toBe(false);
    expect(await isEncrypted('encrypted', { mode: 'prefer' })).toBe(true);
    expect(await isEncrypted('encrypted', { mode: 'require' })).toBe(true);
    await expect(isEncrypted('plain', { mode: 'require' })).rejects.toMatchObject({ fault: 'unavailable' });
  });

  it.skipIf(found.kind !== 'binaries')('check who the server is', async () => {
    const rootCertificate = path('authority.pem');
    expect(await isEncrypted('encrypted', { mode: 'verify-full', rootCertificate })).toBe(true);
    expect(await isEncrypted('encrypted', { mode: 'verify-full', rootCertificate }, { host: 'localhost' })).toBe(true);
    const other = { host: OTHER_NAME };
    expect(await isEncrypted('encrypted', { mode: 'verify-ca', rootCertificate }, other)).toBe(true);
    await expect(isEncrypted('encrypted', { mode: 'verify-full', rootCertificate }, other)).rejects.toThrow(OTHER_NAME);
    await expect(isEncrypted('encrypted', { mode: 'verify-ca' })).rejects.toThrow(/certificate/);
    // Somebody's certificate, but not who signed the server's.
    const wrong = { rootCertificate: path('client-certificate.pem') };
    await expect(isEncrypted('encrypted', { mode: 'require', ...wrong })).rejects.toThrow(/certificate/);
    await expect(isEncrypted('encrypted', { mode: 'require', rootCertificate: '/nowhere' })).rejects.toThrow(
      /root certificate for PostgreSQL cannot be read: ENOENT/,
    );
  });

  it.skipIf(found.kind !== 'binaries')('show who the client is', async () => {
    const certificate = path('client-certificate.pem');
    await expect(isEncrypted('certified', { mode: 'require' })).rejects.toThrow(/client certificate/);
    expect(await isEncrypted('certified', { mode: 'require', certificate, key: path('client-key.pem') })).toBe(true);
    const encrypted = { certificate: path('server-certificate.pem'), key: path('server-key-encrypted.pem') };
    expect(await isEncrypted('certified', { mode: 'require', ...encrypted, keyPassword: 'cairn-test' })).toBe(true);
    await expect(isEncrypted('certified', { mode: 'require', ...encrypted })).rejects.toMatchObject({
      fault: 'unavailable',
    });
  });

  it.skipIf(found.kind !== 'binaries')('log in with a password, whether encrypted or not', async () => {
    const login = (password: string) => ({ login: { kind: 'password', password } }) as const;
    expect(await isEncrypted('known', { mode: 'disable' }, login('p a%ss'))).toBe(false);
    expect(await isEncrypted('known', { mode: 'prefer' }, login('p a%ss'))).toBe(true);
    const failing = isEncrypted('known', { mode: 'prefer' }, login('secret-word'));
    await expect(failing).rejects.toThrow(/password authentication failed/);
    await expect(failing).rejects.not.toThrow(/secret-word/);
  });

  it('are not made with a server that does not know how, unless they need not be', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const { host: folder, port: number } = database.address;
    // On a socket of the machine a server refuses to encrypt.
    const relay = createServer((socket) => {
      const server = connect(`${folder}/.s.PGSQL.${number}`);
      socket.pipe(server).pipe(socket);
      for (const end of [socket, server]) end.on('error', () => undefined);
    });
    relay.listen(0, '127.0.0.1');
    await once(relay, 'listening');
    onTestFinished(() => void relay.close());
    const through = { ...database.address, host: '127.0.0.1', port: (relay.address() as AddressInfo).port };
    expect(await isEncrypted('cairn', { mode: 'prefer' }, through)).toBe(false);
    await expect(isEncrypted('cairn', { mode: 'require' }, through)).rejects.toThrow(/does not support SSL/);
  });
});

function path(name: string): string {
  return fileURLToPath(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url));
}

function read(name: string): string {
  return readFileSync(path(name), 'utf8');
}
