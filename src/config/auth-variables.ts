/** The variables of authentication and of mail; part of the table in env.ts. */
import type { Secret } from '#base/secret';
import * as authValue from './auth-values.ts';
import * as value from './values.ts';
import { type Variable, variable } from './variable.ts';

/** A hundred years. */
const MAX_MINUTES = 100 * 366 * 24 * 60;

/** Who may do what, and how people and programs prove who they are. */
export const authVariables = {
  isAuthEnabled: variable({
    name: 'ENABLE_AUTH',
    group: 'Authentication',
    type: value.boolean,
    default: 'false',
    meaning:
      'Whether callers must authenticate. While it is off, anyone who can reach the server can read and write everything.',
    alias: 'PHOENIX_ENABLE_AUTH',
  }),
  secret: secret(
    'SECRET',
    'Long random text that signs tokens and encrypts stored secrets; required with authentication. At least 32 characters, with a digit and a lower-case letter, without white space. A new one ends all sign-ins and keys.',
  ),
  previousSecret: secret(
    'PREVIOUS_SECRET',
    'The secret before `SERVICE_SECRET`, so that `cairn secrets rotate` can read stored secrets that were encrypted with it.',
    { hasAlias: false },
  ),
  adminSecret: secret(
    'ADMIN_SECRET',
    'Bearer token that acts as an administrator. As strong as `SERVICE_SECRET`, different from it, and only together with it.',
  ),
  clientKey: variable<Secret>({
    name: 'API_KEY',
    group: 'Authentication',
    type: value.secretText,
    unsetMeaning: '`SERVICE_ADMIN_SECRET`',
    meaning:
      'API key of an administrator that `cairn reindex` and `cairn explain` send to a running server that asks for credentials; the server itself does not use it.',
    isSecret: true,
    alias: 'PHOENIX_API_KEY',
  }),
  admins: variable({
    name: 'ADMINS',
    group: 'Authentication',
    type: authValue.accountList,
    unsetMeaning: 'none',
    meaning:
      'Administrators to create at the start, as `name=email;name=email`. Names and addresses that exist are left as they are.',
    alias: 'PHOENIX_ADMINS',
  }),
  initialAdminPassword: variable<Secret>({
    name: 'DEFAULT_ADMIN_INITIAL_PASSWORD',
    group: 'Authentication',
    type: value.secretText,
    unsetMeaning: '`admin`',
    meaning:
      'First password of the administrator `admin@localhost`, who must change it before anything else; `random` makes one up and prints it once.',
    isSecret: true,
    alias: 'PHOENIX_DEFAULT_ADMIN_INITIAL_PASSWORD',
  }),
  managementUrl: variable({
    name: 'MANAGEMENT_URL',
    group: 'Authentication',
    type: value.httpUrl,
    unsetMeaning: 'none',
    meaning: 'Address that the account menu of the administrators in `SERVICE_ADMINS` links to.',
    alias: 'PHOENIX_MANAGEMENT_URL',
  }),
  metricsPort: variable({
    name: 'METRICS_PORT',
    group: 'Authentication',
    type: value.port,
    unsetMeaning: 'none',
    meaning:
      'Port that serves `/metrics` alone, without credentials, at `SERVICE_METRICS_HOST`. With authentication, `/metrics` of the main port asks for credentials.',
  }),
  metricsHost: variable({
    name: 'METRICS_HOST',
    group: 'Authentication',
    type: value.host,
    default: 'localhost',
    meaning: 'Address that `SERVICE_METRICS_PORT` listens on.',
  }),

  isBasicAuthDisabled: variable({
    name: 'DISABLE_BASIC_AUTH',
    group: 'Sign-in',
    type: value.boolean,
    default: 'false',
    meaning: 'Whether signing in with a password, and creating accounts with one, is forbidden.',
    alias: 'PHOENIX_DISABLE_BASIC_AUTH',
  }),
  hasStrongPasswords: variable({
    name: 'ENABLE_STRONG_PASSWORD_POLICY',
    group: 'Sign-in',
    type: value.boolean,
    default: 'false',
    meaning:
      'Whether new passwords need at least 12 characters, among them an upper-case and a lower-case letter, a digit and one of `!@#$%^&*()_+`; 4 characters otherwise.',
    alias: 'PHOENIX_ENABLE_STRONG_PASSWORD_POLICY',
  }),
  accessTokenMinutes: minutes(
    'ACCESS_TOKEN_EXPIRY_MINUTES',
    '10',
    'How long an access token of a browser is good; it is renewed by itself.',
  ),
  refreshTokenMinutes: minutes(
    'REFRESH_TOKEN_EXPIRY_MINUTES',
    '10080',
    'How long a browser stays signed in without being used.',
  ),
  resetTokenMinutes: minutes(
    'PASSWORD_RESET_TOKEN_EXPIRY_MINUTES',
    '15',
    'How long the link in a mail for a new password is good.',
  ),
  sessionMinutes: variable({
    name: 'SESSION_EXPIRY_MINUTES',
    group: 'Sign-in',
    type: value.decimal({ isZeroAllowed: false, maximum: MAX_MINUTES }),
    unit: 'minutes',
    default: '43200',
    meaning:
      'How long a browser stays signed in at most, however much it is used. Unless it is set, not less than `SERVICE_REFRESH_TOKEN_EXPIRY_MINUTES`.',
  }),
  hasSecureCookies: variable({
    name: 'USE_SECURE_COOKIES',
    group: 'Sign-in',
    type: value.boolean,
    unsetMeaning: '`true` where `SERVICE_ROOT_URL` begins with `https:` or HTTP uses TLS, else `false`',
    meaning: 'Whether browsers send the cookies of a sign-in over HTTPS alone.',
    alias: 'PHOENIX_USE_SECURE_COOKIES',
  }),
  cookiesPath: variable({
    name: 'COOKIES_PATH',
    group: 'Sign-in',
    type: authValue.cookiesPath,
    default: '/',
    meaning: 'Path of those cookies.',
    alias: 'PHOENIX_COOKIES_PATH',
  }),
  csrfTrustedOrigins: variable({
    name: 'CSRF_TRUSTED_ORIGINS',
    group: 'Sign-in',
    type: authValue.trustedHosts,
    unsetMeaning: 'the headers Origin and Referer are not checked',
    meaning:
      'Origins, besides the server’s own, whose pages may send requests. While it is set, requests from pages of all other hosts are refused with 401; recommended with mail.',
    alias: 'PHOENIX_CSRF_TRUSTED_ORIGINS',
  }),
  isLockoutDisabled: variable({
    name: 'DISABLE_BRUTE_FORCE_LOGIN_PROTECTION',
    group: 'Sign-in',
    type: value.boolean,
    default: 'false',
    meaning: 'Whether accounts are never locked after failed sign-ins.',
    alias: 'PHOENIX_DISABLE_BRUTE_FORCE_LOGIN_PROTECTION',
  }),
  lockoutAttempts: variable({
    name: 'BRUTE_FORCE_LOGIN_PROTECTION_MAX_ATTEMPTS',
    group: 'Sign-in',
    type: value.integer(1, 1000),
    default: '5',
    meaning: 'Failed sign-ins in a row that lock an account for five minutes.',
    alias: 'PHOENIX_BRUTE_FORCE_LOGIN_PROTECTION_MAX_ATTEMPTS',
  }),
  isRateLimitDisabled: variable({
    name: 'DISABLE_RATE_LIMIT',
    group: 'Sign-in',
    type: value.boolean,
    default: 'false',
    meaning: 'Whether sign-ins, renewals and mails are not limited by address and account.',
    alias: 'PHOENIX_DISABLE_RATE_LIMIT',
  }),
  trustedProxies: variable({
    name: 'TRUSTED_PROXIES',
    group: 'Network',
    type: authValue.networkList,
    unsetMeaning: 'none',
    meaning:
      "Addresses or networks of reverse proxies, such as `10.0.0.0/8`, whose header `X-Forwarded-For` is believed. It names the client in limits, in shares of the server's time and room, and in the audit log.",
    alias: 'FORWARDED_ALLOW_IPS',
  }),
} as const;

