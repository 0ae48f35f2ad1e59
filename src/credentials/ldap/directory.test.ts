/** Against OpenLDAP's server. */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogFields, Logger } from '#base/log';
import { Secret } from '#base/secret';
import type { LdapConfig, LdapTls } from '#config/ldap-config';
import { type CertificateFiles, createAuthority, createCertificate } from '../../../test/harness/certificates.ts';
import {
  type DirectoryServer,
  groupEntry,
  NO_DIRECTORY,
  personEntry,
  SEARCHER,
  startDirectory,
  TOP,
} from '../../../test/harness/directory-server.ts';
import { findFreePort } from '../../../test/harness/free-port.ts';
import { createTestFolder, removeTestFolder } from '../../../test/harness/leftovers.ts';
import { LdapConnection } from './connection.ts';
import { LdapDirectory } from './directory.ts';
import { DirectoryFailure } from './failures.ts';

const PEOPLE = `ou=people,${TOP}`;
const OPS = `cn=ops,ou=groups,${TOP}`;
const STAFF = `cn=staff,ou=groups,${TOP}`;
const TIMES = { connectMs: 2000, operationMs: 2000, totalMs: 6000 };
const ADA = { email: 'ada@example.com', uniqueId: null, displayName: 'Ada Lovelace', role: 'VIEWER' };

/** Names that mean something to filters and to distinguished names. */
const HOSTILE = [
  '*',
  '*)(uid=*',
  'ada)(objectClass=*',
  '(|(uid=*))',
  'a*',
  'ad\0a',
  '\\61da',
  'ada\\',
  'ada,ou=people',
  '%s',
  '$&',
  '\ud800',
];

const ENTRIES = `
${personEntry('ada', { name: 'Ada Lovelace', more: `memberOf: ${OPS}\nmemberOf: ${STAFF}` })}
${personEntry('bob', { more: `memberOf: CN=Staff , OU=groups,${TOP}` })}
${personEntry('twin', { mail: 'one@example.com' })}
${personEntry('nobody', { mail: '' })}
${personEntry('odd', { mail: 'not an address' })}
dn: ou=others,${TOP}
objectClass: organizationalUnit
ou: others
${personEntry('cy', { below: 'ou=others' })}
${personEntry('ada', { below: 'ou=others', mail: 'another-ada@example.com', password: 'of-the-other' })}
dn: ou=double,${TOP}
objectClass: organizationalUnit
ou: double

dn: ou=deep,ou=double,${TOP}
objectClass: organizationalUnit
ou: deep
${personEntry('twin', { below: 'ou=double' })}
${personEntry('twin', { below: 'ou=deep,ou=double' })}
dn: uid=o\\,\\+\\"o,ou=others,${TOP}
objectClass: inetOrgPerson
uid: o,+"o
uid: star*(paren)\\back
cn: o
sn: o
mail: hostile@example.com
userPassword: hostile-password

dn: ou=elsewhere,${TOP}
objectClass: referral
objectClass: extensibleObject
ou: elsewhere
ref: ldap://127.0.0.1:1/ou=elsewhere,${TOP}
${groupEntry('ops', ['ada'])}
${groupEntry('staff', ['ada', 'bob'])}
`;

/** What was logged, as one text. */
let logged: string[];
const note = (message: string, fields?: LogFields) => void logged.push(`${message} ${JSON.stringify(fields ?? {})}`);
const log: Logger = { debug: () => undefined, info: note, warn: note, error: note };

let folder: string;
let authority: CertificateFiles;
let server: DirectoryServer;

const tlsOf = (more: Partial<LdapTls> = {}): LdapTls => ({
  isUpgraded: true,
  isVerified: true,
  caPem: readFileSync(authority.certificate, 'utf8'),
  client: null,
  ...more,
});

type Settings = Omit<Partial<LdapConfig>, 'users'> & { readonly users?: Partial<LdapConfig['users']> };

