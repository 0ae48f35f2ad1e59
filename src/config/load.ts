import { isIP } from 'node:net';
import { deriveAuth, deriveMail, warnOfAuth, warnOfReach } from './auth.ts';
import type { Config, StorageGuardConfig } from './config.ts';
import { deriveDatabase } from './database.ts';
import { warnOfLdap } from './ldap.ts';
import {
  type Environment,
  type EnvironmentVariables,
  type Flags,
  type Problem,
  readEnvironment,
} from './read-environment.ts';
import { deriveMaxMemory, deriveOtlpMaxBytes } from './memory.ts';
import { deriveProviders } from './providers.ts';
import { deriveTls } from './tls.ts';

/** What reading the configuration gives: one without problems, or all problems that stop the start. */
export interface LoadedConfig {
  readonly config: Config | null;
  /** Empty exactly when there is a config. */
  readonly problems: readonly Problem[];
  /** What does not stop the start. */
  readonly warnings: readonly string[];
}

/** Reads the environment of the process, and flags of the command line that win over it. */
export function loadConfig(flags: Flags = {}): LoadedConfig {
  return deriveConfig(process.env, flags);
}

/** The configuration that an environment and flags describe. Reads the files of TLS; creates nothing. */
export function deriveConfig(env: EnvironmentVariables, flags: Flags = {}): LoadedConfig {
  const environment = readEnvironment(env, flags);
  const { values, spelling } = environment;
  const problems = [...environment.problems];
  const warnings = [...environment.warnings];

  refuseSamePorts(environment, problems);
  const tls = deriveTls(environment, problems);
  const addresses = deriveAddresses(values.host);
  const isLoopbackOnly = addresses.every(isLoopback);
  warnOfReach(environment, { isLoopbackOnly, isHttpEncrypted: tls.http !== null }, warnings);
  const providers = deriveProviders(env, { problems, warnings });
  warnOfAuth(environment, providers, warnings);
  warnOfLdap(environment, warnings);
  const rootPath = values.hostRootPath ?? '';
  if (values.rootUrl !== undefined && new URL(values.rootUrl).pathname.replace(/\/$/, '') !== rootPath) {
    warnings.push(`${spelling.rootUrl} should end with ${spelling.hostRootPath}, which is "${rootPath}".`);
  }

  const maxMemoryBytes = deriveMaxMemory(values.maxMemoryMib);
  const config: Config = {
    addresses,
    isLoopbackOnly,
    http: { port: values.port, tls: tls.http },
    grpc: { port: values.grpcPort, tls: tls.grpc },
    otlpHttp: values.otlpHttpPort === undefined ? null : { port: values.otlpHttpPort, tls: tls.http },
    rootPath,
    rootUrl: values.rootUrl ?? null,
    metrics:
      values.metricsPort === undefined
        ? null
        : { addresses: deriveAddresses(values.metricsHost), port: values.metricsPort },
    allowedOrigins: values.allowedOrigins ?? [],
    allowedHosts: deriveAllowedHosts(environment),
    workingDirectory: values.workingDir,
    database: deriveDatabase(environment, env, problems, warnings),
    storageGuard: deriveStorageGuard(environment, warnings),
    migrations: {
      isDisabled: values.isMigrationDisabled,
      isLogged: values.isMigrationLogged,
      buildsConcurrently: values.buildsIndexesConcurrently,
    },
    defaultRetentionDays: values.defaultRetentionDays,
    auditRetentionDays: values.auditRetentionDays,
    defaultProjectName: values.projectName,
    maxMemoryBytes,
    otlpMaxBytes: deriveOtlpMaxBytes(values.otlpMaxBytes, maxMemoryBytes),
    redactAttributes: values.redactAttributes ?? [],
    auth: deriveAuth(environment, { isHttpEncrypted: tls.http !== null, providers }, problems),
    clientKey: values.clientKey ?? values.adminSecret ?? null,
    mail: deriveMail(environment, problems, warnings),
    log: { level: values.loggingLevel, isStructured: values.loggingMode === 'structured' },
  };
  return { config: problems.length === 0 ? config : null, problems, warnings };
}

/**
 * `localhost` is both loopback addresses and asks no resolver: some systems resolve it to ::1 first and some clients try
 * only the first answer, so a server on 127.0.0.1 alone would be unreachable for them under the address it prints.
 */
function deriveAddresses(host: string): readonly [string, ...string[]] {
  return host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** A page that makes its own name resolve to this machine cannot use one of these, nor an address. */
function deriveAllowedHosts({ values }: Environment): readonly string[] {
  const names = ['localhost', values.host, ...(values.allowedHosts ?? [])];
  if (values.rootUrl !== undefined) names.push(new URL(values.rootUrl).hostname);
  return [...new Set(names.filter((name) => isIP(name.replace(/^\[(.*)\]$/, '$1')) === 0))];
}

function refuseSamePorts({ values, spelling }: Environment, problems: Problem[]): void {
  const keys = ['port', 'grpcPort', 'otlpHttpPort', 'metricsPort'] as const;
  for (const [index, key] of keys.entries()) {
    const other = keys.slice(0, index).find((earlier) => values[earlier] === values[key]);
    if (other === undefined || values[key] === 0 || values[key] === undefined) continue;
    const message = `is ${values[key]}, and so is ${spelling[other]}; use a different port for each.`;
    problems.push({ variable: spelling[key], message });
  }
}

function deriveStorageGuard({ values, spelling }: Environment, warnings: string[]): StorageGuardConfig | null {
  const { allocatedStorageGibibytes: capacity, insertionBlockingPercentage: percentage } = values;
  if (capacity === undefined && percentage === undefined) return null;
  if (capacity === undefined || percentage === undefined) {
    const [set, missing] =
      capacity === undefined
        ? [spelling.insertionBlockingPercentage, spelling.allocatedStorageGibibytes]
        : [spelling.allocatedStorageGibibytes, spelling.insertionBlockingPercentage];
    warnings.push(`${set} has no effect without ${missing}.`);
    return null;
  }
  if (percentage === 0) return null;
  const capacityBytes = capacity * 2 ** 30;
  return { capacityBytes, blockAboveBytes: (capacityBytes * percentage) / 100 };
}
