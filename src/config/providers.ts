/** Providers of identities (OpenID Connect), as the environment describes them. */
import { findNearestName } from './nearest-name.ts';
import type { ClientAuthMethod, ProviderConfig, RoleConfig } from './provider-config.ts';
import { PLACEHOLDER, type ProviderValues, providerVariables } from './provider-variables.ts';
import { type EnvironmentVariables, type Problem, type ReadVariable, readVariable } from './read-environment.ts';
import { isOfProvider } from './unsupported-names.ts';
import { PREFIX, type Variable } from './variable.ts';

/** What is wrong with an environment, where it is collected. */
interface Findings {
  readonly problems: Problem[];
  readonly warnings: string[];
}

/** All providers, by name. Each that has a variable is checked as a whole, also while authentication is off. */
export function deriveProviders(env: EnvironmentVariables, findings: Findings): readonly ProviderConfig[] {
  const names = findProviderNames(env, findings.warnings);
  const providers = names.flatMap((name) => deriveProvider(name, env, findings) ?? []);
  const automatic = providers.filter(({ isAutomatic }) => isAutomatic).map(({ name }) => name.toUpperCase());
  const [first, second] = automatic;
  if (second !== undefined) {
    findings.problems.push({
      variable: `${PREFIX}OAUTH2_${second}_AUTO_LOGIN`,
      message: `is true, and so is ${PREFIX}OAUTH2_${first}_AUTO_LOGIN; set it for one provider at most.`,
    });
  }
  return providers;
}

const SUFFIXES = Object.values<Variable<unknown>>(providerVariables).map(({ name }) =>
  name.replace(`OAUTH2_${PLACEHOLDER}_`, ''),
);

/** The names of providers, in upper case, that variables are there for. Other names of the family are told. */
function findProviderNames(env: EnvironmentVariables, warnings: string[]): readonly string[] {
  const pattern = new RegExp(`^OAUTH2_([A-Z0-9](?:[A-Z0-9_]*[A-Z0-9])?)_(?:${SUFFIXES.join('|')})$`);
  const names = new Set<string>();
  const unknown: [prefix: string, bare: string][] = [];
  for (const [variable, text] of Object.entries(env)) {
    const [, prefix = '', bare = ''] = /^(SERVICE_|PHOENIX_)(.+)$/.exec(variable) ?? [];
    if (!isOfProvider(bare) || (text?.trim() ?? '') === '') continue;
    const name = pattern.exec(bare)?.[1];
    if (name === undefined) unknown.push([prefix, bare]);
    else names.add(name);
  }
  const known = [...names].flatMap((name) => SUFFIXES.map((suffix) => `OAUTH2_${name}_${suffix}`));
  for (const [prefix, bare] of unknown) {
    const nearest = findNearestName(bare.toUpperCase(), known);
    const suggestion =
      nearest === undefined
        ? `Names of providers have the form ${prefix}OAUTH2_<IDP>_CLIENT_ID, with <IDP> in upper case.`
        : `Did you mean ${prefix}${nearest}?`;
    warnings.push(`${prefix}${bare} is not a known variable and has no effect. ${suggestion}`);
  }
  return [...names].sort();
}

/** A provider while it is read. */
interface Reading extends Findings {
  readonly values: ProviderValues;
  /** As the user spelled it. */
  readonly spelling: (key: keyof ProviderValues) => string;
  readonly isSet: (key: keyof ProviderValues) => boolean;
}

/** The provider; `null` where it has a problem. */
function deriveProvider(name: string, env: EnvironmentVariables, findings: Findings): ProviderConfig | null {
  const before = findings.problems.length;
  const reading = readProvider(name, env, findings);
  const { values, spelling, problems } = reading;
  if (RESERVED_NAMES.has(name)) {
    problems.push({ variable: spelling('clientId'), message: `names the provider ${name}; choose another name.` });
  }
  requireClient(reading);
  const groups = deriveGroups(reading);
  const roles = deriveRoles(reading);
  const { clientId, configUrl, emailPath } = values;
  if (problems.length > before || clientId === undefined || configUrl === undefined) return null;
  return {
    name: name.toLowerCase(),
    displayName: values.displayName ?? displayNameOf(name),
    configUrl,
    clientId,
    clientSecret: values.clientAuth === 'none' ? null : (values.clientSecret ?? null),
    clientAuth: values.clientAuth,
    usesPkce: values.usesPkce,
    scopes: [...new Set(['openid', 'email', 'profile', ...(values.scopes ?? [])])],
    allowsSignUp: values.allowsSignUp,
    isAutomatic: values.isAutomatic,
    emailPath,
    groups,
    roles,
  };
}

