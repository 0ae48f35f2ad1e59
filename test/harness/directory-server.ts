/** OpenLDAP's server for tests, where it is installed: Debian's package `slapd`, of which no service needs to run. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CertificateFiles } from './certificates.ts';
import { findFreePort } from './free-port.ts';
import { createTestFolder, removeTestFolder } from './leftovers.ts';

/** Why tests with a directory are skipped; `null` where they run. */
export const NO_DIRECTORY: string | null = ['/usr/sbin/slapd', '/usr/lib/ldap/back_mdb.so', '/usr/bin/openssl'].every(
  (path) => existsSync(path),
)
  ? null
  : 'slapd and openssl are not installed (Debian: apt-get install slapd openssl)';

/** The top of the directory, and the account that searches it. */
export const TOP = 'dc=example,dc=com';
export const SEARCHER = { dn: `cn=cairn,${TOP}`, password: 'of-the-searcher' } as const;

/** See {@link startDirectory}. */
export interface DirectoryServer extends AsyncDisposable {
  readonly port: number;
  /** Of TLS from the start; as `port` where it has no certificate. */
  readonly tlsPort: number;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** What it was asked. */
  readonly log: () => string;
}

/** What a directory has. */
export interface DirectoryContent {
  /** LDIF of entries below {@link TOP}, which is there. */
  readonly entries: string;
  /** Where it listens; anywhere unless given. */
  readonly port?: number;
  /** StartTLS and a port of TLS; without, it speaks in clear alone. */
  readonly tls?: CertificateFiles & { readonly authority?: string; readonly needsClient?: boolean };
}

/** Starts a directory on free ports of this machine. */
export async function startDirectory({ entries, tls, ...options }: DirectoryContent): Promise<DirectoryServer> {
  const folder = createTestFolder('directory');
  mkdirSync(join(folder, 'data'));
  const config = join(folder, 'slapd.conf');
  writeFileSync(
    config,
    `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile ${folder}/pid
sizelimit 500
${tls === undefined ? '' : `TLSCertificateFile ${tls.certificate}\nTLSCertificateKeyFile ${tls.key}`}
${tls?.authority === undefined ? '' : `TLSCACertificateFile ${tls.authority}`}
${tls?.needsClient === true ? 'TLSVerifyClient demand' : ''}
database mdb
maxsize 104857600
suffix "${TOP}"
rootdn "cn=root,${TOP}"
directory ${folder}/data
index objectClass,uid,mail,member eq
dbnosync
overlay memberof
`,
  );
  const ldif = join(folder, 'entries.ldif');
  writeFileSync(ldif, `${BEGINNING}\n${entries}`);
  execFileSync('/usr/sbin/slapadd', ['-q', '-f', config, '-l', ldif], { stdio: 'pipe' });
  const port = options.port ?? (await findFreePort());
  const tlsPort = tls === undefined ? port : await findFreePort();
  const addresses =
    tls === undefined ? [`ldap://127.0.0.1:${port}`] : [`ldap://127.0.0.1:${port}`, `ldaps://127.0.0.1:${tlsPort}`];
  const logPath = join(folder, 'log');
  const log = openSync(logPath, 'a');
  const server = spawn('/usr/sbin/slapd', ['-f', config, '-h', addresses.join(' '), '-d', 'stats'], {
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const endWithUs = () => server.kill('SIGKILL');
  process.once('exit', endWithUs);
  const kill = async () => {
    process.off('exit', endWithUs);
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  const dispose = async () => {
    await kill();
    removeTestFolder(folder);
  };
  try {
    await untilItListens(server, port);
  } catch (error) {
    const said = readFileSync(logPath, 'utf8');
    await dispose();
    throw new Error(`slapd did not start:\n${said}`, { cause: error });
  }
  return { port, tlsPort, kill, log: () => readFileSync(logPath, 'utf8'), [Symbol.asyncDispose]: dispose };
}

/** A person of the directory, as LDIF. */
export function personEntry(
  uid: string,
  { password = `${uid}-password`, mail = `${uid}@example.com`, name = uid, more = '', below = 'ou=people' } = {},
): string {
  return `
dn: uid=${uid},${below},${TOP}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${name}
sn: ${uid}
displayName: ${name}
userPassword: ${password}
${mail === '' ? '' : `mail: ${mail}\n`}${more}
`.replaceAll(/\n{2,}(?=[^d\n])/g, '\n');
}

/** A group, as LDIF. @param members uids below `ou=people` */
export function groupEntry(cn: string, members: readonly string[]): string {
  const lines = members.map((uid) => `member: uid=${uid},ou=people,${TOP}`);
  return `\ndn: cn=${cn},ou=groups,${TOP}\nobjectClass: groupOfNames\ncn: ${cn}\n${lines.join('\n')}\n`;
}

const BEGINNING = `dn: ${TOP}
objectClass: dcObject
objectClass: organization
dc: example
o: example

dn: ou=people,${TOP}
objectClass: organizationalUnit
ou: people

dn: ou=groups,${TOP}
objectClass: organizationalUnit
ou: groups

dn: ${SEARCHER.dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: cairn
userPassword: ${SEARCHER.password}
`;

async function untilItListens(server: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`it ended with ${server.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false, // nobody listens yet
    );
    socket.destroy();
    if (isThere) return;
    await delay(20);
  }
  throw new Error('it did not answer in time');
}

const START_TIMEOUT_MS = 10_000;
