/**
 * Every variable, once: docs/configuration.md, the flags of `cairn serve` and all checks come from this table.
 * A value is read here and derived in config.ts.
 */
import type { Secret } from '#base/secret';
import { applicationVariables } from './application-variables.ts';
import { authVariables, mailVariables } from './auth-variables.ts';
import { ldapVariables } from './ldap-variables.ts';
import * as value from './values.ts';
import { type Variable, variable } from './variable.ts';

/** The table: keys are how the code calls a value. */
export const variables = {
  host: variable({
    name: 'HOST',
    group: 'Network',
    type: value.host,
    default: 'localhost',
    meaning:
      'Address to listen on, for HTTP and gRPC. `localhost` is 127.0.0.1 and, if the machine has it, ::1; `0.0.0.0` and `::` mean every address.',
    alias: 'PHOENIX_HOST',
    flag: '--host <address>',
  }),
  port: variable({
    name: 'PORT',
    group: 'Network',
    type: value.port,
    default: '6006',
    meaning: 'Port of the web interface, the API and OTLP over HTTP.',
    alias: 'PHOENIX_PORT',
    flag: '--port <port>',
  }),
  grpcPort: variable({
    name: 'GRPC_PORT',
    group: 'Network',
    type: value.port,
    default: '4317',
    meaning: 'Port of OTLP over gRPC.',
    alias: 'PHOENIX_GRPC_PORT',
    flag: '--grpc-port <port>',
  }),
  otlpHttpPort: variable({
    name: 'OTLP_HTTP_PORT',
    group: 'Network',
    type: value.port,
    unsetMeaning: 'off',
    meaning: 'Second port that accepts only OTLP over HTTP; exporters expect 4318.',
  }),
  hostRootPath: variable({
    name: 'HOST_ROOT_PATH',
    group: 'Network',
    type: value.rootPath,
    unsetMeaning: 'none',
    meaning: 'Path under which a reverse proxy serves this server, such as `/traces`.',
    alias: 'PHOENIX_HOST_ROOT_PATH',
  }),
  rootUrl: variable({
    name: 'ROOT_URL',
    group: 'Network',
    type: value.httpUrl,
    unsetMeaning: 'built from address, port and root path',
    meaning: 'Address at which users reach this server, including its root path.',
    alias: 'PHOENIX_ROOT_URL',
  }),
  allowedHosts: variable({
    name: 'ALLOWED_HOSTS',
    group: 'Network',
    type: value.hostList,
    unsetMeaning: 'none',
    meaning:
      'Additional host names that requests may use, such as the name of the container. IP addresses, localhost and the names in `SERVICE_HOST` and `SERVICE_ROOT_URL` are always allowed. The server refuses every other name, so that no web page can reach it by a name that the page controls.',
  }),
  allowedOrigins: variable({
    name: 'ALLOWED_ORIGINS',
    group: 'Network',
    type: value.originList,
    unsetMeaning: 'none',
    meaning: 'Web origins, besides the server’s own, whose pages may call this server (CORS).',
    alias: 'PHOENIX_ALLOWED_ORIGINS',
  }),

  isTlsEnabled: variable({
    name: 'TLS_ENABLED',
    group: 'TLS',
    type: value.boolean,
    default: 'false',
    meaning: 'Whether HTTP and gRPC use TLS.',
    alias: 'PHOENIX_TLS_ENABLED',
  }),
  isTlsEnabledForHttp: variable({
    name: 'TLS_ENABLED_FOR_HTTP',
    group: 'TLS',
    type: value.boolean,
    unsetMeaning: 'same as `SERVICE_TLS_ENABLED`',
    meaning: 'Whether HTTP uses TLS.',
    alias: 'PHOENIX_TLS_ENABLED_FOR_HTTP',
  }),
  isTlsEnabledForGrpc: variable({
    name: 'TLS_ENABLED_FOR_GRPC',
    group: 'TLS',
    type: value.boolean,
    unsetMeaning: 'same as `SERVICE_TLS_ENABLED`',
    meaning: 'Whether gRPC uses TLS.',
    alias: 'PHOENIX_TLS_ENABLED_FOR_GRPC',
  }),
  tlsCertFile: variable({
    name: 'TLS_CERT_FILE',
    group: 'TLS',
    type: value.path,
    unsetMeaning: 'required with TLS',
    meaning: 'Certificate chain, PEM.',
    alias: 'PHOENIX_TLS_CERT_FILE',
  }),
  tlsKeyFile: variable({
    name: 'TLS_KEY_FILE',
    group: 'TLS',
    type: value.path,
    unsetMeaning: 'required with TLS',
    meaning: 'Private key, PEM.',
    alias: 'PHOENIX_TLS_KEY_FILE',
  }),
  tlsKeyFilePassword: variable({
    name: 'TLS_KEY_FILE_PASSWORD',
    group: 'TLS',
    type: value.secretText,
    unsetMeaning: 'the key is not encrypted',
    meaning: 'Password of the private key.',
    isSecret: true,
    alias: 'PHOENIX_TLS_KEY_FILE_PASSWORD',
  }),
  isTlsClientVerified: variable({
    name: 'TLS_VERIFY_CLIENT',
    group: 'TLS',
    type: value.boolean,
    default: 'false',
    meaning: 'Whether every client must present a certificate (mutual TLS).',
    alias: 'PHOENIX_TLS_VERIFY_CLIENT',
  }),
  tlsCaFile: variable({
    name: 'TLS_CA_FILE',
    group: 'TLS',
    type: value.path,
    unsetMeaning: 'required to verify clients',
    meaning: 'Certificate authorities whose client certificates are accepted, PEM.',
    alias: 'PHOENIX_TLS_CA_FILE',
  }),

  workingDir: variable({
    name: 'WORKING_DIR',
    group: 'Storage',
    type: value.path,
    default: '~/.cairn',
    meaning: 'Folder for all data of the server; created if it does not exist.',
    alias: 'PHOENIX_WORKING_DIR',
    flag: '--data <folder>',
  }),
  maxMemoryMib: variable({
    name: 'MAX_MEMORY_MIB',
    group: 'Memory',
    type: value.integer(256, 1024 * 1024),
    unit: 'MiB',
    unsetMeaning: 'the limit of the container or service; without one, 1024',
    meaning:
      'Memory that the server may take. Its buffers are sized to stay below it: requests wait or get 503 instead of taking more.',
    flag: '--max-memory <MiB>',
  }),
  sqlDatabaseUrl: variable({
    name: 'SQL_DATABASE_URL',
    group: 'Storage',
    type: value.secretText,
    unsetMeaning: '`cairn.db` in `SERVICE_WORKING_DIR`',
    meaning:
      'Where the data is stored: `sqlite:///relative/path.db`, `sqlite:////absolute/path.db`, `sqlite:///:memory:` for a temporary file that is deleted when the server stops, or `postgresql://user:password@host:5432/database`.',
    isSecret: true,
    alias: 'PHOENIX_SQL_DATABASE_URL',
  }),

  defaultRetentionDays: variable({
    name: 'DEFAULT_RETENTION_POLICY_DAYS',
    group: 'Storage',
    type: value.integer(0, 36_525),
    unit: 'days',
    default: '0',
    meaning:
      'How long projects without a retention policy of their own keep traces; 0 keeps them for ever. The server reads this only at its first start. After that, change the default retention policy instead.',
    alias: 'PHOENIX_DEFAULT_RETENTION_POLICY_DAYS',
  }),

  auditRetentionDays: variable({
    name: 'AUDIT_RETENTION_DAYS',
    group: 'Storage',
    type: value.integer(0, 36_525),
    unit: 'days',
    default: '365',
    meaning: 'How long the audit log keeps who did what; 0 keeps it for ever.',
  }),

  isMigrationDisabled: variable({
    name: 'DANGEROUSLY_DISABLE_MIGRATIONS',
    group: 'Storage',
    type: value.boolean,
    default: 'false',
    meaning:
      'Whether the server leaves the database schema unchanged when it starts. If the schema is older, the server does not start; `cairn db migrate` brings the schema up to date.',
    alias: 'PHOENIX_DANGEROUSLY_DISABLE_MIGRATIONS',
  }),

  sqlDatabaseSchema: postgres('SQL_DATABASE_SCHEMA', 'Schema of the tables; created if it does not exist.'),
  sqlDatabaseReadReplicaUrl: postgresSecret(
    'SQL_DATABASE_READ_REPLICA_URL',
    'Streaming replica that answers read-only requests; the server never writes to it.',
  ),
  postgresHost: postgres(
    'POSTGRES_HOST',
    'Host name, IP address or socket folder; together with `SERVICE_POSTGRES_USER` it selects PostgreSQL.',
  ),
  postgresPort: postgres('POSTGRES_PORT', 'Port of the server; 5432 if unset.'),
  postgresUser: postgres('POSTGRES_USER', 'Name of the user.'),
  postgresPassword: postgresSecret(
    'POSTGRES_PASSWORD',
    'Password; required unless a cloud provider authenticates the user.',
  ),
  postgresDb: postgres('POSTGRES_DB', 'Name of the database.'),
  postgresUseAwsIamAuth: postgres(
    'POSTGRES_USE_AWS_IAM_AUTH',
    '`true` logs in with AWS IAM: each connection is encrypted and uses a newly signed token.',
  ),
  postgresUseAzureManagedIdentity: postgres(
    'POSTGRES_USE_AZURE_MANAGED_IDENTITY',
    '`true` logs in with an Azure managed identity: each connection is encrypted and uses a newly fetched token.',
  ),
  postgresAzureScope: postgres('POSTGRES_AZURE_SCOPE', 'Scope of the Azure token, for sovereign clouds.'),
  postgresAwsIamTokenLifetimeSeconds: postgres(
    'POSTGRES_AWS_IAM_TOKEN_LIFETIME_SECONDS',
    'Deprecated and ignored: every connection uses a new token.',
  ),

  buildsIndexesConcurrently: variable({
    name: 'MIGRATE_INDEX_CONCURRENTLY',
    group: 'PostgreSQL',
    type: value.boolean,
    default: 'false',
    meaning:
      'Whether servers can keep writing while an upgrade adds indexes to tables. Building them then takes about twice as long.',
    alias: 'PHOENIX_MIGRATE_INDEX_CONCURRENTLY',
  }),

  allocatedStorageGibibytes: variable({
    name: 'DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES',
    group: 'Storage guard',
    type: value.decimal({ isZeroAllowed: false, maximum: Number.MAX_VALUE }),
    unit: 'GiB',
    unsetMeaning: 'no guard',
    meaning: 'How much space the data may take in total.',
    alias: 'PHOENIX_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES',
  }),
  insertionBlockingPercentage: variable({
    name: 'DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE',
    group: 'Storage guard',
    type: value.decimal({ isZeroAllowed: true, maximum: 100 }),
    unit: 'percent',
    unsetMeaning: 'no guard',
    meaning:
      'Share of that capacity above which the server refuses new data until there is room again; 0 turns the guard off.',
    alias: 'PHOENIX_DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE',
  }),

  projectName: variable({
    name: 'PROJECT_NAME',
    group: 'Ingestion',
    type: value.text,
    default: 'default',
    meaning: 'Project for telemetry that names no project.',
    alias: 'PHOENIX_PROJECT_NAME',
  }),
  otlpMaxBytes: variable({
    name: 'OTLP_MAX_BYTES',
    group: 'Ingestion',
    // A JSON body becomes one string, and V8 has none longer than 512 MiB.
    type: value.integer(1024, 512 * 1024 * 1024),
    unit: 'bytes',
    unsetMeaning:
      '67108864; with less than 1 GiB of memory, a twelfth of what it has beyond 256 MiB, and at least 16777216',
    meaning: 'Largest OTLP request, after decompression.',
  }),
  redactAttributes: variable({
    name: 'REDACT_ATTRIBUTES',
    group: 'Ingestion',
    type: value.textList,
    unsetMeaning: 'none',
    meaning:
      'Attribute keys whose values are masked before anything is stored; `*` matches any characters, as in `llm.input_messages.*.message.content`.',
  }),

  ...authVariables,
  ...applicationVariables,
  ...ldapVariables,
  ...mailVariables,

  loggingLevel: variable({
    name: 'LOGGING_LEVEL',
    group: 'Logging',
    type: value.logLevel,
    default: 'info',
    meaning: 'Lowest severity that is logged. `debug` adds the causes of errors.',
    alias: 'PHOENIX_LOGGING_LEVEL',
  }),
  loggingMode: variable({
    name: 'LOGGING_MODE',
    group: 'Logging',
    type: value.oneOf('default', 'structured'),
    default: 'default',
    meaning: 'Human-readable lines, or one JSON object per line. Both go to standard error.',
    alias: 'PHOENIX_LOGGING_MODE',
  }),
  isMigrationLogged: variable({
    name: 'LOG_MIGRATIONS',
    group: 'Logging',
    type: value.boolean,
    default: 'true',
    meaning: 'Whether schema changes are logged, at level `info`.',
    alias: 'PHOENIX_LOG_MIGRATIONS',
  }),
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

/** What reading the variables gives, by their keys in the table. */
export type Values = {
  readonly [Key in keyof typeof variables]: (typeof variables)[Key] extends Variable<infer Value> ? Value : never;
};

/** The flag alone, as a user writes it; `undefined` for a variable without one. */
export function flagName(variable: Variable<unknown>): string | undefined {
  return variable.flag?.split(' ')[0];
}

function postgres(name: string, meaning: string): Variable<string | undefined> {
  return variable<string>({
    name,
    group: 'PostgreSQL',
    type: value.text,
    unsetMeaning: 'none',
    meaning,
    alias: `PHOENIX_${name}`,
  });
}

function postgresSecret(name: string, meaning: string): Variable<Secret | undefined> {
  return { ...postgres(name, meaning), type: value.secretText, isSecret: true };
}
