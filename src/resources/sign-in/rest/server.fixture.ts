/** Signing in over HTTP, with everything behind it but threads and hashes that take long, and browsers that do it. */
import { pbkdf2Sync } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { parseSetCookie } from 'cookie';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { forgetMoments } from '#base/moment';
import { Secret } from '#base/secret';
import type { AuthConfig } from '#config/auth-config';
import { IdentityProviders } from '#credentials/oidc/identity-providers';
import { PasswordAttempts } from '#credentials/password-attempts';
import type { AuthServices, RefusedAttempt, StoredPassword } from '#credentials/port';
import { RateLimits } from '#credentials/rate-limits';
import { hashToken, Tokens } from '#credentials/tokens';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { signInCommands, type SignInCommands } from '../commands.ts';
import { signInPolicy } from '../policy.ts';
import { signInRoutes } from '../rest.ts';

/** Of every account. */
export const PASSWORD = 'correct-horse';
/** What is stored of {@link PASSWORD}. */
export const STORED = hashWith('salt', PASSWORD);
/** A minute. */
export const MINUTE_MS = 60_000;
/** When each test begins. */
export const START_MS = Date.UTC(2030, 0, 1);

const IGNORE = () => undefined;
const SILENT_LOG = { debug: IGNORE, info: IGNORE, warn: IGNORE, error: IGNORE };
const tokens = new Tokens(new Secret('the secret of these tests'));
/** The database of the test. */
export let engine: TestEngine;
/** The server of the test. */
export let app: FastifyInstance;
/** What was compared with each password that was checked. */
export let checked: (StoredPassword | null)[];
/** What the log of refusals was told. */
export let refused: RefusedAttempt[];
let beforeCheck: () => Promise<void>;

/** Gives each test of the file a server and a database of its own. */
export function useSignInServer(): void {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
    engine = await openTestEngine();
    checked = [];
    refused = [];
    doBeforeChecks(async () => undefined);
    start();
  });
  afterEach(async () => {
    vi.useRealTimers();
    forgetMoments();
    await app.close();
  });
}

/** Has something done before each check of a password. */
export function doBeforeChecks(work: () => Promise<void>): void {
  beforeCheck = work;
}

/** What a server may have otherwise. */
export interface Settings extends Partial<AuthConfig['signIn']> {
  readonly isDisabled?: boolean;
  readonly isOutdated?: boolean;
  readonly rootPath?: string;
  readonly directory?: AuthServices['directory'];
}

/** Starts another server on the same database. */
export function start({
  isDisabled = false,
  isOutdated = false,
  rootPath = '',
  directory = null,
  ...signIn
}: Settings = {}): void {
  const read = () => ({ db: engine.db, dialect: engine.dialect });
  const run = runCommandsOn(engine, [signInCommands]);
  const commands = remoteCommands<SignInCommands>(signInPolicy, run);
  const config: AuthConfig = {
    isEnabled: true,
    secret: null,
    previousSecret: null,
    adminSecret: null,
    admins: [],
    initialAdminPassword: null,
    managementUrl: null,
    passwords: { isDisabled, isStrong: false },
    providers: [],
    ldap: null,
    signIn: {
      accessTokenUs: 600e6,
      refreshTokenUs: 604_800e6,
      resetTokenUs: 900e6,
      sessionUs: 2_592_000e6,
      cookies: { isSecure: false, path: '/' },
      lockoutAttempts: 5,
      isRateLimited: false,
      ...signIn,
    },
    applications: {
      areEnabled: true,
      grantUs: 7_776_000e6,
      checksOrigin: true,
      registration: 'enabled',
      redirectHosts: null,
      registrationsPerHour: 10,
      isEncrypted: false,
    },
    csrfTrustedHosts: null,
    trustedProxies: null,
  };
  const auth: AuthServices = {
    config,
    tokens,
    passwords: {
      hash: async (password) => hashWith('another salt', password),
      verify: async (password, stored) => {
        checked.push(stored);
        await beforeCheck();
        return { isRight: stored !== null && hashWith(stored.salt, password).hash === stored.hash, isOutdated };
      },
    },
    directory,
    get secretBox() {
      return expect.fail('nothing is encrypted');
    },
    refusals: { note: (attempt) => refused.push(attempt) },
    mailer: null,
    providers: new IdentityProviders({ providers: [], rootPath, rootUrl: null, isTls: false, log: SILENT_LOG }),
    rateLimits: new RateLimits(config.signIn.isRateLimited, () => Date.now()),
    attempts: new PasswordAttempts({ calls: commands, db: engine.db, maximum: config.signIn.lockoutAttempts }),
    rootPath,
    rootUrl: null,
  };
  app = appOf(signInRoutes({ auth, readPrimary: read }, commands));
}

