/** Who somebody is and what they may do, by the claims of a provider and the settings for it. */
import type { Expression, JSONValue } from '#base/expression';
import type { ProviderConfig, RoleConfig } from '#config/provider-config';
import { readRole } from '#config/provider-values';
import { type PersonRole } from '#domain/account';
import { type ProvenIdentity, type ProvenRole, ProviderRefusal, readProvidedEmail } from '#domain/provider-sign-in';
import type { Claims, ProviderAnswer } from './identity-provider.ts';
import { isSharedIssuer } from './shared-issuers.ts';

/** Somebody whom the settings let in. */
export interface AdmittedPerson {
  readonly identity: ProvenIdentity;
  readonly role: ProvenRole;
}

/**
 * Reads it from the ID token, and from what else the provider tells where that is not enough. The token wins.
 * @param warn is told of expressions that do not fit the claims
 * @throws ProviderRefusal
 */
export async function readIdentity(
  config: ProviderConfig,
  answer: ProviderAnswer,
  warn: (message: string) => void,
): Promise<AdmittedPerson> {
  const { claims } = answer;
  const find = (path: Expression, among: Claims) => evaluate(path, among, warn);
  const isEnough =
    readProvidedEmail(find(config.emailPath, claims)) !== null &&
    (config.groups === null || textsOf(find(config.groups.path, claims)).length > 0) &&
    (config.roles === null || textOf(find(config.roles.path, claims)) !== null);
  const more = isEnough ? await readVerification(answer) : await answer.readMore();
  const all = { ...more, ...claims };
  const email = readProvidedEmail(find(config.emailPath, all));
  if (email === null) {
    throw new ProviderRefusal('missing_email_scope', 'The provider told no e-mail address that could be used.');
  }
  if (config.groups !== null) {
    const { path, allowed } = config.groups;
    if (!textsOf(find(path, all)).some((group) => allowed.has(group))) {
      throw new ProviderRefusal('auth_failed', `${email} is in none of the allowed groups.`, answer);
    }
  }
  const role = readProvenRole(config.roles, (path) => textOf(find(path, all)));
  if (role === null) throw new ProviderRefusal('auth_failed', `${email} has no role that the settings know.`, answer);
  const { issuer, subject } = answer;
  return {
    identity: {
      issuer,
      subject,
      email,
      isEmailTrusted: more !== null && isEmailTrusted(config, issuer, email, [claims, more]),
      name: textOf(all['name'] ?? null),
      pictureUrl: pictureOf(all['picture']),
    },
    role,
  };
}

/** A provider may say only beside the token that the address is not verified; `null` where it cannot be asked. */
async function readVerification({ claims, readMore }: ProviderAnswer): Promise<Claims | null> {
  if (claims['email_verified'] != null) return {};
  return readMore().catch((error: unknown) => {
    if (!(error instanceof ProviderRefusal)) throw error;
    return null;
  });
}

/** Whether the provider calls the address verified, or says nothing of that and vouches for the addresses of one organisation. */
function isEmailTrusted(
  { configUrl }: ProviderConfig,
  issuer: string,
  email: string,
  sources: readonly Claims[],
): boolean {
  const said = sources.flatMap(({ email: address, email_verified: isVerified }) =>
    isVerified == null ? [] : [{ address, isVerified: isTrue(isVerified) }],
  );
  if (said.some(({ isVerified }) => !isVerified)) return false;
  // It speaks of the claim `email`, whatever the settings take for the address.
  const isVerified = said.length > 0 && sources.some(({ email: address }) => readProvidedEmail(address) === email);
  return isVerified || !isSharedIssuer(configUrl, issuer);
}

/** Some providers write it as a word. */
function isTrue(value: JSONValue): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

/** `null` where the settings demand a role, and know none that is theirs. */
function readProvenRole(config: RoleConfig | null, find: (path: Expression) => string | null): ProvenRole | null {
  if (config === null) return { ofNew: 'VIEWER', ofExisting: null };
  const theirs = find(config.path);
  const found = theirs === null ? undefined : roleOf(config, theirs.trim());
  if (found === undefined && config.isStrict) return null;
  const role = found ?? 'VIEWER';
  return { ofNew: role, ofExisting: config.isKeptInStep ? role : null };
}

function roleOf({ mapping }: RoleConfig, theirs: string): PersonRole | undefined {
  return mapping === null ? readRole(theirs) : mapping.get(theirs);
}

/** What an expression finds; null where it does not fit the claims, as where it finds nothing. */
function evaluate(path: Expression, claims: Claims, warn: (message: string) => void): JSONValue {
  try {
    return path.evaluate(present(claims));
  } catch {
    // The message repeats claims.
    warn(`The expression ${path.text} does not fit the claims of this sign-in, and found nothing.`);
    return null;
  }
}

/** Claims that say nothing are as good as none. */
function present(claims: Claims): Record<string, JSONValue> {
  return Object.fromEntries(
    Object.entries(claims).filter(([, value]) => value !== null && value !== '' && !isEmptyList(value)),
  );
}

function isEmptyList(value: JSONValue): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** One text, or the first of a list. */
function textOf(value: JSONValue): string | null {
  const text = textsOf(value)[0];
  return text === undefined || text.trim() === '' ? null : text;
}

/** One text, or those of a list; numbers are texts, too. */
function textsOf(value: JSONValue): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one) =>
    typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? [String(one)] : [],
  );
}

function pictureOf(value: JSONValue | undefined): string | null {
  const url = typeof value === 'string' && value.length <= MAX_URL_LENGTH ? URL.parse(value) : null;
  return url?.protocol === 'https:' ? url.href : null;
}

const MAX_URL_LENGTH = 2000;
