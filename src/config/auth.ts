import { AppError } from '#base/errors';
import { Secret } from '#base/secret';
import { assertPassword, BUILT_IN_ADMIN } from '#domain/account';
import { deriveApplications } from './applications.ts';
import type { AuthConfig, MailConfig } from './auth-config.ts';
import type { Config } from './config.ts';
import type { Values } from './env.ts';
import { deriveLdap } from './ldap.ts';
import type { ProviderConfig } from './provider-config.ts';
import type { Environment, Problem } from './read-environment.ts';

/** Authentication as the variables describe it; parsed and checked also while it is off. */
export function deriveAuth(
  environment: Environment,
  { isHttpEncrypted, providers }: { readonly isHttpEncrypted: boolean; readonly providers: readonly ProviderConfig[] },
  problems: Problem[],
): AuthConfig {
  const { values, spelling, isSet } = environment;
  const { isAuthEnabled, secret = null, adminSecret = null } = values;
  // One that is set and refused has a problem already.
  if (isAuthEnabled && !isSet('secret')) {
    problems.push({
      variable: spelling.secret,
      message: `is unset, and ${spelling.isAuthEnabled} is true: set it to a long random text, such as the output of \`openssl rand -hex 32\`.`,
    });
  }
  if (isSet('adminSecret') && !isSet('secret')) {
    problems.push({
      variable: spelling.adminSecret,
      message: `needs ${spelling.secret}; set that, or unset this one.`,
    });
  }
  if (adminSecret !== null && adminSecret.reveal() === secret?.reveal()) {
    problems.push({ variable: spelling.adminSecret, message: `is the same as ${spelling.secret}; set another text.` });
  }
  const ldap = deriveLdap(environment, problems);
  if (isAuthEnabled && values.isBasicAuthDisabled && providers.length === 0 && !isSet('ldapHosts')) {
    problems.push({
      variable: spelling.isBasicAuthDisabled,
      message:
        'is true, and there is no other way to sign in: set it to false, or configure a provider or a directory (LDAP).',
    });
  }
  const sessionMinutes = isSet('sessionMinutes')
    ? values.sessionMinutes
    : Math.max(values.sessionMinutes, values.refreshTokenMinutes);
  const initial = values.initialAdminPassword?.reveal();
  // By the rules for all passwords, not the strong ones: it is changed before anything else.
  const weakness = initial === undefined || initial === 'random' ? null : weaknessOf(initial);
  if (weakness !== null) {
    problems.push({ variable: spelling.initialAdminPassword, message: `is not accepted: ${weakness}` });
  }
  const isOverHttps = isHttpEncrypted || values.rootUrl?.startsWith('https:') === true;
  return {
    isEnabled: isAuthEnabled,
    secret,
    previousSecret: values.previousSecret ?? null,
    adminSecret,
    admins: values.admins ?? [],
    initialAdminPassword: initial === 'random' ? null : (values.initialAdminPassword ?? DEFAULT_PASSWORD),
    managementUrl: values.managementUrl ?? null,
    passwords: { isDisabled: values.isBasicAuthDisabled, isStrong: values.hasStrongPasswords },
    providers,
    ldap,
    signIn: {
      accessTokenUs: toUs(values.accessTokenMinutes),
      refreshTokenUs: toUs(Math.min(values.refreshTokenMinutes, sessionMinutes)),
      resetTokenUs: toUs(values.resetTokenMinutes),
      sessionUs: toUs(sessionMinutes),
      cookies: { isSecure: values.hasSecureCookies ?? isOverHttps, path: values.cookiesPath },
      lockoutAttempts: values.isLockoutDisabled ? null : values.lockoutAttempts,
      isRateLimited: !values.isRateLimitDisabled,
    },
    applications: deriveApplications(environment, isHttpEncrypted),
    csrfTrustedHosts: values.csrfTrustedOrigins?.length === 0 ? null : (values.csrfTrustedOrigins ?? null),
    trustedProxies: values.trustedProxies ?? null,
  };
}

