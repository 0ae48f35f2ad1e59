/** Finds out who sends a request, the same way for every transport, and refuses those who may not have what they ask for. */
import { authorize, type Permission } from '#domain/access';
import { ANONYMOUS, type Caller, NOBODY } from '#domain/caller';

/** What a request shows of its sender. */
export interface Credentials {
  /** A header by its lower-case name; over gRPC the metadata of the call. */
  readonly header: (name: string) => string | undefined;
  /** The other end of the connection, which may be a proxy; `undefined` when the connection is gone. */
  readonly remoteAddress: string | undefined;
}

/**
 * The caller of a request; `nobody` without credentials.
 * @throws AppError `unauthenticated` for credentials that are wrong or expired
 */
export type ResolveCaller = (credentials: Credentials) => Promise<Caller>;

/** Asks nobody for credentials. */
export const resolveToAnonymous: ResolveCaller = async () => ANONYMOUS;

/**
 * The caller of an operation, who may use it. Call it before anything of a body is read. The caller of what is public is
 * not looked for, so that health is answered also where callers cannot be looked up.
 * @throws AppError `unauthenticated`, `permission_denied`
 */
export async function admitCaller(
  resolveCaller: ResolveCaller,
  permission: Permission,
  credentials: Credentials,
): Promise<Caller> {
  if (permission.access === 'public') return NOBODY;
  const caller = await resolveCaller(credentials);
  authorize(caller, permission);
  return caller;
}
