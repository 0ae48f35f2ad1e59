/** Finds out who sends a request, the same way for every transport, and refuses those who may not have what they ask for. */
import { AppError } from '#base/errors';
import { withAsker } from '#base/asker';
import { authorize, type Permission, VIEWERS_READ } from '#domain/access';
import { ANONYMOUS, type Caller, NOBODY } from '#domain/caller';
import { shareOfAddress } from './client-address.ts';

/** What a request shows of its sender. */
export interface Credentials {
  /** A header by its lower-case name; over gRPC the metadata of the call. */
  readonly header: (name: string) => string | undefined;
  /** From where the client called, as far as proxies are trusted; `undefined` when the connection is gone. */
  readonly remoteAddress: string | undefined;
  /** Below the root path, without the query; absent over gRPC. */
  readonly path?: string | undefined;
}

/**
 * The caller of a request; `nobody` without credentials.
 * @throws AppError `unauthenticated` for credentials that are wrong or expired
 */
export type ResolveCaller = (credentials: Credentials) => Promise<Caller>;

/** Finds out who sends requests, and whether they still may. */
export interface Callers {
  readonly resolve: ResolveCaller;
  /** Whether a caller that was resolved before would be the same one now. */
  readonly stillHolds: (caller: Caller) => Promise<boolean>;
  /** Told of everything that is refused because of who asked for it. */
  readonly noteRefusal?: (caller: Caller, permission: Permission) => void;
}

/** Asks nobody for credentials. */
export const ANYBODY: Callers = { resolve: async () => ANONYMOUS, stillHolds: async () => true };

/**
 * The caller of an operation, who may use it. Call it before anything of a body is read. The caller of what is public is
 * not looked for, so that health is answered also where callers cannot be looked up.
 * @param refuse throws for callers who are refused for another reason
 * @throws AppError `unauthenticated`, `permission_denied`
 */
export async function admitCaller(
  callers: Callers,
  permission: Permission,
  credentials: Credentials,
  refuse: (caller: Caller) => void = () => undefined,
): Promise<Caller> {
  const address = credentials.remoteAddress;
  const where = address === undefined ? {} : { address };
  let caller: Caller = { ...NOBODY, ...where };
  if (permission.access === 'public') return caller;
  let showsNothing = false;
  try {
    const resolved = await withAsker([shareOfAddress(address ?? '')], () => callers.resolve(credentials));
    caller = { ...resolved, ...where };
    showsNothing = caller.kind === 'nobody' && credentials.header('authorization') === undefined;
    authorize(caller, permission);
    refuse(caller);
  } catch (error) {
    // Every browser that is not signed in asks once, and proves nothing by it.
    if (!showsNothing && isRefusal(error)) callers.noteRefusal?.(caller, permission);
    throw error;
  }
  return caller;
}

/** Notes that an operation was refused to a caller who had been admitted to it, if that is what was thrown. */
export function noteLateRefusal(callers: Callers, caller: Caller, permission: Permission, error: unknown): void {
  if (isDenial(error)) callers.noteRefusal?.(caller, permission);
}

/** Whether somebody who is known was refused. */
export function isDenial(error: unknown): boolean {
  return error instanceof AppError && error.code === 'permission_denied';
}

function isRefusal(error: unknown): boolean {
  return isDenial(error) || (error instanceof AppError && error.code === 'unauthenticated');
}

/**
 * Refuses viewers a method that writes below `/v1`, whatever it leads to, apart from what belongs to themselves.
 * @throws AppError `permission_denied`
 */
export function refuseWritingViewer(caller: Caller, method: string, { access }: Permission): void {
  if (caller.role !== 'viewer' || READING_METHODS.has(method) || access === 'own' || access === 'profile') return;
  throw new AppError('permission_denied', VIEWERS_READ);
}

const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
