/** Asks a directory whether a name and a password belong together, and whose they are. */
import { randomBytes } from 'node:crypto';
import type { Entry } from 'ldapts';
import { escapeDnValue } from '#base/distinguished-name';
import { AppError } from '#base/errors';
import type { Logger } from '#base/log';
import { Semaphore } from '#base/semaphore';
import type { LdapConfig, LdapGroups, LdapServer } from '#config/ldap-config';
import type { Directory, DirectoryPerson } from '../port.ts';
import { type ConnectionTimes, LdapConnection } from './connection.ts';
import { DirectoryFailure, toFailure } from './failures.ts';
import { attributesOf, findRole, readPerson, UnusableEntry, valuesOf } from './person.ts';

/** Reads a directory over LDAP. */
export class LdapDirectory implements Directory {
  readonly allowsSignUp: boolean;
  readonly #config: LdapConfig;
  readonly #log: Logger;
  readonly #times: LdapTimes;
  readonly #slots = new Semaphore(MAX_AT_ONCE);
  #count = 0;

  constructor(config: LdapConfig, log: Logger, times: LdapTimes = TIMES) {
    this.allowsSignUp = config.allowsSignUp;
    this.#config = config;
    this.#log = log;
    this.#times = times;
  }

  async authenticate(name: string, password: string): Promise<DirectoryPerson | null> {
    if (name.trim() === '' || password === '' || name.length > MAX_NAME || password.length > MAX_PASSWORD) return null;
    if (this.#count >= MAX_AT_ONCE + MAX_WAITING) {
      throw new AppError('resource_exhausted', 'Too many people are signing in; try again in a moment.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    this.#count++;
    const signal = AbortSignal.timeout(this.#times.totalMs);
    try {
      return await this.#slots.run(() => this.#askServers({ name, password, signal }));
    } finally {
      this.#count--;
    }
  }

  /** Whether each server could be asked at a sign-in, by a search for a name that nobody has. */
  async examine(): Promise<readonly ServerExamination[]> {
    const examinations: ServerExamination[] = [];
    for (const server of this.#config.servers) {
      const place = `${server.host}:${server.port}`;
      const attempt = { name: randomBytes(12).toString('hex'), signal: AbortSignal.timeout(this.#times.totalMs) };
      try {
        const connection = await this.#openForSearch(server, attempt.signal);
        try {
          await this.#tryBases(connection, attempt.name);
        } finally {
          await connection.close();
        }
        examinations.push({ place, failure: null });
      } catch (error) {
        examinations.push({ place, failure: toFailure(error).message });
      }
    }
    return examinations;
  }

  logRefusal(reason: string): void {
    this.#log.warn(`Somebody with the right password cannot sign in with the directory: ${reason}.`);
  }

  async #tryBases(connection: LdapConnection, name: string): Promise<void> {
    const { users, groups } = this.#config;
    const filter = fillFilter(users.filter, name);
    for (const baseDn of [...users.baseDns, ...(groups?.baseDns ?? [])]) {
      await connection.search({ baseDn, filter, attributes: ['1.1'], limit: 1, needsBase: true });
    }
  }

  /** The next server is asked only where one fails: what one of them refuses is refused. */
  async #askServers(attempt: Attempt): Promise<DirectoryPerson | null> {
    for (const server of this.#config.servers) {
      try {
        return await this.#askServer(server, attempt);
      } catch (error) {
        if (error instanceof UnusableEntry) {
          this.logRefusal(error.message);
          return null;
        }
        const { message: reason } = toFailure(error);
        this.#log.warn('A server of the directory failed.', { server: `${server.host}:${server.port}`, reason });
        if (attempt.signal.aborted) break;
      }
    }
    this.#log.error('No server of the directory could answer, so nobody can sign in with it.');
    throw new AppError(
      'unavailable',
      'The directory does not answer, so you cannot sign in with it now. Try again later.',
      {
        retryAfterSeconds: RETRY_SECONDS,
      },
    );
  }

  async #askServer(server: LdapServer, attempt: Attempt): Promise<DirectoryPerson | null> {
    const { users, groups, roles } = this.#config;
    const connection = await this.#openForSearch(server, attempt.signal);
    try {
      const entry = await this.#findEntry(connection, attempt.name);
      if (!(await this.#verify(server, entry?.dn ?? nobodyBelow(users.baseDns[0]), attempt)) || entry === null)
        return null;
      const person = readPerson(entry, users);
      const groupDns =
        groups === null
          ? valuesOf(entry, users.memberOfAttribute).filter((value) => typeof value === 'string')
          : await this.#findGroups(connection, groups, { entry, name: attempt.name });
      return { ...person, role: findRole(roles, groupDns) };
    } finally {
      await connection.close();
    }
  }

  /** The entry of a name; `null` where there is none, or several. */
  async #findEntry(connection: LdapConnection, name: string): Promise<Entry | null> {
    const { users, groups } = this.#config;
    const filter = fillFilter(users.filter, name);
    const { all, binary } = attributesOf(users);
    const ofGroups = groups === null ? users.memberOfAttribute : groups.userAttribute;
    const attributes = ofGroups === null ? all : [...all, ofGroups];
    for (const baseDn of users.baseDns) {
      const { entries, hasReferrals } = await connection.search({ baseDn, filter, attributes, binary, limit: 2 });
      if (hasReferrals) this.#log.debug('The directory refers to other servers, which are not asked.', { baseDn });
      const [entry, another] = entries;
      if (another !== undefined) {
        this.#log.warn('Several entries of the directory have the name that somebody entered, so it cannot sign in.', {
          baseDn,
        });
        return null;
      }
      if (entry !== undefined) return entry;
    }
    return null;
  }

  /** By a connection of its own, so that the other stays the one of the account that searches. */
  async #verify(server: LdapServer, dn: string, { password, signal }: Attempt): Promise<boolean> {
    const connection = await this.#open(server, signal);
    try {
      return await connection.verify(dn, password);
    } finally {
      await connection.close();
    }
  }

