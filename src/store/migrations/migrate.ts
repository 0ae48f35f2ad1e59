/** Brings a database to the schema of this version. */
import { type Kysely, sql } from 'kysely';
import { AppError } from '#base/errors';
import type { SqlDialect } from '../dialect/dialect.ts';
import { StorageError } from '../engine/storage-error.ts';
import { type Migration, MIGRATIONS } from './list.ts';
import type { Tables } from '../schema/tables.ts';

/** How it is brought there. */
export interface MigrateOptions {
  /** Refuses an older schema instead of changing it. */
  readonly isDisabled?: boolean | undefined;
  /** Builds the indexes of existing tables while servers write, where the engine can do that. */
  readonly buildsConcurrently?: boolean | undefined;
  /** Called first of all in each transaction, by an engine that several servers may use. */
  readonly onBegun?: ((transaction: Kysely<Tables>) => Promise<void>) | undefined;
  /** Called last of all in each transaction: throws where the data must not be left like this. */
  readonly onMade?: (() => Promise<void>) | undefined;
  /** Hears what is done, a line each. */
  readonly log?: ((message: string) => void) | undefined;
  /** Of tests; all there are. */
  readonly migrations?: readonly Migration[] | undefined;
}

/**
 * Runs the migrations that have not run; each is made as a whole or not at all, so that whoever comes after an interruption goes on.
 * Nothing is written where nothing is to be done.
 * @returns their names
 * @throws AppError `failed_precondition` where it is disabled, and something is to be done
 */
export async function migrate(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const { isDisabled, buildsConcurrently, onBegun, onMade, log = ignore, migrations = MIGRATIONS } = options;
  const hasJournal = await dialect.hasTable(db, 'schema_migrations');
  const rows = hasJournal ? await db.selectFrom('schema_migrations').select('name').execute() : [];
  const applied = new Set(rows.map(({ name }) => name));
  const pending = migrations.filter(({ name }) => !applied.has(name));
  const names = pending.map(({ name }) => name);
  if (pending.length === 0) return names;
  if (isDisabled === true) throw refuse(names);
  const startedMs = performance.now();
  if (!hasJournal) await sql.raw(dialect.define(JOURNAL)).execute(db);
  for (const [place, migration] of pending.entries()) {
    // What a new database is made of is not worth a line each.
    if (applied.size > 0) log(`Applying schema change ${migration.name} (${place + 1} of ${pending.length}).`);
    await retryConflicts(log, async () => {
      // The transaction finds them built.
      if (buildsConcurrently === true) await buildIndexes(db, dialect, migration, true);
      await db.transaction().execute(async (transaction) => {
        await onBegun?.(transaction);
        if ('statements' in migration)
          for (const statement of migration.statements(dialect)) await sql.raw(statement).execute(transaction);
        await buildIndexes(transaction, dialect, migration, false);
        await transaction
          .insertInto('schema_migrations')
          .values({ name: migration.name, applied_at_us: Date.now() * 1000 })
          .execute();
        await onMade?.();
      });
    });
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  log(`The schema is up to date: ${count(pending.length)} in ${seconds} s.`);
  return names;
}

/** A change and what somebody reads may want each other's tables: whichever the engine ends may try again. */
async function retryConflicts(log: (message: string) => void, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = error instanceof StorageError && error.fault === 'conflict';
      if (!isConflict || attempt === MAX_ATTEMPTS) throw error;
      log(`The schema change conflicted with another session (${error.message}) and is being retried.`);
    }
  }
}

const MAX_ATTEMPTS = 5;

async function buildIndexes(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  migration: Migration,
  isConcurrent: boolean,
): Promise<void> {
  if (!('indexes' in migration)) return;
  for (const [name, on] of Object.entries(migration.indexes)) await dialect.buildIndex(db, { name, on, isConcurrent });
}

function refuse(names: readonly string[]): AppError {
  return new AppError(
    'failed_precondition',
    `The schema of the data lacks ${count(names.length)} (${names.join(', ')}), and SERVICE_DANGEROUSLY_DISABLE_MIGRATIONS keeps the server from applying them: run cairn db migrate, or unset the variable.`,
  );
}

function count(changes: number): string {
  return changes === 1 ? '1 change' : `${changes} changes`;
}

function ignore(): void {}

const JOURNAL = 'CREATE TABLE schema_migrations (name TEXT PRIMARY KEY, applied_at_us INTEGER NOT NULL)';
