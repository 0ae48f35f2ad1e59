import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DatabaseConfig } from './config.ts';
import type { Values } from './env.ts';
import type { Environment, Problem } from './read-environment.ts';
import { expandHome } from './values.ts';

/** Where the data lies. Nothing is created; a temporary database is a path that no file has yet. */
export function deriveDatabase(environment: Environment, problems: Problem[], warnings: string[]): DatabaseConfig {
  const { values, spelling } = environment;
  refusePostgres(environment, problems, warnings);
  const url = values.sqlDatabaseUrl?.reveal();
  if (url !== undefined && spelling.workingDir.startsWith('--')) {
    problems.push({
      variable: spelling.workingDir,
      message: `${spelling.sqlDatabaseUrl} says where the data lies, too; leave one of them out.`,
    });
  }

  const inWorkingDir: DatabaseConfig = {
    engine: 'sqlite',
    path: join(values.workingDir, 'cairn.db'),
    isTemporary: false,
  };
  if (url === undefined || isPostgresUrl(url)) return inWorkingDir;
  const parsed = parseSqliteUrl(url);
  if (typeof parsed === 'string') {
    problems.push({ variable: spelling.sqlDatabaseUrl, message: parsed });
    return inWorkingDir;
  }
  return parsed;
}

/** The database, or what is wrong with the URL: never its text, which may hold a password. */
function parseSqliteUrl(url: string): DatabaseConfig | string {
  const file = /^sqlite:\/\/\/(.+)$/i.exec(url)?.[1];
  if (file === ':memory:') {
    // A folder of its own with a name that nobody can guess, for others may write in the system's temporary folder.
    return { engine: 'sqlite', path: join(tmpdir(), `cairn-${randomUUID()}`, 'cairn.db'), isTemporary: true };
  }
  if (file === undefined || /[/\\]$/.test(file)) {
    return 'must name a file: sqlite:///relative/path.db, sqlite:////absolute/path.db or sqlite:///:memory:.';
  }
  if (file.includes('?')) return 'write the path alone, without parameters after a question mark.';
  return { engine: 'sqlite', path: resolve(expandHome(file)), isTemporary: false };
}

function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?(\+\w+)?:/i.test(url);
}

/** A URL for PostgreSQL, or host and user without any URL, ask for a database that this version does not have. */
function refusePostgres({ values, spelling, isSet }: Environment, problems: Problem[], warnings: string[]): void {
  const url = values.sqlDatabaseUrl?.reveal();
  const isGroupActive = url === undefined && values.postgresHost !== undefined && values.postgresUser !== undefined;
  if (isGroupActive || (url !== undefined && isPostgresUrl(url))) {
    problems.push({
      variable: isGroupActive ? `${spelling.postgresHost} and ${spelling.postgresUser}` : spelling.sqlDatabaseUrl,
      message:
        'asks for PostgreSQL, but this version stores in SQLite only; unset it, or name a file as sqlite:///path.',
    });
    return;
  }
  for (const key of POSTGRES_KEYS) {
    if (isSet(key)) warnings.push(`${spelling[key]} has no effect: this version stores in SQLite only.`);
  }
}

const POSTGRES_KEYS = [
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
] as const satisfies readonly (keyof Values)[];
