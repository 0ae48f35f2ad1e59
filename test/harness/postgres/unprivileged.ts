/** Whom a server of a test runs as: PostgreSQL refuses to run as root. */
import { readFileSync } from 'node:fs';

/** For `spawn`. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Somebody without rights where this process is root, else nobody else. */
export function findUnprivileged(): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = ['postgres', 'nobody'].flatMap((name) => accounts.filter(([of]) => of === name))[0];
  return { uid: Number(account?.[2] ?? 65_534), gid: Number(account?.[3] ?? 65_534) };
}