/** A hash that is made at once. */
export function hashWith(salt: string, password: string): StoredPassword {
  const hash = pbkdf2Sync(password, salt, 1, 32, 'sha256').toString('base64');
  return { hash, salt, algorithm: 'pbkdf2-sha256:1' };
}

/** Adds an account with {@link PASSWORD}; its row id. */
export async function addUser(
  username: string,
  more: { auth_method?: 'LOCAL' | 'OAUTH2'; role?: 'SYSTEM' | 'VIEWER' } = {},
) {
  const isLocal = (more.auth_method ?? 'LOCAL') === 'LOCAL';
  const values = {
    username,
    email: `${username}@example.com`,
    role: more.role ?? ('MEMBER' as const),
    auth_method: more.auth_method ?? ('LOCAL' as const),
    password_hash: isLocal ? STORED.hash : null,
    password_salt: isLocal ? STORED.salt : null,
    password_algorithm: isLocal ? STORED.algorithm : null,
    created_at_us: 1,
    updated_at_us: 1,
  };
  return (await engine.db.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

/** A browser with its cookies. */
export class Browser {
  readonly cookies = new Map<string, string>();

  async send(method: 'GET' | 'POST', url: string, payload?: unknown, remoteAddress = '192.0.2.1') {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await app.inject({
      method,
      url,
      remoteAddress,
      headers: { cookie },
      ...(payload !== undefined && { payload: payload as object }),
    });
    const set = [response.headers['set-cookie'] ?? []].flat().map((text) => parseSetCookie(text));
    for (const { name, value = '', maxAge } of set) {
      if (maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: response.statusCode, text: response.body, headers: response.headers, set };
  }

  logIn(email = 'ada@example.com', password = PASSWORD) {
    return this.send('POST', '/auth/login', { email, password });
  }

  refresh() {
    return this.send('POST', '/auth/refresh');
  }

  logOut() {
    return this.send('GET', '/auth/logout');
  }

  copy(...names: readonly string[]): Browser {
    const copied = new Browser();
    for (const [name, value] of this.cookies) if (names.includes(name)) copied.cookies.set(name, value);
    return copied;
  }

  get access(): string {
    return this.cookies.get('phoenix-access-token') ?? '';
  }
}

/** Names of the cookies of a sign-in. */
export const BOTH = ['phoenix-access-token', 'phoenix-refresh-token'];
/** What is answered to a wrong password. */
export const WRONG = { status: 401, text: 'Invalid email and/or password' };

/** Whether the access token of a browser is one of a sign-in. */
export async function isGood({ access }: Browser): Promise<boolean> {
  const query = engine.db.selectFrom('sign_in_tokens').select('kind').where('hash', '=', hashToken(access));
  return (await query.executeTakeFirst())?.kind === 'access';
}

/** How many sign-ins there are. */
export const signInCount = async () => (await engine.rows('SELECT id FROM sign_ins')).length;
/** The log of who did what. */
export const auditRows = () =>
  engine.rows('SELECT operation, caller_kind, caller_name, address, object_id FROM audit_events ORDER BY id');