  /** A connection that may search. @throws DirectoryFailure */
  async #openForSearch(server: LdapServer, signal: AbortSignal): Promise<LdapConnection> {
    const { service } = this.#config;
    const connection = await this.#open(server, signal);
    try {
      if (service === null || (await connection.verify(service.dn, service.password.reveal()))) return connection;
      throw new DirectoryFailure('it refused the account that searches');
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  #open(server: LdapServer, signal: AbortSignal): Promise<LdapConnection> {
    return LdapConnection.open(server, { tls: this.#config.tls, times: this.#times, signal });
  }

  /** All of them: a role that followed from some could be more than the person has. */
  async #findGroups(
    connection: LdapConnection,
    { baseDns, filter, userAttribute }: LdapGroups,
    { entry, name }: { readonly entry: Entry; readonly name: string },
  ): Promise<readonly string[]> {
    const [user] = userAttribute === null ? [name] : valuesOf(entry, userAttribute);
    if (typeof user !== 'string') return [];
    const found: string[] = [];
    for (const baseDn of baseDns) {
      const search = {
        baseDn,
        filter: fillFilter(filter, user),
        attributes: ['1.1'],
        limit: MAX_GROUPS,
        needsBase: true,
      };
      const { entries } = await connection.search(search);
      if (entries.length === MAX_GROUPS) {
        this.#log.warn('A user of the directory has more groups than are read.', { baseDn, read: MAX_GROUPS });
      }
      found.push(...entries.map(({ dn }) => dn));
    }
    return found;
  }
}

/** What came of asking a server. */
export interface ServerExamination {
  /** Host and port. */
  readonly place: string;
  /** Why it cannot be asked; `null` where it can. */
  readonly failure: string | null;
}

interface Attempt {
  readonly name: string;
  readonly password: string;
  readonly signal: AbortSignal;
}

const MAX_NAME = 256;
const MAX_PASSWORD = 1024;
const MAX_GROUPS = 1000;

/** Sign-ins at a time, each with two connections at most, and those that wait. */
const MAX_AT_ONCE = 10;
const MAX_WAITING = 50;

/** How long things may take. */
export interface LdapTimes extends ConnectionTimes {
  /** One sign-in, with what it waits for, however many servers are asked. */
  readonly totalMs: number;
}

const TIMES: LdapTimes = { connectMs: 5000, operationMs: 10_000, totalMs: 30_000 };
const RETRY_SECONDS = 5;

/** A value in place of `%s`. @see https://www.rfc-editor.org/rfc/rfc4515#section-3 */
function fillFilter(filter: string, value: string): string {
  const escaped = value.replaceAll(/[\\*()\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return filter.replaceAll('%s', () => escaped);
}

/** An entry that nobody has: comparing the password with it takes the time that a wrong one takes. */
function nobodyBelow(baseDn: string): string {
  const name = `cn=${escapeDnValue(randomBytes(12).toString('hex'))}`;
  return baseDn === '' ? name : `${name},${baseDn}`;
}
