/** Where PostgreSQL is, from a URL or from the group of variables. */
import { Secret } from '#base/secret';
import type { Values } from './env.ts';
import type {
  PostgresConfig,
  PostgresLoginConfig,
  PostgresServerConfig,
  PostgresTlsConfig,
} from './postgres-config.ts';
import { DEFAULT_PORT, isPostgresUrl, type PostgresUrl, parsePostgresUrl } from './postgres-url.ts';
import type { Environment, EnvironmentVariables, Problem } from './read-environment.ts';
import { boolean, host as hostType, port as portType, Refusal } from './values.ts';

/** Whether the configuration asks for PostgreSQL: by its URL, or by host and user where there is no URL. */
export function asksForPostgres({ values }: Environment): boolean {
  const url = values.sqlDatabaseUrl?.reveal();
  return url === undefined
    ? values.postgresHost !== undefined && values.postgresUser !== undefined
    : isPostgresUrl(url);
}

/** Reads what {@link asksForPostgres} found; null when there is a problem. `env` is where clouds tell who this program is. */
export function derivePostgres(
  environment: Environment,
  env: EnvironmentVariables,
  problems: Problem[],
  warnings: string[],
): PostgresConfig | null {
  const reader = new PostgresReader(environment, env, problems, warnings);
  const cloud = reader.readCloud();
  const primary = reader.readPrimary(cloud);
  const replica = reader.readReplica(cloud);
  const schema = reader.readSchema();
  return primary === null || reader.hasFailed ? null : { engine: 'postgres', primary, replica, schema };
}

type CloudLogin = Exclude<PostgresLoginConfig, { kind: 'password' }>;

const AZURE_SCOPE = 'https://ossrdbms-aad.database.windows.net/.default';

class PostgresReader {
  readonly #environment: Environment;
  readonly #env: EnvironmentVariables;
  readonly #problems: Problem[];
  readonly #warnings: string[];
  hasFailed = false;

  constructor(environment: Environment, env: EnvironmentVariables, problems: Problem[], warnings: string[]) {
    this.#environment = environment;
    this.#env = env;
    this.#problems = problems;
    this.#warnings = warnings;
  }

