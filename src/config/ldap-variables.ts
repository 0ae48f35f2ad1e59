/** The variables of signing in with a directory (LDAP); part of the table in env.ts. */
import type { Secret } from '#base/secret';
import * as ldapValue from './ldap-values.ts';
import * as value from './values.ts';
import { type Variable, variable } from './variable.ts';

/** The directory, and what is read from it. */
export const ldapVariables = {
  ldapHosts: variable({
    ...named('HOST'),
    type: ldapValue.ldapHosts,
    unsetMeaning: 'LDAP is off',
    meaning:
      'Servers of the directory, in the order in which they are tried: the next one is asked only if a server does not answer.',
  }),
  ldapPort: variable({
    ...named('PORT'),
    type: value.integer(1, 65_535),
    unsetMeaning: '`636` for `ldaps`, else `389`',
    meaning: 'Port of all these servers.',
  }),
  ldapTlsMode: variable({
    ...named('TLS_MODE'),
    type: value.oneOf('starttls', 'ldaps', 'none'),
    default: 'starttls',
    meaning:
      'How connections are encrypted: `starttls` before anything else is sent, `ldaps` from the start. `none` sends passwords in clear; use it only for tests.',
  }),
  isLdapTlsVerified: variable({
    ...named('TLS_VERIFY'),
    type: value.boolean,
    default: 'true',
    meaning: 'Whether the certificates of the servers are checked.',
  }),
  ldapCaCertFile: variable({
    ...named('TLS_CA_CERT_FILE'),
    type: value.path,
    unsetMeaning: 'the authorities that Node.js knows',
    meaning: 'PEM file with the authorities that sign the certificates of the servers.',
  }),
  ldapClientCertFile: variable({
    ...named('TLS_CLIENT_CERT_FILE'),
    type: value.path,
    unsetMeaning: 'none',
    meaning:
      'PEM file with a certificate that Cairn shows to the servers; requires `SERVICE_LDAP_TLS_CLIENT_KEY_FILE`.',
  }),
  ldapClientKeyFile: variable({
    ...named('TLS_CLIENT_KEY_FILE'),
    type: value.path,
    unsetMeaning: 'none',
    meaning: 'PEM file with the key of that certificate, without a password.',
  }),
  ldapBindDn: variable({
    ...named('BIND_DN'),
    type: ldapValue.distinguishedName,
    unsetMeaning: 'searches are anonymous',
    meaning: 'Account that searches for users and groups; requires `SERVICE_LDAP_BIND_PASSWORD`.',
  }),
  ldapBindPassword: variable<Secret>({
    ...named('BIND_PASSWORD'),
    type: value.secretText,
    unsetMeaning: 'none',
    meaning: 'Password of that account.',
    isSecret: true,
  }),
  ldapUserBaseDns: variable({
    ...named('USER_SEARCH_BASE_DNS'),
    type: ldapValue.baseDns,
    unsetMeaning: 'required',
    meaning: 'Where users are searched, in this order, until one is found.',
  }),
  ldapUserFilter: variable({
    ...named('USER_SEARCH_FILTER'),
    type: ldapValue.filterTemplate,
    default: '(&(objectClass=user)(sAMAccountName=%s))',
    meaning: 'Finds the entry of a user; `%s` stands for the name that the user enters.',
  }),
  ldapEmailAttribute: variable({
    ...named('ATTR_EMAIL'),
    type: ldapValue.attributeOrNull,
    unsetMeaning: 'required',
    meaning:
      'Attribute with the e-mail address of a user. `null` is for directories without addresses; it requires `SERVICE_LDAP_ATTR_UNIQUE_ID`.',
  }),
  ldapUniqueIdAttribute: variable({
    ...named('ATTR_UNIQUE_ID'),
    type: ldapValue.attributeName,
    unsetMeaning: 'users are known by their e-mail addresses',
    meaning:
      'Attribute that never changes, such as `objectGUID`, `entryUUID` or `nsUniqueId`. Users are then known by it, so that an account stays with its owner when the address changes.',
  }),
  ldapDisplayNameAttribute: variable({
    ...named('ATTR_DISPLAY_NAME'),
    type: ldapValue.attributeName,
    default: 'displayName',
    meaning: 'Attribute with the name that a new account gets; without it, the name that the user entered.',
  }),
  ldapMemberOfAttribute: variable({
    ...named('ATTR_MEMBER_OF'),
    type: ldapValue.attributeName,
    default: 'memberOf',
    meaning: 'Attribute of a user with the names of groups; used if `SERVICE_LDAP_GROUP_SEARCH_FILTER` is unset.',
  }),
  ldapGroupBaseDns: variable({
    ...named('GROUP_SEARCH_BASE_DNS'),
    type: ldapValue.baseDns,
    unsetMeaning: 'none',
    meaning: 'Where groups are searched; required with `SERVICE_LDAP_GROUP_SEARCH_FILTER`.',
  }),
  ldapGroupFilter: variable({
    ...named('GROUP_SEARCH_FILTER'),
    type: ldapValue.filterTemplate,
    unsetMeaning: 'groups are read from `SERVICE_LDAP_ATTR_MEMBER_OF`',
    meaning: 'Finds the groups of a user; `%s` stands for the user.',
  }),
  ldapGroupUserAttribute: variable({
    ...named('GROUP_SEARCH_FILTER_USER_ATTR'),
    type: ldapValue.attributeName,
    unsetMeaning: 'the name that the user entered',
    meaning: 'Attribute of the user’s entry that `%s` of that filter stands for; `dn` is the name of the entry itself.',
  }),
  ldapRoleMappings: variable({
    ...named('GROUP_ROLE_MAPPINGS'),
    type: ldapValue.roleMappings,
    unsetMeaning: 'required',
    meaning:
      'Which groups have which role (`ADMIN`, `MEMBER` or `VIEWER`), such as `[{"group_dn": "cn=admins,dc=example,dc=com", "role": "ADMIN"}, {"group_dn": "*", "role": "VIEWER"}]`. The first group that a user belongs to decides; `*` is everyone. Users whom none fits cannot sign in.',
  }),
  allowsLdapSignUp: variable({
    ...named('ALLOW_SIGN_UP'),
    type: value.boolean,
    default: 'true',
    meaning:
      'Whether users without an account get one. If `false`, only users can sign in whose account an administrator has created, with their e-mail address.',
  }),
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

function named<const Name extends string>(name: Name) {
  return { name: `LDAP_${name}`, group: 'LDAP', alias: `PHOENIX_LDAP_${name}` } as const;
}
