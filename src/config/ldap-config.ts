/** What the server is told about a directory that people sign in with (LDAP). */
import type { Secret } from '#base/secret';
import type { PersonRole } from '#domain/account';

/** A directory. */
export interface LdapConfig {
  /** In the order in which they are tried. */
  readonly servers: readonly [LdapServer, ...LdapServer[]];
  /** `null` speaks in clear. */
  readonly tls: LdapTls | null;
  /** Whom searches are made as; `null` for nobody in particular. */
  readonly service: { readonly dn: string; readonly password: Secret } | null;
  readonly users: LdapUsers;
  /** Where groups are searched; `null` where they are read from the entry of the user. */
  readonly groups: LdapGroups | null;
  /** The first that fits decides. */
  readonly roles: readonly RoleMapping[];
  /** Whether people without an account get one. */
  readonly allowsSignUp: boolean;
}

/** One server of the directory. */
export interface LdapServer {
  readonly host: string;
  readonly port: number;
}

/** How connections are encrypted. */
export interface LdapTls {
  /** Whether a connection begins in clear and is encrypted before anything is said. */
  readonly isUpgraded: boolean;
  readonly isVerified: boolean;
  /** Authorities in place of those that Node.js knows. */
  readonly caPem: string | null;
  /** What the server shows to the directory. */
  readonly client: { readonly certificatePem: string; readonly keyPem: Secret } | null;
}

/** Where entries of people are, and what is read of them. */
export interface LdapUsers {
  /** In the order in which they are searched. */
  readonly baseDns: readonly [string, ...string[]];
  /** `%s` stands for the name that somebody typed. */
  readonly filter: string;
  /** `null` for people without e-mail addresses. */
  readonly emailAttribute: string | null;
  /** Holds what never changes; `null` where people are known by their e-mail addresses. */
  readonly uniqueIdAttribute: string | null;
  readonly displayNameAttribute: string;
  readonly memberOfAttribute: string;
}

/** Where groups are. */
export interface LdapGroups {
  readonly baseDns: readonly string[];
  /** `%s` stands for a user. */
  readonly filter: string;
  /** Attribute of the user's entry that `%s` stands for; `null` for the name that was typed. */
  readonly userAttribute: string | null;
}

/** The role of a group's members. */
export interface RoleMapping {
  /** Canonical; `null` for everybody. */
  readonly groupDn: string | null;
  readonly role: PersonRole;
}