/** Paths below `/oauth2` that lead elsewhere. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['AUTHORIZE', 'TOKEN', 'REVOKE', 'REGISTER', 'CONSENT']);

function readProvider(name: string, env: EnvironmentVariables, findings: Findings): Reading {
  const read = new Map<string, ReadVariable<unknown>>();
  for (const [key, entry] of Object.entries<Variable<unknown>>(providerVariables)) {
    const named = (text: string) => text.replace(PLACEHOLDER, name);
    const variable = { ...entry, name: named(entry.name), ...(entry.alias && { alias: named(entry.alias) }) };
    read.set(key, readVariable(variable, env, findings));
  }
  return {
    ...findings,
    values: Object.fromEntries([...read].map(([key, { value }]) => [key, value])) as unknown as ProviderValues,
    spelling: (key) => read.get(key)?.spelling ?? key,
    isSet: (key) => read.get(key)?.isSet === true,
  };
}

function requireClient({ values, spelling, isSet, problems, warnings }: Reading): void {
  const require = (key: keyof ProviderValues, message: string) => {
    if (!isSet(key)) problems.push({ variable: spelling(key), message });
  };
  require('clientId', 'is unset: set it to the client id that the provider gave this server.');
  require('configUrl', 'is unset: set it to the address of the provider’s /.well-known/openid-configuration.');
  const isPublic = values.clientAuth === ('none' satisfies ClientAuthMethod);
  if (!isPublic) {
    require('clientSecret', `is unset: set it, or set ${spelling('clientAuth')} to none for a public client.`);
  } else if (isSet('clientSecret')) {
    warnings.push(`${spelling('clientSecret')} has no effect: ${spelling('clientAuth')} is none.`);
  }
  if (isPublic && !values.usesPkce) {
    warnings.push(
      `${spelling('clientAuth')} is none, and ${spelling('usesPkce')} is not true: anyone who sees a code of the provider can use it. Set ${spelling('usesPkce')} to true.`,
    );
  }
}

function deriveGroups({ values, spelling, isSet, problems }: Reading): ProviderConfig['groups'] {
  for (const [key, other] of [
    ['groupsPath', 'allowedGroups'],
    ['allowedGroups', 'groupsPath'],
  ] as const) {
    if (!isSet(key) || isSet(other)) continue;
    problems.push({ variable: spelling(other), message: `is unset, and ${spelling(key)} needs it; set both or none.` });
  }
  const { groupsPath: path, allowedGroups: allowed } = values;
  return path === undefined || allowed === undefined ? null : { path, allowed };
}

function deriveRoles({ values, spelling, isSet, problems, warnings }: Reading): RoleConfig | null {
  const path = spelling('rolePath');
  if (!isSet('rolePath')) {
    if (isSet('roleMapping')) {
      problems.push({ variable: spelling('roleMapping'), message: `needs ${path}; set that, or unset this one.` });
    }
    for (const key of ['isRoleStrict', 'isRoleKeptInStep'] as const) {
      if (isSet(key)) warnings.push(`${spelling(key)} has no effect without ${path}.`);
    }
  }
  return values.rolePath === undefined
    ? null
    : {
        path: values.rolePath,
        mapping: values.roleMapping ?? null,
        isStrict: values.isRoleStrict,
        isKeptInStep: values.isRoleKeptInStep,
      };
}

/** `MY_COMPANY` is My Company. */
function displayNameOf(name: string): string {
  return (
    DISPLAY_NAMES.get(name) ??
    name
      .split('_')
      .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
      .join(' ')
  );
}

const DISPLAY_NAMES: ReadonlyMap<string, string> = new Map([
  ['AWS_COGNITO', 'AWS Cognito'],
  ['MICROSOFT_ENTRA_ID', 'Microsoft Entra ID'],
]);
