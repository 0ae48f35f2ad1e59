import { createSecureContext } from 'node:tls';
import { errorMessage } from '#base/errors';
import { Secret } from '#base/secret';
import type { Values } from './env.ts';
import type { LdapConfig, LdapServer, LdapTls, LdapUsers } from './ldap-config.ts';
import type { Environment, Problem } from './read-environment.ts';
import { readPemFile, requireCertificate } from './tls.ts';

/** A directory as the variables describe it; `null` where no server is named, or where something is wrong. */
export function deriveLdap(environment: Environment, problems: Problem[]): LdapConfig | null {
  const { values, isSet } = environment;
  if (!isSet('ldapHosts')) return null;
  requireTogether(environment, 'ldapBindDn', 'ldapBindPassword', problems);
  requireTogether(environment, 'ldapClientCertFile', 'ldapClientKeyFile', problems);
  const servers = deriveServers(values);
  const users = deriveUsers(environment, problems);
  refuseUnknownPeople(environment, problems);
  const groups = deriveGroups(environment, problems);
  const roles = requireValue(environment, 'ldapRoleMappings', ROLES_FIX, problems);
  const tls = values.ldapTlsMode === 'none' ? null : deriveTls(environment, problems);
  if (servers === null || users === null || roles === undefined) return null;
  const { ldapBindDn: dn, ldapBindPassword: password } = values;
  return {
    servers,
    tls,
    service: dn === undefined || password === undefined ? null : { dn, password },
    users,
    groups,
    roles,
    allowsSignUp: values.allowsLdapSignUp,
  };
}

/** What starts, and protects less than it seems to or does nothing. */
export function warnOfLdap(environment: Environment, warnings: string[]): void {
  const { values, spelling, isSet } = environment;
  const set = KEYS.filter((key) => isSet(key));
  if (!isSet('ldapHosts')) {
    for (const key of set) warnings.push(`${spelling[key]} has no effect: ${spelling.ldapHosts} is unset.`);
    return;
  }
  if (!values.isAuthEnabled) {
    warnings.push(
      `${spelling.ldapHosts} has no effect: authentication is off until ${spelling.isAuthEnabled} is true.`,
    );
  }
  if (values.ldapTlsMode === 'none') {
    warnings.push(
      `${spelling.ldapTlsMode} is none: passwords cross the network to the directory unencrypted. Use it only for tests.`,
    );
    for (const key of TLS_KEYS.filter((one) => isSet(one))) {
      warnings.push(`${spelling[key]} has no effect: ${spelling.ldapTlsMode} is none.`);
    }
  } else if (!values.isLdapTlsVerified) {
    warnings.push(
      `${spelling.isLdapTlsVerified} is false: anyone in the network can pose as the directory and read passwords. Name its authority in ${spelling.ldapCaCertFile} instead.`,
    );
  }
  if (isSet('ldapGroupBaseDns') && !isSet('ldapGroupFilter')) {
    warnings.push(`${spelling.ldapGroupBaseDns} has no effect: ${spelling.ldapGroupFilter} is unset.`);
  }
}

const TLS_KEYS = [
  'isLdapTlsVerified',
  'ldapCaCertFile',
  'ldapClientCertFile',
  'ldapClientKeyFile',
] as const satisfies readonly (keyof Values)[];

/** All but the one that turns the others on. */
const KEYS = [
  ...TLS_KEYS,
  'ldapPort',
  'ldapTlsMode',
  'ldapBindDn',
  'ldapBindPassword',
  'ldapUserBaseDns',
  'ldapUserFilter',
  'ldapEmailAttribute',
  'ldapUniqueIdAttribute',
  'ldapDisplayNameAttribute',
  'ldapMemberOfAttribute',
  'ldapGroupBaseDns',
  'ldapGroupFilter',
  'ldapGroupUserAttribute',
  'ldapRoleMappings',
  'allowsLdapSignUp',
] as const satisfies readonly (keyof Values)[];

function deriveServers({ ldapHosts, ldapPort, ldapTlsMode }: Values): LdapConfig['servers'] | null {
  const port = ldapPort ?? (ldapTlsMode === 'ldaps' ? LDAPS_PORT : LDAP_PORT);
  const [first, ...rest] = (ldapHosts ?? []).map((host): LdapServer => ({ host, port }));
  return first === undefined ? null : [first, ...rest];
}

const LDAP_PORT = 389;
const LDAPS_PORT = 636;

function deriveUsers(environment: Environment, problems: Problem[]): LdapUsers | null {
  const { values } = environment;
  const baseDns = requireValue(environment, 'ldapUserBaseDns', BASES_FIX, problems);
  const email = requireValue(environment, 'ldapEmailAttribute', EMAIL_FIX, problems);
  if (baseDns === undefined || email === undefined) return null;
  return {
    baseDns,
    filter: values.ldapUserFilter,
    emailAttribute: email.name,
    uniqueIdAttribute: values.ldapUniqueIdAttribute ?? null,
    displayNameAttribute: values.ldapDisplayNameAttribute,
    memberOfAttribute: values.ldapMemberOfAttribute,
  };
}

