/** Encryption of connections as libpq's `sslmode` says it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { AppError } from '#base/errors';
import type { PostgresTls } from '../engine/postgres-address.ts';
import { sqlStateOf } from './faults.ts';

/**
 * What to try, in this order: `false` for no encryption, else its options. Sockets of this machine are never encrypted.
 * @throws AppError `failed_precondition` for a file that cannot be read
 */
export async function tlsAttempts(tls: PostgresTls, host: string): Promise<readonly (ConnectionOptions | false)[]> {
  if (tls.mode === 'disable' || host.startsWith('/')) return [false];
  const options = await readOptions(tls);
  if (tls.mode === 'allow') return [false, options];
  return tls.mode === 'prefer' ? [options, false] : [options];
}

/** Whether a connection that failed like this may succeed when it is encrypted, or is not. */
export function isAboutTls(error: unknown): boolean {
  // What pg_hba.conf allows depends on it.
  if (sqlStateOf(error) === INVALID_AUTHORIZATION) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return /support SSL|establishing an SSL/.test(error.message) || /^(ERR_SSL|ERR_TLS|EPROTO|ECONNRESET)/.test(code);
}

const INVALID_AUTHORIZATION = '28000';

async function readOptions(tls: PostgresTls): Promise<ConnectionOptions> {
  const { mode, rootCertificate, certificate, key, keyPassword, revoked } = tls;
  const isChainChecked = mode.startsWith('verify') || (mode === 'require' && rootCertificate !== null);
  return {
    rejectUnauthorized: isChainChecked,
    minVersion: 'TLSv1.2',
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
    ...(rootCertificate === null ? {} : { ca: await readPem(rootCertificate, 'root certificate') }),
    ...(certificate === null ? {} : { cert: await readPem(certificate, 'client certificate') }),
    ...(key === null ? {} : { key: await readPem(key, 'key of the client certificate') }),
    ...(keyPassword === null ? {} : { passphrase: keyPassword }),
    ...(revoked === null ? {} : { crl: await readRevoked(revoked) }),
  };
}

async function readPem(path: string, what: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new AppError('failed_precondition', `The ${what} for PostgreSQL cannot be read: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

async function readRevoked(path: string): Promise<Buffer[]> {
  const names = await readdir(path).catch(() => undefined);
  const files = names === undefined ? [path] : names.map((name) => join(path, name));
  return Promise.all(files.map((file) => readPem(file, 'list of revoked certificates')));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
