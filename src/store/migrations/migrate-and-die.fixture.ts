/** A process that brings a database up to date and is killed in the middle of a change: `<place> <name of the change>`. */
import { MIGRATIONS, type StatementMigration } from './list.ts';
import type { Place } from './earlier-databases.fixture.ts';
import { preparePostgres } from '../postgres/prepare.ts';
import { migrateDataFile } from '../sqlite/migrate-data-file.ts';

const [place, name] = process.argv.slice(2);

/** Ends when half of its statements have run. */
function deadly({ statements, ...rest }: StatementMigration): StatementMigration {
  return {
    ...rest,
    *statements(dialect) {
      const all = [...statements(dialect)];
      yield* all.slice(0, all.length / 2);
      process.kill(process.pid, 'SIGKILL');
    },
  };
}

const options = {
  migrations: MIGRATIONS.map((one) => ('statements' in one && one.name === name ? deadly(one) : one)),
};
const where = JSON.parse(place ?? '') as Place;
await ('path' in where ? migrateDataFile(where, options) : preparePostgres(where.address, options));
