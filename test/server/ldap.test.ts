/** Signing in to a whole server with OpenLDAP's directory. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CertificateFiles, createAuthority, createCertificate } from '../harness/certificates.ts';
import { CookieBrowser } from '../harness/cookie-browser.ts';
import {
  type DirectoryServer,
  groupEntry,
  NO_DIRECTORY,
  personEntry,
  SEARCHER,
  startDirectory,
  TOP,
} from '../harness/directory-server.ts';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const ADMIN_SECRET = 'another-long-secret-of-this-test-01234';
const ON = {
  ENABLE_AUTH: 'true',
  SECRET: 'a-long-secret-of-this-test-0123456789',
  ADMIN_SECRET,
  DISABLE_RATE_LIMIT: 'true',
};

let folder: string;
let authority: CertificateFiles;
let tls: CertificateFiles;
let directory: DirectoryServer;
let settings: Record<string, string>;

const logIn = (browser: CookieBrowser, username: string, password: string) =>
  browser.send('POST', '/auth/ldap/login', { username, password });
const viewerOf = async (browser: CookieBrowser) => {
  const { text } = await browser.send('GET', '/v1/user');
  return (JSON.parse(text) as { data: unknown }).data;
};

describe.skipIf(NO_DIRECTORY !== null)(
  `a server with a directory${NO_DIRECTORY === null ? '' : ` (${NO_DIRECTORY})`}`,
  () => {
    let server: TestServer;

    beforeAll(async () => {
      folder = createTestFolder('certificates');
      authority = createAuthority(folder, 'authority');
      tls = createCertificate(folder, 'server', { authority, names: 'IP:127.0.0.1' });
      const people = ['ada', 'bob', 'cy', 'dan'].map((uid) => personEntry(uid)).join('');
      directory = await startDirectory({ entries: people + groupEntry('ops', ['ada']), tls });
      settings = {
        ...ON,
        LDAP_HOST: '127.0.0.1',
        LDAP_PORT: String(directory.port),
        LDAP_TLS_CA_CERT_FILE: authority.certificate,
        LDAP_BIND_DN: SEARCHER.dn,
        LDAP_BIND_PASSWORD: SEARCHER.password,
        LDAP_USER_SEARCH_BASE_DNS: JSON.stringify([`ou=people,${TOP}`]),
        LDAP_USER_SEARCH_FILTER: '(uid=%s)',
        LDAP_ATTR_EMAIL: 'mail',
        LDAP_ATTR_UNIQUE_ID: 'entryUUID',
        LDAP_GROUP_SEARCH_BASE_DNS: JSON.stringify([`ou=groups,${TOP}`]),
        LDAP_GROUP_SEARCH_FILTER: '(member=%s)',
        LDAP_GROUP_SEARCH_FILTER_USER_ATTR: 'dn',
        LDAP_GROUP_ROLE_MAPPINGS: JSON.stringify([
          { group_dn: `CN=Ops,OU=groups,${TOP}`, role: 'ADMIN' },
          { group_dn: '*', role: 'VIEWER' },
        ]),
      };
      server = await startTestServer(settings);
    });
    afterAll(async () => {
      await server[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
      removeTestFolder(folder);
    });

    it('lets its people in, with the roles of their groups', async () => {
      const [ada, bob] = [new CookieBrowser(server.url), new CookieBrowser(server.url)];
      expect((await logIn(ada, 'ada', 'ada-password')).status).toBe(204);
      expect((await logIn(bob, 'bob', 'bob-password')).status).toBe(204);
      expect(await viewerOf(ada)).toMatchObject({ email: 'ada@example.com', role: 'ADMIN', auth_method: 'LDAP' });
      expect(await viewerOf(bob)).toMatchObject({ email: 'bob@example.com', role: 'VIEWER' });
      expect((await ada.send('GET', '/v1/users')).status).toBe(200);
      expect((await bob.send('GET', '/v1/users')).status).toBe(403);
    });

    it('refuses everything else, keeps local accounts apart, and writes no password anywhere', async () => {
      const stranger = new CookieBrowser(server.url);
      for (const [name, password] of [
        ['ada', 'hunter2-secret'],
        ['unknown', 'hunter2-secret'],
        ['*', 'ada-password'],
        ['admin@localhost', 'admin'],
      ] as const) {
        const { status, text } = await logIn(stranger, name, password);
        expect([status, text]).toEqual([401, 'Invalid username and/or password']);
      }
      expect(await stranger.logIn('ada@example.com', 'ada-password')).toBe(401);
      const events = await new CookieBrowser(server.url, { authorization: `Bearer ${ADMIN_SECRET}` }).send(
        'GET',
        '/v1/audit_events?operation=signIn.loginByDirectory',
      );
      expect(events.text).toContain('"caller_name":"ada"');
      expect(events.text + server.complaints.join()).not.toMatch(/hunter2|ada-password|of-the-searcher/);
    });

    it('locks a name after five wrong passwords', async () => {
      const browser = new CookieBrowser(server.url);
      for (let attempt = 0; attempt < 5; attempt++) expect((await logIn(browser, 'cy', 'wrong')).status).toBe(401);
      expect((await logIn(browser, 'CY', 'cy-password')).status).toBe(429);
    });

    it('gives the account that an administrator prepared to the person with its address', async () => {
      const admin = new CookieBrowser(server.url, { authorization: `Bearer ${ADMIN_SECRET}` });
      const user = { email: 'dan@example.com', username: 'Dan', role: 'ADMIN', auth_method: 'LDAP' };
      const created = await admin.send('POST', '/v1/users', { user, send_welcome_email: false });
      expect(created.status).toBe(201);
      const dan = new CookieBrowser(server.url);
      expect((await logIn(dan, 'dan', 'dan-password')).status).toBe(204);
      expect(await viewerOf(dan)).toMatchObject({ username: 'Dan', email: 'dan@example.com', role: 'VIEWER' });
    });

    it('lets an administrator of the settings in where passwords are off, and nobody with one', async () => {
      await using strict = await startTestServer({
        ...settings,
        DISABLE_BASIC_AUTH: 'true',
        LDAP_ALLOW_SIGN_UP: 'false',
        ADMINS: 'Ada=ada@example.com',
      });
      const [ada, bob] = [new CookieBrowser(strict.url), new CookieBrowser(strict.url)];
      expect((await logIn(ada, 'ada', 'ada-password')).status).toBe(204);
      expect(await viewerOf(ada)).toMatchObject({ username: 'Ada', role: 'ADMIN', auth_method: 'LDAP' });
      expect((await logIn(bob, 'bob', 'bob-password')).status).toBe(401);
      expect(await bob.logIn('admin@localhost', 'admin')).toBe(403);
    });

    it('follows what else can be set', async () => {
      const ofOps = `seeAlso: cn=ops,ou=groups,${TOP}`;
      await using mutual = await startDirectory({
        entries: personEntry('eve', { name: 'Eve Online', more: ofOps }),
        tls: { ...tls, authority: authority.certificate, needsClient: true },
      });
      const client = createCertificate(folder, 'client', { authority, names: 'DNS:cairn' });
      const set = {
        ...settings,
        LDAP_PORT: String(mutual.tlsPort),
        LDAP_TLS_MODE: 'ldaps',
        LDAP_TLS_CLIENT_CERT_FILE: client.certificate,
        LDAP_TLS_CLIENT_KEY_FILE: client.key,
        LDAP_ATTR_DISPLAY_NAME: 'sn',
        LDAP_ATTR_MEMBER_OF: 'seeAlso',
        LDAP_GROUP_SEARCH_FILTER: '',
        LDAP_GROUP_SEARCH_BASE_DNS: '',
        LDAP_GROUP_SEARCH_FILTER_USER_ATTR: '',
      };
      const viewerWith = async (more: Record<string, string>) => {
        await using other = await startTestServer({ ...set, ...more });
        const eve = new CookieBrowser(other.url);
        const { status } = await logIn(eve, 'eve', 'eve-password');
        return status === 204 ? await viewerOf(eve) : status;
      };
      expect(await viewerWith({})).toMatchObject({ username: 'eve', role: 'ADMIN' });
      const defaults = { LDAP_ATTR_DISPLAY_NAME: '', LDAP_ATTR_MEMBER_OF: '' };
      expect(await viewerWith(defaults)).toMatchObject({ username: 'Eve Online', role: 'VIEWER' });
      expect(await viewerWith({ LDAP_TLS_CLIENT_CERT_FILE: '', LDAP_TLS_CLIENT_KEY_FILE: '' })).toBe(503);
      expect(await viewerWith({ LDAP_TLS_CA_CERT_FILE: '' })).toBe(503);
      const unverified = { LDAP_TLS_CA_CERT_FILE: '', LDAP_TLS_VERIFY: 'false' };
      expect(await viewerWith(unverified)).toMatchObject({ username: 'eve' });
    });

    it('says that the directory does not answer, which counts as no attempt, and lets people in when it is back', async () => {
      await using other = await startDirectory({ entries: personEntry('ada') });
      const port = String(other.port);
      await using alone = await startTestServer({
        ...settings,
        LDAP_HOST: '127.0.0.1',
        LDAP_PORT: port,
        LDAP_TLS_MODE: 'none',
        LDAP_TLS_CA_CERT_FILE: '',
      });
      const browser = new CookieBrowser(alone.url);
      expect((await logIn(browser, 'ada', 'ada-password')).status).toBe(204);
      await other.kill();
      for (let attempt = 0; attempt < 6; attempt++) {
        const { status, text, headers } = await logIn(browser, 'ada', 'ada-password');
        expect([status, text]).toEqual([
          503,
          'The directory does not answer, so you cannot sign in with it now. Try again later.',
        ]);
        expect(headers.get('retry-after')).toBe('5');
      }
      expect(alone.complaints.join()).toContain('ECONNREFUSED');
      await using back = await startDirectory({ entries: personEntry('ada'), port: other.port });
      expect(back.port).toBe(other.port);
      expect((await logIn(browser, 'ada', 'wrong')).status).toBe(401);
    });
  },
);
