/**
 * One connection to one server of a directory. What is bound here: the time to connect and of each operation, the bytes that are taken,
 * the entries that a search may find. A connection that is lost is never opened again: the library would do so without encryption, and
 * send the password.
 */
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls';
import type { Client, Entry } from 'ldapts';
import type { LdapConfig, LdapServer, LdapTls } from '#config/ldap-config';
import { DirectoryFailure, isRefusal, resultCodeOf, toFailure } from './failures.ts';

/** What a search asks. */
export interface Search {
  readonly baseDn: string;
  readonly filter: string;
  readonly attributes: readonly string[];
  /** Those of them whose values may be no text. */
  readonly binary?: readonly string[];
  /** At most so many entries are given. */
  readonly limit: number;
  /** Whether a base that is not there is a failure, not an empty one. */
  readonly needsBase?: boolean;
}

/** What a search gives. */
export interface SearchOutcome {
  readonly entries: readonly Entry[];
  /** Whether the server names others that know more; they are not asked. */
  readonly hasReferrals: boolean;
}

/** How long things may take with one connection. */
export interface ConnectionTimes {
  /** Reaching the server, and TLS with it, each. */
  readonly connectMs: number;
  readonly operationMs: number;
}

/** How a connection is opened. */
export interface ConnectionOptions extends Pick<LdapConfig, 'tls'> {
  readonly times: ConnectionTimes;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Speaks LDAP with a server, once TLS stands where it should. */
export class LdapConnection {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #operationMs: number;

  private constructor(client: Client, socket: Socket, { operationMs }: ConnectionTimes) {
    this.#client = client;
    this.#socket = socket;
    this.#operationMs = operationMs;
  }

  /** @throws DirectoryFailure where the server cannot be reached, or does not prove who it is */
  static async open(server: LdapServer, { tls, times, signal }: ConnectionOptions): Promise<LdapConnection> {
    const { connectMs, operationMs: timeout } = times;
    const ldapts = await import('ldapts');
    const clientOn = (socket: Socket) =>
      new ldapts.Client({ url: 'ldap://directory', timeout, createConnection: once(socket) });
    const plain = connect(server);
    const end = () => plain.destroy(new DirectoryFailure('it took too long'));
    signal.addEventListener('abort', end, { once: true });
    plain.once('close', () => signal.removeEventListener('abort', end));
    // The library takes its listeners off when it ends a connection, and a late error without one would end the process.
    plain.on('error', ignore);
    try {
      signal.throwIfAborted();
      await untilEvent(plain, 'connect', connectMs);
      if (tls?.isUpgraded === true) {
        limitBytes(plain);
        await clientOn(plain).exop(START_TLS);
        plain.removeAllListeners('data');
      }
      const socket = tls === null ? plain : encrypt(plain, server, tls);
      if (socket !== plain) await untilEvent(socket, 'secureConnect', connectMs);
      // Another client, so that nothing that was said in clear is taken for an answer.
      const client = clientOn(socket);
      limitBytes(socket);
      return new LdapConnection(client, socket, times);
    } catch (error) {
      plain.destroy();
      throw toFailure(error);
    }
  }

  /** Whether the password is that of the entry. @throws DirectoryFailure where the server did not decide that */
  async verify(dn: string, password: string): Promise<boolean> {
    // Without either, directories answer that anybody is welcome.
    if (dn.trim() === '' || password === '') return false;
    try {
      await this.#client.bind(dn, password);
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw toFailure(error);
    }
  }

  /** Searches below a base. A base that is not there, or that another server has, holds nothing. @throws DirectoryFailure */
  async search({ baseDn, filter, attributes, binary = [], limit, needsBase = false }: Search): Promise<SearchOutcome> {
    try {
      const { searchEntries, searchReferences } = await this.#client.search(baseDn, {
        scope: 'sub',
        derefAliases: 'never',
        filter,
        sizeLimit: limit,
        timeLimit: Math.ceil(this.#operationMs / 1000),
        attributes: [...attributes],
        explicitBufferAttributes: [...binary],
      });
      return { entries: searchEntries.slice(0, limit), hasReferrals: searchReferences.length > 0 };
    } catch (error) {
      const code = resultCodeOf(error);
      if (needsBase && (code === NO_SUCH_OBJECT || code === REFERRAL)) {
        throw new DirectoryFailure(`it does not have the base ${baseDn}`);
      }
      if (code === NO_SUCH_OBJECT || code === REFERRAL) return { entries: [], hasReferrals: code === REFERRAL };
      throw toFailure(error);
    }
  }

  /** Says goodbye; never fails. */
  async close(): Promise<void> {
    await this.#client.unbind().catch(ignore);
    this.#socket.destroy();
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc4511#section-4.14 */
const START_TLS = '1.3.6.1.4.1.1466.20037';
const NO_SUCH_OBJECT = 32;
const REFERRAL = 10;

/** Some thousands of groups. */
const MAX_BYTES = 2 ** 20;

function encrypt(plain: Socket, { host }: LdapServer, tls: LdapTls): Socket {
  const { isVerified, caPem, client } = tls;
  const options: TlsOptions = {
    socket: plain,
    host,
    rejectUnauthorized: isVerified,
    ...(isIP(host) === 0 && { servername: host }),
    ...(caPem !== null && { ca: caPem }),
    ...(client !== null && { cert: client.certificatePem, key: client.keyPem.reveal() }),
  };
  const secure = connectTls(options);
  secure.on('error', ignore);
  secure.once('close', () => plain.destroy());
  return secure;
}

function untilEvent(socket: Socket, event: 'connect' | 'secureConnect', withinMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const late = setTimeout(() => socket.destroy(new DirectoryFailure('it did not answer in time')), withinMs);
  socket.once(event, () => resolve(undefined));
  socket.once('error', reject);
  socket.once('close', () => reject(new DirectoryFailure('it ended the connection')));
  return promise.finally(() => clearTimeout(late));
}

/** Gives the socket to the library once. */
function once(socket: Socket): () => Socket {
  let isTaken = false;
  return () => {
    if (isTaken) throw new DirectoryFailure('the connection was lost');
    isTaken = true;
    return socket;
  };
}

function limitBytes(socket: Socket): void {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) socket.destroy(new DirectoryFailure(`it sent more than ${MAX_BYTES} bytes`));
  });
}

function ignore(): void {
  // What became of the connection is told by what was asked of it.
}
