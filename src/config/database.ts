import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DatabaseConfig } from './config.ts';
import { asksForPostgres, derivePostgres, POSTGRES_KEYS } from './postgres.ts';
import type { Environment, EnvironmentVariables, Problem } from './read-environment.ts';
import { expandHome } from './values.ts';

/**
 * Where the data lies. Nothing is created or asked; a temporary database is a path that no file has yet. `env` is where clouds tell
 * who this program is.
 */
export function deriveDatabase(
  environment: Environment,
  env: EnvironmentVariables,
  problems: Problem[],
  warnings: string[],
): DatabaseConfig {
  const { values, spelling, isSet } = environment;
  const inWorkingDir: DatabaseConfig = {
    engine: 'sqlite',
    path: join(values.workingDir, 'cairn.db'),
    isTemporary: false,
  };
  // After a problem nothing is started with what is returned.
  if (asksForPostgres(environment)) {
    return derivePostgres(environment, env, problems, warnings) ?? inWorkingDir;
  }
  for (const key of POSTGRES_KEYS) {
    if (isSet(key))
      warnings.push(`${spelling[key]} has no effect${describeMissing(environment)}: the data is stored in a file.`);
  }
  const url = values.sqlDatabaseUrl?.reveal();
  if (url === undefined) return inWorkingDir;
  if (spelling.workingDir.startsWith('--')) {
    problems.push({
      variable: spelling.workingDir,
      message: `${spelling.sqlDatabaseUrl} also says where the data is stored; unset one of them.`,
    });
  }
  const parsed = parseSqliteUrl(url);
  if (typeof parsed === 'string') {
    problems.push({ variable: spelling.sqlDatabaseUrl, message: parsed });
    return inWorkingDir;
  }
  return parsed;
}

/** What would ask for PostgreSQL with what is there. */
function describeMissing({ values, spelling }: Environment): string {
  if (values.sqlDatabaseUrl !== undefined) return '';
  const keys = ['postgresHost', 'postgresUser'] as const;
  const missing = keys.filter((key) => values[key] === undefined).map((key) => spelling[key]);
  return ` without ${missing.join(' and ')}`;
}

/** The database, or what is wrong with the URL: never its text, which may hold a password. */
function parseSqliteUrl(url: string): DatabaseConfig | string {
  const file = /^sqlite:\/\/\/(.+)$/i.exec(url)?.[1];
  if (file === ':memory:') {
    // A folder of its own with a name that nobody can guess, for others may write in the system's temporary folder.
    return { engine: 'sqlite', path: join(tmpdir(), `cairn-${randomUUID()}`, 'cairn.db'), isTemporary: true };
  }
  if (file === undefined || /[/\\]$/.test(file)) {
    return 'must name a file (sqlite:///relative/path.db, sqlite:////absolute/path.db, sqlite:///:memory:) or a server (postgresql://user:password@host:5432/database).';
  }
  if (file.includes('?')) return 'write only the path, without parameters after a question mark.';
  return { engine: 'sqlite', path: resolve(expandHome(file)), isTemporary: false };
}
