/** What went wrong with a provider, as the log and the sign-in page are told. Nothing that a provider said is repeated but its code of an error. */
import type * as OpenidClient from 'openid-client';
import { ProviderRefusal } from '#domain/provider-sign-in';

type Errors = Pick<
  typeof OpenidClient,
  'AuthorizationResponseError' | 'ClientError' | 'ResponseBodyError' | 'WWWAuthenticateChallengeError'
>;

/** The refusal that a failure of the protocol comes to. */
export function refusalOf(library: Errors, error: unknown): ProviderRefusal {
  if (error instanceof library.AuthorizationResponseError) {
    return new ProviderRefusal('auth_failed', `The provider refused the sign-in: ${codeOf(error.error)}.`);
  }
  if (error instanceof library.ResponseBodyError) {
    return new ProviderRefusal('oauth_error', `The provider did not take the code: ${codeOf(error.error)}.`);
  }
  if (isUnproven(library, error)) {
    const message = describeFailure(error);
    return message.includes('"id_token"')
      ? new ProviderRefusal('no_oidc_support', 'The provider sent no ID token.')
      : new ProviderRefusal('auth_failed', `What the provider sent is not accepted: ${message}.`);
  }
  return new ProviderRefusal('oauth_error', `The provider could not be asked: ${describeFailure(error)}.`);
}

/** Whether a provider answered, and does not let this server read what it asked for. */
export function isNotAllowed(library: Errors, error: unknown): boolean {
  if (error instanceof library.WWWAuthenticateChallengeError) return NOT_ALLOWED.has(error.status);
  if (!(error instanceof library.ClientError) || error.code !== 'OAUTH_RESPONSE_IS_NOT_CONFORM') return false;
  return error.cause instanceof Response && NOT_ALLOWED.has(error.cause.status);
}

/** Without a token that is good for it, and with one that is not. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([401, 403]);

/** Whether an answer came that does not hold, rather than none. */
function isUnproven(library: Errors, error: unknown): boolean {
  return error instanceof library.ClientError && UNPROVEN.has(error.code ?? '');
}

const UNPROVEN: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_PARSE_ERROR',
  'OAUTH_UNSUPPORTED_OPERATION',
]);

/** The messages of the errors from the outermost inwards; the library's, Node's and ours, which hold no answer of the provider. */
export function describeFailure(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error && messages.length < MAX_CAUSES; cause = cause.cause) {
    const { message } = cause;
    if (message === '' || messages.includes(message) || SAYS_NOTHING.has(message)) continue;
    // What is wrong with JSON is told with a part of it.
    messages.push(cause instanceof SyntaxError ? 'it is not valid JSON' : message);
  }
  return messages.length === 0 ? 'no reason is known' : messages.join(': ').slice(0, MAX_LENGTH);
}

/** Of the library, around an error that says it. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['something went wrong']);

const MAX_CAUSES = 4;
const MAX_LENGTH = 300;

/** A code of an error, as OAuth defines them; anything else might be made up by whoever wrote the address. */
function codeOf(text: unknown): string {
  return typeof text === 'string' && /^[\w.-]{1,60}$/.test(text) ? text : 'no code of an error';
}