const BASES_FIX = 'set it to a JSON array of where users are, such as ["ou=people,dc=example,dc=com"].';
const EMAIL_FIX =
  'set it to the attribute with the e-mail address, such as mail, or to null for a directory without addresses.';
const ROLES_FIX =
  'set it to a JSON array of groups and their roles; [{"group_dn": "*", "role": "VIEWER"}] makes everyone a viewer.';

/** Without e-mail addresses, people are known by their unique id, so nobody can prepare accounts for them. */
function refuseUnknownPeople({ values, spelling, isSet }: Environment, problems: Problem[]): void {
  if (values.ldapEmailAttribute?.name !== null) return;
  const isNull = `${spelling.ldapEmailAttribute} is null`;
  if (!isSet('ldapUniqueIdAttribute')) {
    problems.push({
      variable: spelling.ldapUniqueIdAttribute,
      message: `is unset, and ${isNull}: name an attribute that never changes, such as entryUUID or objectGUID.`,
    });
  }
  if (!values.allowsLdapSignUp) {
    problems.push({
      variable: spelling.allowsLdapSignUp,
      message: `is false, and ${isNull}, so nobody could sign in: set it to true, or name the attribute with the e-mail address.`,
    });
  }
  if ((values.admins ?? []).length > 0) {
    problems.push({
      variable: spelling.admins,
      message: `is set, and ${isNull}, so its accounts could not be told by their addresses: unset it, and map a group to the role ADMIN.`,
    });
  }
}

function deriveGroups({ values, spelling, isSet }: Environment, problems: Problem[]): LdapConfig['groups'] {
  const { ldapGroupFilter: filter, ldapGroupBaseDns: baseDns, ldapGroupUserAttribute: userAttribute } = values;
  if (!isSet('ldapGroupFilter')) {
    if (!isSet('ldapGroupUserAttribute')) return null;
    problems.push({
      variable: spelling.ldapGroupUserAttribute,
      message: `needs ${spelling.ldapGroupFilter}; set that, or unset this one.`,
    });
    return null;
  }
  if (!isSet('ldapGroupBaseDns')) {
    problems.push({
      variable: spelling.ldapGroupBaseDns,
      message: `is unset, and ${spelling.ldapGroupFilter} needs it: set it to a JSON array of where groups are, such as ["ou=groups,dc=example,dc=com"].`,
    });
  }
  if (filter === undefined || baseDns === undefined) return null;
  return { baseDns, filter, userAttribute: userAttribute ?? null };
}

function deriveTls(environment: Environment, problems: Problem[]): LdapTls {
  const { values, spelling } = environment;
  const read = (key: 'ldapCaCertFile' | 'ldapClientCertFile' | 'ldapClientKeyFile', use: (pem: string) => unknown) => {
    const pem = values[key] === undefined ? undefined : readPemFile(spelling[key], values[key], problems);
    if (pem === undefined) return undefined;
    try {
      use(pem);
      return pem;
    } catch (error) {
      problems.push({
        variable: spelling[key],
        message: `contains nothing that can be used (${errorMessage(error)}).`,
      });
      return undefined;
    }
  };
  const caPem = read('ldapCaCertFile', (ca) => createSecureContext({ ca: requireCertificate(ca) }));
  const certificatePem = read('ldapClientCertFile', (cert) => createSecureContext({ cert }));
  const keyPem = read('ldapClientKeyFile', (key) =>
    createSecureContext(certificatePem === undefined ? { key } : { cert: certificatePem, key }),
  );
  return {
    isUpgraded: values.ldapTlsMode === 'starttls',
    isVerified: values.isLdapTlsVerified,
    caPem: caPem ?? null,
    client:
      certificatePem === undefined || keyPem === undefined ? null : { certificatePem, keyPem: new Secret(keyPem) },
  };
}

/** A value that must be there. One that is set and refused has a problem already. */
function requireValue<Key extends keyof Values>(
  { values, spelling, isSet }: Environment,
  key: Key,
  fix: string,
  problems: Problem[],
): Values[Key] {
  if (!isSet(key)) {
    problems.push({ variable: spelling[key], message: `is unset, and ${spelling.ldapHosts} needs it: ${fix}` });
  }
  return values[key];
}

function requireTogether(
  { spelling, isSet }: Environment,
  one: keyof Values,
  other: keyof Values,
  problems: Problem[],
): void {
  for (const [set, missing] of [
    [one, other],
    [other, one],
  ] as const) {
    if (!isSet(set) || isSet(missing)) continue;
    problems.push({
      variable: spelling[missing],
      message: `is unset, and ${spelling[set]} needs it; set both or neither.`,
    });
  }
}
