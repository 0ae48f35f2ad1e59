/** What entries of a directory say of people. */
import type { Entry } from 'ldapts';
import { canonicalDn } from '#base/distinguished-name';
import type { LdapUsers, RoleMapping } from '#config/ldap-config';
import { checkEmail, type PersonRole } from '#domain/account';

/** Why somebody with the right password is not let in. The message is for the log, and names nobody. */
export class UnusableEntry extends Error {
  override readonly name = 'UnusableEntry';
}

/** What an account follows from. */
export interface PersonOfEntry {
  readonly email: string | null;
  readonly uniqueId: string | null;
  readonly displayName: string | null;
}

/** The attributes that {@link readPerson} reads, and those of them that may be no text. */
export function attributesOf(users: LdapUsers): {
  readonly all: readonly string[];
  readonly binary: readonly string[];
} {
  const { emailAttribute, uniqueIdAttribute, displayNameAttribute } = users;
  const all = [emailAttribute, uniqueIdAttribute, displayNameAttribute].filter((name) => name !== null);
  // The library compares with the name as the server spells it.
  return { all, binary: uniqueIdAttribute === null ? [] : [uniqueIdAttribute, 'objectGUID'] };
}

/** @throws UnusableEntry where something is missing that the settings demand */
export function readPerson(entry: Entry, users: LdapUsers): PersonOfEntry {
  const { emailAttribute, uniqueIdAttribute, displayNameAttribute } = users;
  return {
    email: emailAttribute === null ? null : readEmail(entry, emailAttribute),
    uniqueId: uniqueIdAttribute === null ? null : readUniqueId(entry, uniqueIdAttribute),
    displayName: valuesOf(entry, displayNameAttribute).find((value) => typeof value === 'string') ?? null,
  };
}

/** The values of an attribute, however its name is written. A long list may come in part, as Active Directory does (`;range=0-1499`). */
export function valuesOf(entry: Entry, attribute: string): readonly (string | Buffer)[] {
  const wanted = attribute.toLowerCase();
  const found = Object.keys(entry).filter((key) => {
    const name = key.toLowerCase();
    return name === wanted || name.startsWith(`${wanted};range=`);
  });
  return found.flatMap((key) => entry[key] ?? []);
}

/** The role of the first mapping that fits; `null` where none does. Names that are none fit nothing. */
export function findRole(mappings: readonly RoleMapping[], groupDns: readonly string[]): PersonRole | null {
  const groups = new Set(groupDns.map(canonicalDn));
  return mappings.find(({ groupDn }) => groupDn === null || groups.has(groupDn))?.role ?? null;
}

function readEmail(entry: Entry, attribute: string): string {
  const value = valuesOf(entry, attribute).find((one) => typeof one === 'string' && one.trim() !== '');
  if (typeof value !== 'string') throw new UnusableEntry(`it has no ${attribute}`);
  try {
    return checkEmail(value);
  } catch {
    throw new UnusableEntry(`its ${attribute} is not an e-mail address`);
  }
}

function readUniqueId(entry: Entry, attribute: string): string {
  const [value] = valuesOf(entry, attribute);
  const id = value === undefined ? '' : formatUniqueId(value);
  if (id === '' || id.length > MAX_ID) throw new UnusableEntry(`it has no ${attribute} that can be used`);
  return id;
}

const MAX_ID = 255;

/** Sixteen bytes are a GUID as Microsoft orders it; other bytes are a text, or else shown as digits. */
function formatUniqueId(value: string | Buffer): string {
  if (typeof value === 'string') return value.trim().toLowerCase();
  if (value.length === 16) return formatGuid(value);
  const text = value.toString('utf8');
  return Buffer.from(text).equals(value) ? text.trim().toLowerCase() : value.toString('hex');
}

function formatGuid(bytes: Buffer): string {
  const ordered = Buffer.concat([
    Buffer.from(bytes.subarray(0, 4)).reverse(),
    Buffer.from(bytes.subarray(4, 6)).reverse(),
    Buffer.from(bytes.subarray(6, 8)).reverse(),
    bytes.subarray(8),
  ]).toString('hex');
  return ordered.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