  readCloud(): CloudLogin | null {
    const { values, spelling, isSet } = this.#environment;
    const isAws = this.#readSwitch('postgresUseAwsIamAuth');
    const isAzure = this.#readSwitch('postgresUseAzureManagedIdentity');
    if (isSet('postgresAwsIamTokenLifetimeSeconds')) {
      this.#warnings.push(
        `${spelling.postgresAwsIamTokenLifetimeSeconds} has no effect: every connection uses a new token.`,
      );
    }
    if (isAws && isAzure) {
      this.#refuse(
        `${spelling.postgresUseAwsIamAuth} and ${spelling.postgresUseAzureManagedIdentity}`,
        'are both true; set only one of them.',
      );
    }
    if ((isAws || isAzure) && values.postgresPassword !== undefined) {
      this.#refuse(spelling.postgresPassword, 'is set together with a login without password; unset one of them.');
    }
    const ofCloud = (prefixes: RegExp) =>
      Object.fromEntries(
        Object.entries(this.#env).flatMap(([name, text]) =>
          prefixes.test(name) && text !== undefined && text !== '' ? [[name, new Secret(text)]] : [],
        ),
      );
    if (isAzure) {
      const scope = values.postgresAzureScope ?? AZURE_SCOPE;
      return { kind: 'azure', scope, environment: ofCloud(/^(AZURE|IDENTITY)_/) };
    }
    return isAws ? { kind: 'aws', environment: ofCloud(/^AWS_/) } : null;
  }

  readPrimary(cloud: CloudLogin | null): PostgresServerConfig | null {
    const { values, spelling } = this.#environment;
    const url = values.sqlDatabaseUrl?.reveal();
    return url === undefined ? this.#readGroup(cloud) : this.#readUrl(spelling.sqlDatabaseUrl, url, cloud);
  }

  readReplica(cloud: CloudLogin | null): PostgresServerConfig | null {
    const { values, spelling } = this.#environment;
    const url = values.sqlDatabaseReadReplicaUrl?.reveal();
    if (url === undefined) return null;
    if (isPostgresUrl(url)) return this.#readUrl(spelling.sqlDatabaseReadReplicaUrl, url, cloud);
    return this.#refuse(spelling.sqlDatabaseReadReplicaUrl, 'must begin with postgresql://.');
  }

  readSchema(): string | null {
    const { values, spelling } = this.#environment;
    const schema = values.sqlDatabaseSchema ?? null;
    if (schema !== null && (Buffer.byteLength(schema) > MAX_NAME_BYTES || /^pg_/i.test(schema))) {
      return this.#refuse(
        spelling.sqlDatabaseSchema,
        `must be a name of at most ${MAX_NAME_BYTES} bytes that does not begin with pg_.`,
      );
    }
    return schema;
  }

  #readUrl(variable: string, text: string, cloud: CloudLogin | null): PostgresServerConfig | null {
    const url = parsePostgresUrl(text);
    if (typeof url === 'string') return this.#refuse(variable, url);
    for (const name of url.ignored)
      this.#warnings.push(`The parameter ${JSON.stringify(name)} of ${variable} has no effect.`);
    if (url.database === null) return this.#refuse(variable, 'must name a database, after the host and a slash.');
    if (cloud !== null && url.password !== null) {
      return this.#refuse(variable, 'contains a password although the login uses none; remove it.');
    }
    const { host, port, user, database, password } = url;
    return this.#withTls(
      variable,
      { host, port, user, database, login: cloud ?? { kind: 'password', password } },
      url.tls,
    );
  }

  #readGroup(cloud: CloudLogin | null): PostgresServerConfig | null {
    const { values, spelling } = this.#environment;
    const given = values.postgresHost ?? '';
    const host = given.startsWith('/') ? given : hostType.parse(given);
    if (host instanceof Refusal) return this.#refuse(spelling.postgresHost, `is not a host: ${host.fix}`);
    const port = values.postgresPort === undefined ? DEFAULT_PORT : portType.parse(values.postgresPort);
    if (port instanceof Refusal || port === 0) {
      return this.#refuse(
        spelling.postgresPort,
        port === 0 ? 'is 0; write the port of the server.' : `is not a port: ${port.fix}`,
      );
    }
    if (cloud === null && values.postgresPassword === undefined) {
      return this.#refuse(spelling.postgresPassword, 'must be set, unless a login without password is enabled.');
    }
    const database = values.postgresDb ?? (cloud?.kind === 'aws' ? 'postgres' : undefined);
    if (database === undefined) return this.#refuse(spelling.postgresDb, 'must be set: the name of the database.');
    const login = cloud ?? { kind: 'password', password: values.postgresPassword ?? null };
    return this.#withTls(spelling.postgresHost, { host, port, database, user: values.postgresUser ?? '', login }, {});
  }

  /** Tokens of clouds go through an encrypted connection alone. */
  #withTls(
    variable: string,
    server: Omit<PostgresServerConfig, 'tls'>,
    tls: PostgresUrl['tls'],
  ): PostgresServerConfig | null {
    const isCloud = server.login.kind !== 'password';
    if (isCloud && tls.mode !== undefined && !ENCRYPTED.has(tls.mode)) {
      return this.#refuse(
        variable,
        `has sslmode=${tls.mode}, but tokens are sent only over encrypted connections; write require.`,
      );
    }
    return { ...server, tls: { ...PLAIN_FILES, mode: isCloud ? 'require' : 'prefer', ...tls } };
  }

  #readSwitch(key: 'postgresUseAwsIamAuth' | 'postgresUseAzureManagedIdentity'): boolean {
    const given = this.#environment.values[key];
    const parsed = given === undefined ? false : boolean.parse(given);
    if (!(parsed instanceof Refusal)) return parsed;
    this.#refuse(this.#environment.spelling[key], parsed.fix);
    return false;
  }

  #refuse(variable: string, message: string): null {
    this.hasFailed = true;
    this.#problems.push({ variable, message });
    return null;
  }
}

const PLAIN_FILES = { rootCertificate: null, certificate: null, key: null, keyPassword: null, revoked: null };

const ENCRYPTED: ReadonlySet<PostgresTlsConfig['mode']> = new Set(['require', 'verify-ca', 'verify-full']);

/** Of PostgreSQL's names. */
const MAX_NAME_BYTES = 63;

/** Variables that mean something with PostgreSQL alone. */
export const POSTGRES_KEYS = [
  'sqlDatabaseSchema',
  'sqlDatabaseReadReplicaUrl',
  'postgresHost',
  'postgresPort',
  'postgresUser',
  'postgresPassword',
  'postgresDb',
  'postgresUseAwsIamAuth',
  'postgresUseAzureManagedIdentity',
  'postgresAzureScope',
  'postgresAwsIamTokenLifetimeSeconds',
  'buildsIndexesConcurrently',
] as const satisfies readonly (keyof Values)[];
