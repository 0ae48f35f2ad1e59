import type { SqliteConfig } from '#config/config';
import { UNFINISHED_COPY } from '#store/copy/unfinished';
import { recallDamage } from '#store/open/damage-memory';
import { describeDamage } from '#store/sqlite/check-integrity';
import { inspectDataFile } from '#store/sqlite/inspect';
import type { LockHolder } from '#store/sqlite/server-lock';
import type { Finding } from './finding.ts';

/** Whose the data file is, whether this version can open it, and whether it is sound. */
export function checkDatabase({ path, isTemporary }: SqliteConfig, holder: LockHolder | undefined): Finding[] {
  const check = 'Database';
  if (isTemporary) return [{ check, status: 'ok', message: 'temporary; deleted when the server stops' }];
  const file = inspectDataFile(path);
  switch (file.state) {
    case 'absent':
    case 'empty':
      return [{ check, status: 'ok', message: `${path} will be created` }];
    case 'ours':
      return [{ check, ...checkOwn(path, file.pendingMigrations, holder) }];
    case 'newer':
      return [
        {
          check,
          status: 'problem',
          message: `${path} comes from a newer version of Cairn: ${file.what}`,
          repair: 'Run the newer version, or choose another file with SERVICE_SQL_DATABASE_URL.',
        },
      ];
    case 'foreign':
      return [
        {
          check,
          status: 'problem',
          message: `${path} is ${file.what}`,
          repair: `${file.what === UNFINISHED_COPY ? 'Run that again, or choose' : 'Cairn leaves it alone. Choose'} another file with SERVICE_SQL_DATABASE_URL or SERVICE_WORKING_DIR.`,
        },
      ];
    case 'unreadable':
      return [
        {
          check,
          status: 'problem',
          message: `${path} cannot be read: ${file.what}`,
          repair: 'Check its permissions. If it is damaged, restore a backup: cairn db restore FILE.',
        },
      ];
    default:
      return file satisfies never;
  }
}

function checkOwn(path: string, pendingMigrations: number, holder: LockHolder | undefined): Omit<Finding, 'check'> {
  if (holder !== undefined) {
    const message = `${path} is open in a running server (process ${holder.pid}), which is fine`;
    const known = recallDamage(path);
    if (known.length === 0) return { status: 'ok', message: `${message}, so it was not checked for damage` };
    const first = known.slice(0, MAX_SHOWN).map((damage) => damage.message);
    const problem = `${message}, but knows of ${known.length} damaged things: ${first.join(' ')}`;
    return { status: 'problem', message: problem, repair: SALVAGE };
  }
  const damage = describeDamage(path);
  if (damage !== undefined) {
    return { status: 'problem', message: `${path} is damaged: ${damage}`, repair: SALVAGE };
  }
  const upgrade = pendingMigrations === 0 ? '' : '; the next start brings its schema up to date';
  return { status: 'ok', message: `${path} can be read, and a quick check of its pages found no damage${upgrade}` };
}

/** What is sent or made again is whole by itself. */
const SALVAGE =
  'If this stays so, stop the server, keep a copy of the file, and copy what is whole: cairn db salvage SOURCE TARGET. Or restore a backup: cairn db restore FILE.';

const MAX_SHOWN = 3;
