import type { Flags } from '#config/read-environment';
import type { Account } from '#domain/account';
import { findWithoutPassword, listAccounts } from '#resources/users/queries';
import type { ExitCode } from '../exit-codes.ts';
import { formatJson } from '../json-output.ts';
import { type Accounts, runOnAccounts } from './run-on-accounts.ts';

/** Prints the accounts, oldest first. */
export function runListUsers(flags: Flags, { isJson }: { readonly isJson: boolean }): Promise<ExitCode> {
  return runOnAccounts(flags, async ({ db }) => {
    const accounts = await readAll(db);
    process.stdout.write(
      isJson ? formatJson(accounts.map(toJson)) : formatTable(accounts, await findWithoutPassword(db)),
    );
  });
}

async function readAll(db: Accounts['db']): Promise<readonly Account[]> {
  const all: Account[] = [];
  for (let fromRowId: number | null = null; ; ) {
    const { accounts, nextRowId }: Awaited<ReturnType<typeof listAccounts>> = await listAccounts(
      { db },
      { limit: PAGE, fromRowId },
    );
    all.push(...accounts);
    if (nextRowId === null) return all.reverse();
    fromRowId = nextRowId;
  }
}

const PAGE = 1000;

function toJson({ username, email, role, authMethod, passwordNeedsReset, createdAtUs }: Account) {
  const createdAt = new Date(createdAtUs / 1000).toISOString();
  return { email, username, role, authMethod, passwordNeedsReset, createdAt };
}

/** Names hold no control characters: nothing in them steers a terminal. */
function formatTable(accounts: readonly Account[], withoutPassword: ReadonlySet<number>): string {
  const rows = [
    ['E-mail', 'Username', 'Role', 'Signs in with', ''],
    ...accounts.map(({ rowId, email, username, role, authMethod, passwordNeedsReset }) => [
      email ?? '',
      username,
      role,
      role === 'SYSTEM' ? 'nothing' : METHODS[authMethod],
      passwordNeedsReset ? (withoutPassword.has(rowId) ? 'has no password yet' : 'must choose a new password') : '',
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

const METHODS = { LOCAL: 'password', OAUTH2: 'OAuth2', LDAP: 'LDAP' } as const;