/** The rules that a password breaks, which say nothing of it; `null` for one that is good. */
function weaknessOf(password: string): string | null {
  try {
    assertPassword(password, false);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** What a server that others reach says of an open door. */
export function warnOfReach(
  { values, spelling }: Environment,
  reach: { readonly isLoopbackOnly: boolean; readonly isHttpEncrypted: boolean },
  warnings: string[],
): void {
  if (reach.isLoopbackOnly) return;
  if (!values.isAuthEnabled) {
    warnings.push(
      `${spelling.host} is ${values.host}, and authentication is off: anyone who can reach this machine can read and write everything.`,
    );
  } else if (!reach.isHttpEncrypted && values.rootUrl?.startsWith('https:') !== true) {
    warnings.push(
      `${spelling.host} is ${values.host}, without TLS: passwords and keys cross the network unencrypted. Set ${spelling.isTlsEnabled}, or put a proxy with TLS before this server and its https address in ${spelling.rootUrl}.`,
    );
  }
}

/** What to say before the first password of the built-in administrator is set; `null` where others cannot know it or use it. */
export function warnOfInitialPassword({
  auth,
  isLoopbackOnly,
}: Pick<Config, 'auth' | 'isLoopbackOnly'>): string | null {
  const isKnown = auth.initialAdminPassword?.reveal() === DEFAULT_PASSWORD.reveal();
  if (!auth.isEnabled || isLoopbackOnly || auth.passwords.isDisabled || !isKnown) return null;
  return `Anyone who can reach this server can sign in as ${BUILT_IN_ADMIN.email} with the password ${DEFAULT_PASSWORD.reveal()} until it is changed. Set SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD=random before the first start, which then prints one.`;
}

/** What starts, and protects less than it seems to. */
export function warnOfAuth(
  { values, spelling, isSet }: Environment,
  providers: readonly ProviderConfig[],
  warnings: string[],
): void {
  const { isAuthEnabled, trustedProxies } = values;
  for (const key of ['adminSecret', 'initialAdminPassword'] as const satisfies readonly (keyof Values)[]) {
    if (isAuthEnabled || !isSet(key)) continue;
    warnings.push(
      `${spelling[key]} has no effect: authentication is off, and nobody is asked for credentials until ${spelling.isAuthEnabled} is true.`,
    );
  }
  if (providers.length > 0 && !isAuthEnabled) {
    warnings.push(`Providers have no effect: authentication is off until ${spelling.isAuthEnabled} is true.`);
  } else if (providers.length > 0 && values.rootUrl === undefined) {
    warnings.push(
      `${spelling.rootUrl} is unset, so providers are told to send people back to the host that each request names: set it to the address at which people reach this server.`,
    );
  }
  // Addresses for documentation, which no proxy has.
  if (trustedProxies?.check('192.0.2.1') === true || trustedProxies?.check('2001:db8::1', 'ipv6') === true) {
    warnings.push(
      `${spelling.trustedProxies} holds every address: a client that can reach this server past its proxy makes up its own, in limits and in the audit log.`,
    );
  }
}

/** The mail server; `null` where none is named. */
export function deriveMail(
  { values, spelling }: Environment,
  problems: Problem[],
  warnings: string[],
): MailConfig | null {
  const { smtpHostname: hostname, smtpUsername: username, smtpPassword: password } = values;
  if (hostname === undefined) return null;
  for (const key of ['smtpUsername', 'smtpPassword'] as const satisfies readonly (keyof Values)[]) {
    if (values[key] !== undefined) continue;
    problems.push({ variable: spelling[key], message: `is unset, and ${spelling.smtpHostname} needs it to log in.` });
  }
  if (username === undefined || password === undefined) return null;
  if (values.rootUrl === undefined) {
    warnings.push(
      `${spelling.rootUrl} is unset, so no mail with a link is sent: set it to the address at which people reach this server.`,
    );
  }
  if (values.isAuthEnabled && values.csrfTrustedOrigins === undefined) {
    warnings.push(
      `Mail is configured, and ${spelling.csrfTrustedOrigins} is unset: set it to the origins whose pages may send requests.`,
    );
  }
  const domain = values.rootUrl === undefined ? 'localhost' : new URL(values.rootUrl).hostname;
  return {
    hostname,
    port: values.smtpPort,
    isTlsImplicit: values.smtpPort === IMPLICIT_TLS_PORT,
    username,
    password,
    from: values.smtpMailFrom ?? `cairn@${domain}`,
    isVerified: values.isSmtpVerified,
  };
}

/** @see https://www.rfc-editor.org/rfc/rfc8314#section-3.3 */
const IMPLICIT_TLS_PORT = 465;

const DEFAULT_PASSWORD = new Secret('admin');

function toUs(minutes: number): number {
  return Math.round(minutes * 60_000_000);
}
