/** Making and finding keys, by what people say of them. */
import { AppError } from '#base/errors';
import type { AuthServices } from '#credentials/port';
import { type ApiKey, type ApiKeyInput, assertMayIssue, type NewApiKey, NO_ACCOUNT } from '#domain/api-key';
import type { Caller, ForCaller } from '#domain/caller';
import type { ReadHandle } from '../slice.ts';
import { isUserThere, listKeysOfUser } from './queries.ts';

type Create = (caller: Caller, key: NewApiKey) => Promise<ApiKey>;

/** A new key with the text that proves it, which is shown this once. */
export interface IssuedApiKey {
  readonly key: ApiKey;
  readonly text: string;
}

/** What issuing works with. */
export interface IssueParts {
  readonly auth: Pick<AuthServices, 'tokens'>;
  readonly commands: { readonly createOwn: Create; readonly createSystem: Create };
}

/** Makes a key. @throws AppError as the commands do */
export async function issueApiKey(
  caller: Caller,
  { auth, commands }: IssueParts,
  of: 'personal' | 'system',
  input: ApiKeyInput,
): Promise<IssuedApiKey> {
  assertMayIssue(caller, of);
  if (auth.tokens === null) throw new AppError('failed_precondition', 'Keys are signed: set SERVICE_SECRET.');
  const { text, hash } = await auth.tokens.issue('ApiKey');
  const create = of === 'personal' ? commands.createOwn : commands.createSystem;
  return { key: await create(caller, { ...input, hash }), text };
}

/** The caller's own keys, newest first; none of callers that are no person. @throws AppError `unauthenticated` where the account is gone */
export async function listOwnKeys(caller: Caller, read: ForCaller<ReadHandle>): Promise<readonly ApiKey[]> {
  if (caller.kind !== 'user') return [];
  const handle = read(caller);
  const keys = await listKeysOfUser(handle, caller.rowId);
  if (keys.length === 0 && !(await isUserThere(handle, caller.rowId))) {
    throw new AppError('unauthenticated', NO_ACCOUNT);
  }
  return keys;
}
