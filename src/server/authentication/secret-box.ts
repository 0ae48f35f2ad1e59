import { dirname, join } from 'node:path';
import type { Logger } from '#base/log';
import type { Config } from '#config/config';
import { SecretBox } from '#credentials/secret-box';
import { SecretKeyFile } from '#credentials/secret-key-file';

/** What encrypts stored secrets, with its key file beside the data file. */
export function createSecretBox(
  { auth, database, workingDirectory }: Pick<Config, 'auth' | 'database' | 'workingDirectory'>,
  log: Pick<Logger, 'info'>,
): SecretBox {
  const onCreated = (path: string) => log.info(CREATED, { path });
  const keyFile = new SecretKeyFile(secretKeyPath({ database, workingDirectory }), onCreated);
  return new SecretBox({ ...auth, keyFile, mayUseKeyFile: database.engine === 'sqlite' });
}

/** Where the key file is, or would be. */
export function secretKeyPath({ database, workingDirectory }: Pick<Config, 'database' | 'workingDirectory'>): string {
  return join(database.engine === 'sqlite' ? dirname(database.path) : workingDirectory, KEY_FILE);
}

const KEY_FILE = 'secrets.key';

const CREATED = 'Created the key that encrypts stored secrets: keep a copy of it with the backups of the data.';
