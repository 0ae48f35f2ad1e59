/**
 * The session of the browser's user, which the server keeps in cookies. A request that finds it expired has it renewed and is
 * repeated. If it has ended, the request waits until the user has signed in again: the page and what was typed into it stay.
 */
import { useSyncExternalStore } from 'react';
import { reportLost } from './connection.ts';
import { exclusively } from './exclusively.ts';
import { readReturnUrl, withReturnUrl } from '#domain/return-url';
import { serverConfig } from './server-config.ts';
import { readStored, writeStored } from './storage.ts';

const { rootPath } = serverConfig;

const RENEWAL_TIMEOUT_MS = 10_000;
/** When a tab of this browser renewed the session last, or signed in. */
const RENEWED_AT = 'session.renewedAt';

/** As whom this page reads; undefined before it knows. */
let userId: string | undefined;
/** Resolves when the session that has ended is there again. */
let ending: PromiseWithResolvers<void> | undefined;
let renewing: Promise<boolean> | undefined;
const listeners = new Set<() => void>();
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('cairn.session');

/** `fetch` for what needs a session. Rejects as `fetch` does, or if nobody can say whether the session still holds. */
export async function fetchInSession(url: string, init: RequestInit): Promise<Response> {
  let isRenewed = false;
  for (;;) {
    if (ending !== undefined) await unlessAborted(ending.promise, init.signal);
    const sentAtMs = Date.now();
    const response = await fetch(url, init);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    if (!isRenewed && (await renewSession(sentAtMs))) isRenewed = true;
    else {
      endSession();
      isRenewed = false;
    }
  }
}

/** Whether this browser is signed in, or its session could be renewed; asks nobody to sign in. */
export async function resumeSession(): Promise<boolean> {
  return (await readSessionUser()) !== null || renewSession(Date.now());
}

/** Makes sure that what the browser fetches by itself now, such as a file, finds a session. */
export async function ensureSession(): Promise<void> {
  await readSessionUser(fetchInSession);
}

/** Whether the user has to sign in again before the page can continue. */
export function useIsSessionOver(): boolean {
  return useSyncExternalStore(subscribe, () => ending !== undefined && userId !== undefined);
}

/** Says as whom the page reads. From then on a session that ends keeps the page. */
export function setSessionUser(id: string): void {
  userId = id;
}

/** Says that this browser has just signed in: pages that wait go on for the same user, and start again for another one. */
export async function announceSignIn(): Promise<void> {
  writeStored(RENEWED_AT, Date.now());
  tabs?.postMessage('signed-in');
  await compareUser();
}

/** Leaves for the sign-in page, which leads back here. */
export function leaveForSignIn(): void {
  location.assign(addressBefore('/login'));
}

/** Ends every session of the user; the server leads to the sign-in page. */
export function signOut(): void {
  location.assign(`${rootPath}/auth/logout`);
}

/** Leaves for the page where the user replaces a password that an administrator set; never resolves. */
export async function leaveForNewPassword(): Promise<never> {
  location.replace(addressBefore('/reset-password'));
  return new Promise(() => undefined);
}

/** Leaves for the sign-in page after a new password ended the session. */
export function leaveForNewSession(): void {
  location.assign(addressBefore('/login?message=password_reset'));
}

/** A page before signing in, which leads back here. */
function addressBefore(page: string): string {
  const here = location.pathname + location.search + location.hash;
  return withReturnUrl(rootPath + page, readReturnUrl(here, { origin: location.origin, rootPath }));
}

tabs?.addEventListener('message', () => void compareUser().catch(() => undefined));

// Somebody may have signed in with a provider in another tab, and comes back to this one.
addEventListener('focus', () => {
  if (ending !== undefined && userId !== undefined) void continueIfSignedIn().catch(() => undefined);
});

async function continueIfSignedIn(): Promise<void> {
  if ((await readSessionUser()) !== null) await compareUser();
}

async function compareUser(): Promise<void> {
  if (userId === undefined) return;
  const viewer = await readSessionUser();
  if (viewer?.id !== userId || viewer.passwordNeedsReset) location.reload();
  else {
    ending?.resolve();
    ending = undefined;
    publish();
  }
}

/** Whom a session belongs to. */
export interface SessionUser {
  readonly id: string;
  readonly email: string | null;
  /** Whether the user has to choose a new password before anything else. */
  readonly passwordNeedsReset: boolean;
}

/** Asks whom the session belongs to; null where there is none. */
export async function readSessionUser(
  request: (url: string, init: RequestInit) => Promise<Response> = (url, init) => fetch(url, init),
): Promise<SessionUser | null> {
  const response = await request(`${rootPath}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ viewer { id email passwordNeedsReset } }' }),
  });
  if (response.status === 401) return null;
  if (!response.ok)
    throw new Error(`The server could not say who is signed in (status ${response.status}). Try again.`);
  const { data } = (await response.json()) as { readonly data?: { readonly viewer: SessionUser | null } };
  return data?.viewer ?? null;
}

/** Whether there is a session again. Requests that find it expired at the same time share one renewal, those of other tabs too. */
function renewSession(sentAtMs: number): Promise<boolean> {
  renewing ??= exclusively('session', () => renew(sentAtMs)).finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function renew(sentAtMs: number): Promise<boolean> {
  const renewedAtMs = readStored(RENEWED_AT, (value) => (typeof value === 'number' ? value : undefined)) ?? 0;
  // The request carried the cookies of before.
  if (renewedAtMs >= sentAtMs) return true;
  const response = await fetch(`${rootPath}/auth/refresh`, {
    method: 'POST',
    signal: AbortSignal.timeout(RENEWAL_TIMEOUT_MS),
  }).catch((error: unknown) => {
    reportLost();
    throw new Error('The server did not renew your session in time. The page tries again automatically.', {
      cause: error,
    });
  });
  if (response.ok) {
    writeStored(RENEWED_AT, Date.now());
    return true;
  }
  if (response.status === 401 || response.status === 404) return false;
  throw new Error(`The server could not renew your session (status ${response.status}). Try again in a moment.`);
}

function endSession(): void {
  if (ending !== undefined) return;
  ending = Promise.withResolvers();
  if (userId === undefined) leaveForSignIn();
  else publish();
}

function unlessAborted(waiting: Promise<void>, signal: AbortSignal | null | undefined): Promise<void> {
  if (signal == null) return waiting;
  signal.throwIfAborted();
  return Promise.race([
    waiting,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
  ]);
}

function publish(): void {
  for (const listener of listeners) listener();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
