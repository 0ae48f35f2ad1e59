import { engineOf } from '#server/engine-of';
import type { Config } from '#config/config';
import { describeDamage } from '#store/sqlite/check-integrity';
import { inspectDataFile } from '#store/sqlite/inspect';
import { verifyDatabase } from '#store/verify-database';
import type { Finding } from './finding.ts';

/** Reads everything that is stored, beside a running server or not, and names what is damaged. */
export async function verifyData(config: Pick<Config, 'database' | 'storageGuard'>): Promise<Finding[]> {
  const check = 'Stored data';
  const { database } = config;
  if (database.engine === 'sqlite' && inspectDataFile(database.path).state !== 'ours') {
    return [{ check, status: 'ok', message: 'there is none of this version to verify' }];
  }
  const pages = database.engine === 'sqlite' ? describeDamage(database.path, 'integrity_check') : undefined;
  const { damage, damageCount, differingRowCount } = await verifyDatabase(engineOf(config), () => undefined);
  const others = damageCount - damage.length;
  const problems = [
    ...(pages === undefined ? [] : [`SQLite finds damage: ${pages}`]),
    ...damage.map(({ message }) => message),
    ...(others > 0 ? [`${others} more are damaged`] : []),
  ];
  // What to do is the same for all of them.
  const findings = problems.map((message, place): Finding => {
    return { check, status: 'problem', message, ...(place === problems.length - 1 && { repair }) };
  });
  if (differingRowCount > 0) {
    const message = `${differingRowCount} rows of spans differ from what their originals say by the current rules`;
    const again = 'cairn reindex --normalise reads them again.';
    findings.push({ check, status: 'warning', message, repair: again });
  }
  if (findings.length === 0) findings.push({ check, status: 'ok', message: 'everything was read, and is whole' });
  return findings;
}

const repair =
  'Restore a backup, send damaged spans again, or copy what is whole into a new file: cairn db salvage SOURCE TARGET. What is named stays named until then, also in the new file.';