/** How the server sends mail. */
export const mailVariables = {
  smtpHostname: mail('HOSTNAME', 'Server that mail is sent through; without it, no mail is sent.', value.host),
  smtpPort: variable({
    name: 'SMTP_PORT',
    group: 'Mail',
    type: value.integer(1, 65_535),
    default: '587',
    meaning: 'Port of that server. STARTTLS is demanded; on port 465 the connection is encrypted from its beginning.',
    alias: 'PHOENIX_SMTP_PORT',
  }),
  smtpUsername: mail('USERNAME', 'Name to log in with; required with `SERVICE_SMTP_HOSTNAME`.'),
  smtpPassword: variable<Secret>({
    name: 'SMTP_PASSWORD',
    group: 'Mail',
    type: value.secretText,
    unsetMeaning: 'none',
    meaning: 'Password to log in with; required with `SERVICE_SMTP_HOSTNAME`.',
    isSecret: true,
    alias: 'PHOENIX_SMTP_PASSWORD',
  }),
  smtpMailFrom: variable({
    name: 'SMTP_MAIL_FROM',
    group: 'Mail',
    type: authValue.mailSender,
    unsetMeaning: '`cairn@` and the host name of `SERVICE_ROOT_URL`',
    meaning: 'Sender of the mails.',
    alias: 'PHOENIX_SMTP_MAIL_FROM',
  }),
  isSmtpVerified: variable({
    name: 'SMTP_VALIDATE_CERTS',
    group: 'Mail',
    type: value.boolean,
    default: 'true',
    meaning: 'Whether the certificate of the mail server is checked.',
    alias: 'PHOENIX_SMTP_VALIDATE_CERTS',
  }),
} as const;

function minutes(name: string, byDefault: string, meaning: string): Variable<number> {
  return variable({
    name,
    group: 'Sign-in',
    type: value.decimal({ isZeroAllowed: false, maximum: MAX_MINUTES }),
    unit: 'minutes',
    default: byDefault,
    meaning,
    alias: `PHOENIX_${name}`,
  });
}

function secret(name: string, meaning: string, { hasAlias = true } = {}): Variable<Secret | undefined> {
  return variable<Secret>({
    name,
    group: 'Authentication',
    type: authValue.strongSecret,
    unsetMeaning: 'none',
    meaning,
    isSecret: true,
    ...(hasAlias && { alias: `PHOENIX_${name}` }),
  });
}

function mail(name: string, meaning: string, type = value.text): Variable<string | undefined> {
  return variable<string>({
    name: `SMTP_${name}`,
    group: 'Mail',
    type,
    unsetMeaning: 'none',
    meaning,
    alias: `PHOENIX_SMTP_${name}`,
  });
}
