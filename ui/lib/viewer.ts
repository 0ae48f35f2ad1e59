/** Who has signed in, and what they may do. The server decides; a page hides what it would refuse. */
import { useSyncExternalStore } from 'react';
import { askGraphql } from './graphql-fetch.ts';
import { serverConfig } from './server-config.ts';
import { leaveForNewPassword, setSessionUser } from './session.ts';

/** How an account signs in. */
export type AuthMethod = 'LOCAL' | 'LDAP' | 'OAUTH2';

/** The account that the pages are read by. */
export interface Viewer {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly role: Role;
  readonly authMethod: AuthMethod;
  readonly profilePictureUrl: string | null;
}

/** As the server calls them; a key of the system acts as SYSTEM. */
export type Role = 'ADMIN' | 'MEMBER' | 'VIEWER' | 'SYSTEM';

/**
 * `write`: create and change what is recorded · `administer`: change and delete projects, and how the server works ·
 * `manageAccounts`: other people's accounts and everybody's keys, which there are only while authentication is on.
 */
export type Permission = 'write' | 'administer' | 'manageAccounts';

/** What people call a role. */
export function roleName(role: Role): string {
  return { ADMIN: 'Administrator', MEMBER: 'Member', VIEWER: 'Viewer', SYSTEM: 'System' }[role];
}

let viewer: Viewer | null = null;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Asks the server who has signed in. If nobody has, the browser goes to the sign-in page, and this never resolves. */
export async function loadViewer(): Promise<void> {
  if (!serverConfig.authEnabled) return;
  loading ??= readViewer();
  try {
    await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** Who has signed in; null while authentication is off. Known once the shell is there. */
export function useViewer(): Viewer | null {
  return useSyncExternalStore(subscribe, getViewer);
}

/** Whether the user may do what needs this permission. While authentication is off, everybody may do what needs no account. */
export function useMay(permission: Permission): boolean {
  useViewer();
  return may(permission);
}

/** The same outside of components. */
export function may(permission: Permission): boolean {
  if (!serverConfig.authEnabled) return permission !== 'manageAccounts';
  if (viewer === null) return false;
  return viewer.role === 'ADMIN' || (permission === 'write' && viewer.role !== 'VIEWER');
}

/** Says that the user has another name now. */
export function renameViewer(username: string): void {
  if (viewer === null) return;
  viewer = { ...viewer, username };
  for (const listener of listeners) listener();
}

const QUERY = '{ viewer { id username email authMethod profilePictureUrl passwordNeedsReset role { name } } }';

interface AnsweredViewer extends Omit<Viewer, 'role'> {
  readonly passwordNeedsReset: boolean;
  readonly role: { readonly name: Role };
}

async function readViewer(): Promise<void> {
  const { viewer: answered } = await askGraphql<{ readonly viewer: AnsweredViewer | null }>(QUERY);
  // The server was started again without authentication.
  if (answered === null) return;
  const { role, passwordNeedsReset, ...account } = answered;
  if (passwordNeedsReset) await leaveForNewPassword();
  viewer = { ...account, role: role.name };
  setSessionUser(account.id);
}

function getViewer(): Viewer | null {
  return viewer;
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
