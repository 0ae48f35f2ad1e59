/** Signing in with a provider of identities: who came, and why somebody is refused. */
import { isPrintable, MAX_EMAIL_LENGTH, normalizeEmail, type PersonRole } from './account.ts';

/** Why a sign-in was refused, as the sign-in page is told in its address. */
export type ProviderRefusalCode =
  /** There is no such provider. */
  | 'unknown_idp'
  /** The provider refused, or what it said does not hold, or its groups and roles let the person not in. */
  | 'auth_failed'
  /** The answer does not belong to a sign-in that this browser began a short time ago, or was used before. */
  | 'invalid_state'
  | 'unsafe_return_url'
  /** The provider could not be asked, or did not take the code. */
  | 'oauth_error'
  | 'no_oidc_support'
  | 'missing_email_scope'
  | 'email_in_use'
  | 'sign_in_not_allowed';

/** A sign-in that was refused. The message is for the log: it says what happened, and holds no token, secret or claim. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  readonly code: ProviderRefusalCode;
  /** Whom the settings do not let in any more, however they came in before; `null` where it is not the person who is refused. */
  readonly barred: Pick<ProvenIdentity, 'issuer' | 'subject'> | null;

  constructor(code: ProviderRefusalCode, message: string, barred: ProviderRefusal['barred'] = null) {
    super(message);
    this.code = code;
    this.barred = barred === null ? null : { issuer: barred.issuer, subject: barred.subject };
  }
}

/** A person whom a provider vouches for. */
export interface ProvenIdentity {
  readonly issuer: string;
  /** Whom the issuer means; never another person. */
  readonly subject: string;
  readonly email: string;
  /** Whether the address may be taken for the person's own, so that an account that was prepared for it becomes theirs. */
  readonly isEmailTrusted: boolean;
  readonly name: string | null;
  readonly pictureUrl: string | null;
}

/** The role that an identity brings. */
export interface ProvenRole {
  /** Of an account that is made. */
  readonly ofNew: PersonRole;
  /** Of one that exists; `null` where its role stays. */
  readonly ofExisting: PersonRole | null;
}

/** What an address is stored as; `null` for a text that cannot be one. A provider may name people otherwise than by addresses. */
export function readProvidedEmail(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const email = normalizeEmail(value);
  return email !== '' && email.length <= MAX_EMAIL_LENGTH && !/\s/.test(email) && isPrintable(email) ? email : null;
}