function directoryOf({ users, ...config }: Settings = {}, times = TIMES): LdapDirectory {
  logged = [];
  const all: LdapConfig = {
    servers: [{ host: '127.0.0.1', port: server.port }],
    tls: tlsOf(),
    service: { dn: SEARCHER.dn, password: new Secret(SEARCHER.password) },
    users: {
      baseDns: [PEOPLE],
      filter: '(&(objectClass=inetOrgPerson)(uid=%s))',
      emailAttribute: 'mail',
      uniqueIdAttribute: null,
      displayNameAttribute: 'displayName',
      memberOfAttribute: 'memberOf',
      ...users,
    },
    groups: null,
    roles: [{ groupDn: null, role: 'VIEWER' }],
    allowsSignUp: true,
    ...config,
  };
  return new LdapDirectory(all, log, times);
}

const addressOf = ({ port }: { readonly port: number }) => ({ host: '127.0.0.1', port });
const ada = (directory: LdapDirectory) => directory.authenticate('ada', 'ada-password');
const expectOutage = (signIn: Promise<unknown>) =>
  expect(signIn).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('does not answer') });

describe.skipIf(NO_DIRECTORY !== null)(`a directory${NO_DIRECTORY === null ? '' : ` (${NO_DIRECTORY})`}`, () => {
  beforeAll(async () => {
    folder = createTestFolder('certificates');
    authority = createAuthority(folder, 'authority');
    const tls = createCertificate(folder, 'server', { authority, names: 'IP:127.0.0.1,DNS:localhost' });
    server = await startDirectory({ entries: ENTRIES, tls: { ...tls, authority: authority.certificate } });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    removeTestFolder(folder);
  });

  describe('knows people', () => {
    it('by StartTLS, by TLS from the start and in clear, as another account or as nobody', async () => {
      expect(await ada(directoryOf())).toEqual(ADA);
      expect(
        await ada(
          directoryOf({
            servers: [{ host: 'localhost', port: server.tlsPort }],
            tls: tlsOf({ isUpgraded: false }),
          }),
        ),
      ).toEqual(ADA);
      expect(await ada(directoryOf({ tls: null, service: null }))).toEqual(ADA);
      expect(logged).toEqual([]);
    });

    it('by their password alone', async () => {
      const directory = directoryOf();
      expect(await directory.authenticate('ada', 'wrong')).toBeNull();
      expect(await directory.authenticate('unknown', 'ada-password')).toBeNull();
      expect(await directory.authenticate(' ', 'x')).toBeNull();
      expect(await directory.authenticate('ada', 'x'.repeat(1025))).toBeNull();
      expect(await directory.authenticate('a'.repeat(257), 'x')).toBeNull();
      expect(logged).toEqual([]);
    });

    it('never without a password, which directories would take for anybody', async () => {
      const before = server.log().length;
      expect(await directoryOf().authenticate('ada', '')).toBeNull();
      expect(server.log()).toHaveLength(before);
    });

    it('in the first base that has them', async () => {
      const users = { baseDns: [`ou=gone,${TOP}`, PEOPLE, `ou=others,${TOP}`] as const };
      expect(await directoryOf({ users }).authenticate('cy', 'cy-password')).toMatchObject({ email: 'cy@example.com' });
      expect(await ada(directoryOf({ users }))).toEqual(ADA);
      expect(await directoryOf({ users }).authenticate('ada', 'of-the-other')).toBeNull();
    });

    it('only where one entry has the name', async () => {
      const users = { baseDns: [`ou=double,${TOP}`, PEOPLE] as const };
      expect(await directoryOf({ users }).authenticate('twin', 'twin-password')).toBeNull();
      expect(logged.join()).toContain('Several entries of the directory have the name');
      expect(logged.join()).not.toContain('twin');
    });

    it('with the time of a wrong password where there is no such entry', async () => {
      const binds = async (name: string) => {
        const before = server.log().length;
        await directoryOf().authenticate(name, 'wrong');
        return server
          .log()
          .slice(before)
          .match(/ BIND dn="/g)?.length;
      };
      expect(await binds('unknown')).toBe(await binds('ada'));
    });

    it.each(HOSTILE)('and no others by the name %j', async (name) => {
      expect(await directoryOf().authenticate(name, 'ada-password')).toBeNull();
      expect(logged).toEqual([]);
    });

    it('whose names need to be escaped', async () => {
      const users = { baseDns: [`ou=others,${TOP}`] as const };
      for (const name of ['o,+"o', 'star*(paren)\\back']) {
        expect(await directoryOf({ users }).authenticate(name, 'hostile-password')).toMatchObject({
          email: 'hostile@example.com',
        });
      }
    });

    it('without following referrals to other servers', async () => {
      for (const base of [TOP, `ou=elsewhere,${TOP}`]) {
        expect(await directoryOf({ users: { baseDns: [base] } }).authenticate('unknown', 'x')).toBeNull();
      }
      expect(logged).toEqual([]);
    });

    it('only with what the settings demand of their entries', async () => {
      for (const name of ['nobody', 'odd']) {
        expect(await directoryOf().authenticate(name, `${name}-password`)).toBeNull();
        expect(logged.join()).toContain('Somebody with the right password cannot sign in');
        expect(logged.join()).not.toMatch(new RegExp(`${name}|not an address`));
      }
      expect(
        await directoryOf({ users: { emailAttribute: null, uniqueIdAttribute: 'ENTRYUUID' } }).authenticate(
          'nobody',
          'nobody-password',
        ),
      ).toEqual({
        email: null,
        uniqueId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        displayName: 'nobody',
        role: 'VIEWER',
      });
    });

    it('with several attempts at once', async () => {
      const directory = directoryOf();
      const found = await Promise.all(Array.from({ length: 30 }, () => ada(directory)));
      expect(found).toEqual(Array(30).fill(ADA));
      const flood = await Promise.allSettled(Array.from({ length: 80 }, () => ada(directory)));
      const refused = flood.filter((one) => one.status === 'rejected');
      expect(refused).toHaveLength(20);
      expect(refused[0]?.reason).toMatchObject({ code: 'resource_exhausted' });
    });
  });

  describe('gives roles', () => {
    const roles = [
      { groupDn: STAFF, role: 'MEMBER' },
      { groupDn: OPS, role: 'ADMIN' },
    ] as const;
    const groups = {
      baseDns: [`ou=groups,${TOP}`],
      filter: '(&(objectClass=groupOfNames)(member=%s))',
      userAttribute: 'dn',
    };

    it('by the first group that fits, however its name is written', async () => {
      expect(await ada(directoryOf({ roles }))).toMatchObject({ role: 'MEMBER' });
      expect(await ada(directoryOf({ roles: roles.toReversed() }))).toMatchObject({ role: 'ADMIN' });
      expect(await directoryOf({ roles }).authenticate('bob', 'bob-password')).toMatchObject({ role: 'MEMBER' });
    });

    it('by searching for groups', async () => {
      expect(await ada(directoryOf({ roles, groups }))).toMatchObject({ role: 'MEMBER' });
      const opsOnly = [{ groupDn: OPS, role: 'ADMIN' }] as const;
      expect(await ada(directoryOf({ roles: opsOnly, groups }))).toMatchObject({ role: 'ADMIN' });
      expect(await directoryOf({ roles: opsOnly, groups }).authenticate('bob', 'bob-password')).toMatchObject({
        role: null,
      });
      const byName = { ...groups, filter: `(member=uid=%s,${PEOPLE})`, userAttribute: null };
      expect(await ada(directoryOf({ roles, groups: byName }))).toMatchObject({ role: 'MEMBER' });
      const byNothing = { ...groups, userAttribute: 'employeeNumber' };
      expect(await ada(directoryOf({ roles, groups: byNothing }))).toMatchObject({ role: null });
    });

    it('to nobody where no group fits, unless everybody has one', async () => {
      const opsOnly = [{ groupDn: OPS, role: 'ADMIN' }] as const;
      expect(await directoryOf({ roles: opsOnly }).authenticate('bob', 'bob-password')).toMatchObject({ role: null });
      const last = [
        { groupDn: OPS, role: 'ADMIN' },
        { groupDn: null, role: 'VIEWER' },
      ] as const;
      expect(await directoryOf({ roles: last }).authenticate('bob', 'bob-password')).toMatchObject({ role: 'VIEWER' });
    });
  });

  describe('is not there', () => {
    const closedPort = () => findFreePort();

    it('where no server answers, and says so', async () => {
      await expectOutage(ada(directoryOf({ servers: [{ host: '127.0.0.1', port: await closedPort() }] })));
      expect(logged.join()).toContain('ECONNREFUSED');
    });

    it('where one server ends: the next one is asked, in their order', async () => {
      const tls = createCertificate(folder, 'first', { authority, names: 'IP:127.0.0.1' });
      const first = await startDirectory({ entries: personEntry('ada', { name: 'Of the first' }), tls });
      const directory = directoryOf({
        servers: [addressOf(first), addressOf(server)],
      });
      expect(await ada(directory)).toMatchObject({ displayName: 'Of the first' });
      const many = Array.from({ length: 20 }, () => ada(directory));
      await Promise.race(many);
      await first.kill();
      for (const found of await Promise.all(many)) expect(found).toMatchObject({ email: ADA.email });
      expect(await ada(directory)).toEqual(ADA);
      await first[Symbol.asyncDispose]();
    });

    it('where the next server alone knows the name: what the first one refuses is refused', async () => {
      await using first = await startDirectory({ entries: '' });
      const servers = [addressOf(first), addressOf(server)] as const;
      expect(await ada(directoryOf({ tls: null, servers }))).toBeNull();
      expect(logged).toEqual([]);
    });

    it('where it does not prove who it is', async () => {
      const expired = createAuthority(folder, 'expired', -1);
      const unknown = createAuthority(folder, 'unknown');
      const own = tlsOf().caPem;
      for (const [files, ca, code] of [
        [createCertificate(folder, 'other-host', { authority, names: 'DNS:ldap.example.org' }), own, 'ALTNAME'],
        [createCertificate(folder, 'of-expired', { authority: expired, names: 'IP:127.0.0.1' }), expired, 'EXPIRED'],
        [createCertificate(folder, 'of-unknown', { authority: unknown, names: 'IP:127.0.0.1' }), own, 'UNABLE_TO_'],
      ] as const) {
        await using impostor = await startDirectory({ entries: personEntry('ada'), tls: files });
        const caPem = typeof ca === 'object' && ca !== null ? readFileSync(ca.certificate, 'utf8') : ca;
        for (const isUpgraded of [true, false]) {
          const port = isUpgraded ? impostor.port : impostor.tlsPort;
          const servers = [{ host: '127.0.0.1', port }] as const;
          await expectOutage(ada(directoryOf({ servers, tls: tlsOf({ isUpgraded, caPem }) })));
          expect(logged.join()).toContain(code);
          expect(
            await ada(directoryOf({ servers, tls: tlsOf({ isUpgraded, caPem, isVerified: false }) })),
          ).not.toBeNull();
        }
        expect(impostor.log()).not.toMatch(/BIND dn="" method=128|BIND dn="uid=ada.*\n.*BIND dn="" /);
      }
    });

    it('where it refuses TLS: nothing is sent in clear', async () => {
      await using plain = await startDirectory({ entries: personEntry('ada') });
      for (const isUpgraded of [true, false]) {
        const servers = [{ host: '127.0.0.1', port: plain.port }] as const;
        await expectOutage(ada(directoryOf({ servers, tls: tlsOf({ isUpgraded }) })));
      }
      expect(plain.log()).not.toContain('BIND');
    });

    it('where it asks for a certificate that it is not shown', async () => {
      const tls = createCertificate(folder, 'strict', { authority, names: 'IP:127.0.0.1' });
      await using strict = await startDirectory({
        entries: personEntry('ada'),
        tls: { ...tls, authority: authority.certificate, needsClient: true },
      });
      const servers = [{ host: '127.0.0.1', port: strict.port }] as const;
      await expectOutage(ada(directoryOf({ servers })));
      const { certificate, key } = createCertificate(folder, 'client', { authority, names: 'DNS:cairn' });
      const client = {
        certificatePem: readFileSync(certificate, 'utf8'),
        keyPem: new Secret(readFileSync(key, 'utf8')),
      };
      expect(await ada(directoryOf({ servers, tls: tlsOf({ client }) }))).not.toBeNull();
    });

    it('where it refuses the account that searches, whose password is not logged', async () => {
      await expectOutage(ada(directoryOf({ service: { dn: SEARCHER.dn, password: new Secret('outdated-password') } })));
      expect(logged.join()).toContain('it refused the account that searches');
      expect(logged.join()).not.toMatch(/outdated-password|ada/);
    });

    it('where it hangs', async () => {
      await using silent = await startSilent();
      const times = { connectMs: 200, operationMs: 200, totalMs: 5000 };
      const servers = [{ host: '127.0.0.1', port: silent.port }] as const;
      for (const tls of [null, tlsOf(), tlsOf({ isUpgraded: false })]) {
        await expectOutage(ada(directoryOf({ servers, tls }, times)));
        expect(logged.join()).toContain('it did not answer in time');
      }
      await expectOutage(
        ada(directoryOf({ servers, tls: null }, { connectMs: 5000, operationMs: 5000, totalMs: 200 })),
      );
      expect(logged.join()).toContain('the connection was lost');
      expect(silent.openCount()).toBe(0);
    });

    it.each([
      ['StartTLS', true],
      ['TLS from the start', false],
    ])('where it is lost: it is not asked again in clear after %s', async (_tls, isUpgraded) => {
      const tls = createCertificate(folder, 'lost', { authority, names: 'IP:127.0.0.1' });
      await using lost = await startDirectory({ entries: personEntry('ada'), tls });
      const port = isUpgraded ? lost.port : lost.tlsPort;
      const options = { tls: tlsOf({ isUpgraded }), times: TIMES, signal: AbortSignal.timeout(60_000) };
      const connection = await LdapConnection.open({ host: '127.0.0.1', port }, options);
      const dn = `uid=ada,${PEOPLE}`;
      expect(await connection.verify(dn, 'wrong')).toBe(false);
      await lost.kill();
      await using impostor = await startSilent(undefined, port);
      for (let attempt = 0; attempt < 2; attempt++) {
        await expect(connection.verify(dn, 'ada-password')).rejects.toThrow(DirectoryFailure);
      }
      expect(impostor.acceptedCount()).toBe(0);
      await connection.close();
    });

    it('where it sends without end', async () => {
      let sentBytes = 0;
      await using endless = await startSilent((socket) => {
        const send = () => {
          sentBytes = socket.bytesWritten;
          // A client that never ends it must not keep the test from failing.
          if (!socket.destroyed && sentBytes < 256 * 2 ** 20) socket.write(Buffer.alloc(65_536, 0x30), send);
        };
        send();
      });
      await expectOutage(ada(directoryOf({ servers: [addressOf(endless)], tls: null })));
      // With what the system holds on its way.
      expect(sentBytes).toBeLessThan(24 * 2 ** 20);
    });
  });

  it('finds one of 10,000 people by several names, in little time for each', async () => {
    const entries = Array.from({ length: 10_000 }, (_, place) => personEntry(`person${place}`)).join('');
    await using large = await startDirectory({ entries });
    const servers = [{ host: '127.0.0.1', port: large.port }] as const;
    const users = { filter: '(|(uid=%s)(mail=%s))' };
    const directory = directoryOf({ servers, tls: null, users });
    for (const name of ['person0', 'person9999', 'person5000@example.com']) {
      const uid = name.replace(/@.*/, '');
      expect(await directory.authenticate(name, `${uid}-password`)).toMatchObject({ email: `${uid}@example.com` });
    }
    const everybody = directoryOf({ servers, tls: null, users: { filter: '(|(uid=%s)(objectClass=inetOrgPerson))' } });
    expect(await everybody.authenticate('person0', 'person0-password')).toBeNull();
    expect(logged.join()).toContain('Several entries');
  });
});

/** A server that takes connections and says nothing that makes sense. */
async function startSilent(greet: (socket: Socket) => void = () => undefined, port = 0) {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const silent: Server = createServer((socket) => {
    sockets.add(socket);
    accepted++;
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.resume();
    greet(socket);
  });
  silent.listen(port, '127.0.0.1');
  await once(silent, 'listening');
  return {
    port: (silent.address() as AddressInfo).port,
    openCount: () => sockets.size,
    acceptedCount: () => accepted,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
      await once(silent, 'close');
    },
  };
}
