import { statSync } from 'node:fs';
import { AppError } from '#base/errors';
import { warnOfInitialPassword } from '#config/auth';
import type { Config } from '#config/config';
import { BUILT_IN_ADMIN } from '#domain/account';
import { surveySecrets } from '#resources/secrets/operations';
import type { ReadHandle } from '#resources/slice';
import { findAccountByEmail, findAtStart, findPlanted } from '#resources/users/queries';
import { describePlanted } from '#server/authentication/prepare-accounts';
import { createSecretBox, secretKeyPath } from '#server/authentication/secret-box';
import { engineOf } from '#server/engine-of';
import { openReadEngine } from '#store/open/open-engine';
import { inspectDataFile } from '#store/sqlite/inspect';
import type { Finding } from './finding.ts';
import { checkVerification } from './verification.ts';

/** What is stored of accounts and secrets, where there is data of this version; nothing is changed. */
export async function checkRecords(config: Config): Promise<Finding[]> {
  const state = await stateOf(config);
  if (state === 'new') return checkFirstPassword(config);
  if (state === 'other') return [];
  const engine = await openReadEngine(engineOf(config));
  try {
    return [
      ...(await checkVerification(engine)),
      ...(await checkAccounts(config, engine)),
      ...(await checkSecrets(config, engine)),
    ];
  } finally {
    await engine.close();
  }
}

/** What is wrong with the data is found by other checks. */
async function stateOf(config: Config): Promise<'new' | 'current' | 'other'> {
  const engine = engineOf(config);
  if (engine.engine === 'sqlite') {
    const file = inspectDataFile(engine.path);
    if (file.state === 'absent' || file.state === 'empty') return 'new';
    return file.state === 'ours' && file.pendingMigrations === 0 ? 'current' : 'other';
  }
  try {
    const content = await (await import('#store/postgres/claim')).lookAtPostgres(engine.address);
    if (content.state === 'empty') return 'new';
    return content.pendingMigrations === 0 ? 'current' : 'other';
  } catch (error) {
    if (error instanceof AppError) return 'other';
    throw error;
  }
}

/** The next start sets the first password. */
function checkFirstPassword(config: Config): Finding[] {
  const message = warnOfInitialPassword(config);
  return message === null ? [] : [{ check: 'Accounts', status: 'warning', message }];
}

/** While authentication is off, accounts mean nothing, and anybody may make them. */
async function checkAccounts(config: Config, { db }: ReadHandle): Promise<Finding[]> {
  if (!config.auth.isEnabled) return [];
  const check = 'Accounts';
  const planted = await findPlanted(db);
  const findings: Finding[] =
    planted.length > 0
      ? [{ check, status: 'warning', message: describePlanted(planted) }]
      : [{ check, status: 'ok', message: 'no account was created while authentication was off' }];
  const initialPassword = await findInitialPassword(db);
  if (initialPassword === 'unset') findings.push(...checkFirstPassword(config));
  if (initialPassword === 'unchanged') {
    findings.push({
      check,
      status: 'warning',
      message: `${BUILT_IN_ADMIN.email} has not chosen a password of its own yet`,
      repair: 'Sign in and choose another one before others can reach this server.',
    });
  }
  return findings;
}

/** Where the built-in administrator's first password is still to be set, or to be changed; `null` for neither. */
async function findInitialPassword(db: ReadHandle['db']): Promise<'unset' | 'unchanged' | null> {
  const { hasAdmin, lacksPassword } = await findAtStart(db, [], []);
  if (!hasAdmin || lacksPassword) return 'unset';
  const admin = await findAccountByEmail(db, BUILT_IN_ADMIN.email);
  return admin?.passwordNeedsReset === true && admin.authMethod === 'LOCAL' ? 'unchanged' : null;
}

/** Whether this server's keys open what is stored. */
async function checkSecrets(config: Config, handle: ReadHandle): Promise<Finding[]> {
  const check = 'Secrets';
  const box = createSecretBox(config, { info: () => undefined });
  const { readableCount, outdatedCount, unreadable } = await surveySecrets(handle, box, config.auth.secret !== null);
  if (readableCount + unreadable.length === 0) return [];
  const findings: Finding[] = [{ check, status: 'ok', message: `this server can read ${readableCount}` }];
  if (unreadable.length > 0) {
    findings.push({
      check,
      status: 'problem',
      message: `no key that this server has opens ${unreadable.join(', ')}`,
      repair: `Set SERVICE_PREVIOUS_SECRET to the secret that they are encrypted with, restore ${secretKeyPath(config)}, or enter their values again.`,
    });
  }
  if (outdatedCount > 0) {
    findings.push({
      check,
      status: 'warning',
      message: `${outdatedCount} are encrypted with a key from before`,
      repair: 'Run cairn secrets rotate.',
    });
  }
  return [...findings, ...checkKeyFile(secretKeyPath(config))];
}

/** Somebody who has a copy of the key file and of the data can read every secret. */
function checkKeyFile(path: string): Finding[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || process.platform === 'win32' || (stats.mode & 0o077) === 0) return [];
  return [
    {
      check: 'Key file',
      status: 'warning',
      message: `other users of this machine may open ${path}, the key of stored secrets`,
      repair: `Run chmod 600 ${path}.`,
    },
  ];
}
