/** URLs of PostgreSQL. Nothing that is said about one repeats its text, which may hold a password. */
import { Secret } from '#base/secret';
import { findNearestName } from './nearest-name.ts';
import type { PostgresTlsConfig } from './postgres-config.ts';
import { expandHome, host as hostType, Refusal } from './values.ts';

/** What a URL says; `null` and `undefined` for what it leaves out. */
export interface PostgresUrl {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: Secret | null;
  readonly database: string | null;
  /** Without a mode where none is given. */
  readonly tls: Partial<PostgresTlsConfig>;
  /** Names of parameters that mean nothing here. */
  readonly ignored: readonly string[];
}

/** Whether a text asks for PostgreSQL, with or without the driver that other programs name there. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?(\+\w+)?:/i.test(url);
}

/** Reads a URL such as `postgresql://user:password@host:5432/database?sslmode=require`, or says what is wrong with it. */
export function parsePostgresUrl(url: string): PostgresUrl | string {
  const parts =
    /^[a-z0-9+]+:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?(\[[^\]]*\]|[^:/?@]*)(?::(\d*))?(?:\/([^?]*))?(?:\?(.*))?$/i
      .exec(url)
      ?.slice(1)
      .map((part) => decode(part));
  if (parts === undefined) {
    return 'must be postgresql://user:password@host:5432/database; write @, /, ? and : within user and password as %40, %2F, %3F and %3A.';
  }
  if (parts.includes(null)) return 'has a % that is not followed by two hexadecimal digits; write a literal % as %25.';
  const [user, password, named, port, database] = parts as (string | undefined)[];
  const parameters = new URLSearchParams(/\?(.*)$/.exec(url)?.[1] ?? '');
  const given = parameters.get('host') ?? named ?? '';
  const host = given.startsWith('/') ? given : hostType.parse(given);
  if (host instanceof Refusal)
    return 'must name one host: a name, an IP address, or the folder of a socket as ?host=/path.';
  const portNumber = Number(port === undefined || port === '' ? DEFAULT_PORT : port);
  if (portNumber < 1 || portNumber > 65_535) return 'has an invalid port; write a number from 1 to 65535.';
  if (user === undefined || user === '') return 'must name a user before an @.';
  const tls = readTls(parameters);
  if (typeof tls === 'string') return tls;
  return {
    host,
    port: portNumber,
    user,
    password: password === undefined || password === '' ? null : new Secret(password),
    database: database === undefined || database === '' ? null : database,
    tls,
    ignored: [...parameters.keys()].filter((name) => !KNOWN.has(name)),
  };
}

/** What PostgreSQL listens on where nobody says otherwise. */
export const DEFAULT_PORT = 5432;

/** `null` for what is no percent-encoded text. */
function decode(part: string | undefined): string | undefined | null {
  if (part === undefined) return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function readTls(parameters: URLSearchParams): Partial<PostgresTlsConfig> | string {
  // Passed over, a word misspelt would leave the connection unencrypted.
  const unknown = [...parameters.keys()].find((name) => /^ssl/i.test(name) && !KNOWN.has(name));
  if (unknown !== undefined) {
    const nearest = findNearestName(unknown.toLowerCase(), TLS_PARAMETERS);
    const fix = nearest === undefined ? `the known ones are ${TLS_PARAMETERS.join(', ')}.` : `did you mean ${nearest}?`;
    return `has an unknown parameter ${JSON.stringify(unknown)}; ${fix}`;
  }
  const word = parameters.get('sslmode');
  const mode = TLS_MODES.find((known) => known === word);
  if (word !== null && mode === undefined) return `has an invalid sslmode; write ${TLS_MODES.join(', ')}.`;
  const path = (name: string) => {
    const given = parameters.get(name);
    return given === null || given === '' ? null : expandHome(given);
  };
  const root = path('sslrootcert');
  const password = parameters.get('sslpassword');
  return {
    ...(mode === undefined ? {} : { mode }),
    // libpq's word for whom the system trusts.
    rootCertificate: root === 'system' ? null : root,
    certificate: path('sslcert'),
    key: path('sslkey'),
    keyPassword: password === null ? null : new Secret(password),
    revoked: path('sslcrldir') ?? path('sslcrl'),
  };
}

const TLS_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** `sslsni` is accepted: the name is always sent. */
const TLS_PARAMETERS = 'sslmode sslrootcert sslcert sslkey sslpassword sslcrl sslcrldir sslsni'.split(' ');

const KNOWN: ReadonlySet<string> = new Set(['host', ...TLS_PARAMETERS]);
