/** What the sign-in page says of a sign-in with a provider that was refused. The address names a code, never a text. */
import type { ProviderRefusalCode } from '#domain/provider-sign-in';

const FAULTS: Readonly<Record<ProviderRefusalCode, string>> = {
  unknown_idp: 'This server does not know that provider. Choose another way to sign in.',
  auth_failed: 'You could not be signed in. Ask an administrator whether your account may use this server.',
  invalid_state: 'This sign-in took too long, or was started in another tab or browser. Try again.',
  unsafe_return_url: 'The link that you followed leads to no page of this server. Sign in to continue.',
  oauth_error: 'The provider did not answer as expected. Try again in a moment.',
  no_oidc_support: 'The provider does not say who you are. Ask an administrator to check its settings.',
  missing_email_scope: 'The provider did not share your email address. Ask an administrator to check its settings.',
  email_in_use: 'Another account has your email address. Sign in as you did before, or ask an administrator.',
  sign_in_not_allowed: 'There is no account for you on this server. Ask an administrator to create one.',
};

/** The sentence for a code; undefined where there is none. */
export function describeFault(code: string | null): string | undefined {
  return code !== null && Object.hasOwn(FAULTS, code) ? FAULTS[code as ProviderRefusalCode] : undefined;
}
