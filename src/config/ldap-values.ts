/** The kinds of value that only variables of LDAP have. */
import { canonicalDn, isDn } from '#base/distinguished-name';
import type { PersonRole } from '#domain/account';
import type { RoleMapping } from './ldap-config.ts';
import { host, parseEach, Refusal, type ValueType } from './values.ts';

/** Servers of one directory. */
export const ldapHosts: ValueType<readonly string[]> = {
  name: 'comma-separated host names or IP addresses',
  parse(given) {
    const hosts = parseEach(given, (item, position) => {
      const parsed = host.parse(item);
      return parsed instanceof Refusal ? new Refusal(`item ${position}: ${parsed.fix}`) : parsed;
    });
    if (hosts instanceof Refusal || hosts.length > 0) return hosts;
    return new Refusal('name at least one server, such as ldap.example.com.');
  },
};

/** One distinguished name. */
export const distinguishedName: ValueType<string> = {
  name: 'distinguished name',
  parse: (given) =>
    isDn(given) ? given : new Refusal('write a distinguished name, such as cn=cairn,ou=services,dc=example,dc=com.'),
};

/** Distinguished names of where searches start. The empty one is the root of the directory. */
export const baseDns: ValueType<readonly [string, ...string[]]> = {
  name: 'JSON array of distinguished names',
  parse(given) {
    const list = parseJson(given);
    if (!Array.isArray(list)) return new Refusal(`write a JSON array of distinguished names, such as ${BASES}.`);
    const names: string[] = [];
    for (const [index, item] of list.entries()) {
      if (typeof item !== 'string' || !isDn(item.trim())) {
        return new Refusal(`item ${index + 1} is not a distinguished name; write an array such as ${BASES}.`);
      }
      names.push(item.trim());
    }
    const [first, ...rest] = names;
    return first === undefined ? new Refusal(`name at least one, such as ${BASES}.`) : [first, ...rest];
  },
};

const BASES = '["ou=people,dc=example,dc=com"]';

/** A filter with a place for what is looked for. */
export const filterTemplate: ValueType<string> = {
  name: 'LDAP filter with `%s`',
  parse(given) {
    if (!isFilter(given)) {
      return new Refusal('this is not a filter; write one with parentheses around each part, such as (uid=%s).');
    }
    return given.includes('%s') ? given : new Refusal('write %s where the user belongs, such as (uid=%s).');
  },
};

/** The name or number of an attribute. */
export const attributeName: ValueType<string> = {
  name: 'name of an attribute',
  parse: (given) => (ATTRIBUTE.test(given) ? given : new Refusal('write the name of one attribute, without spaces.')),
};

/** The same, or the word `null`. A boxed name tells that from a variable that is unset. */
export const attributeOrNull: ValueType<{ readonly name: string | null }> = {
  name: 'name of an attribute, or `null`',
  parse(given) {
    const name = given.toLowerCase() === 'null' ? null : attributeName.parse(given);
    return name instanceof Refusal ? name : { name };
  },
};

/** Which groups have which role, in the order in which they are tried. */
export const roleMappings: ValueType<readonly RoleMapping[]> = {
  name: 'JSON array of objects with `group_dn` and `role`',
  parse(given) {
    const list = parseJson(given);
    if (!Array.isArray(list) || list.length === 0) {
      return new Refusal(`write a JSON array with at least one object, such as ${MAPPINGS}.`);
    }
    const mappings: RoleMapping[] = [];
    for (const [index, item] of list.entries()) {
      const mapping = readMapping(item as unknown);
      if (typeof mapping === 'string') return new Refusal(`item ${index + 1} ${mapping}`);
      mappings.push(mapping);
    }
    return mappings;
  },
};

const MAPPINGS = '[{"group_dn": "cn=admins,ou=groups,dc=example,dc=com", "role": "ADMIN"}]';

const ROLES = ['ADMIN', 'MEMBER', 'VIEWER'] as const satisfies readonly PersonRole[];

/** A mapping, or what is wrong with it. */
function readMapping(item: unknown): RoleMapping | string {
  if (typeof item !== 'object' || item === null) return `is not an object; write an array such as ${MAPPINGS}.`;
  const { group_dn: group, role: word, ...others } = item as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `has a field that is not known; use only group_dn and role.`;
  const role = ROLES.find((known) => typeof word === 'string' && known === word.trim().toUpperCase());
  if (role === undefined) return `has no role that people can have; write ${ROLES.join(', ')}.`;
  const text = typeof group === 'string' ? group.trim() : '';
  if (text === '*') return { groupDn: null, role };
  const groupDn = text === '' ? null : canonicalDn(text);
  if (groupDn === null) return 'has a group_dn that is not a distinguished name; write the name of a group, or *.';
  return { groupDn, role };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ATTRIBUTE = /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)+)$/i;

/** Whether a text is a filter. @see https://www.rfc-editor.org/rfc/rfc4515 */
function isFilter(text: string): boolean {
  // From the inside out: comparisons become a mark, and what joins marks does, too.
  let left = text.replaceAll(COMPARISON, MARK);
  for (let before = ''; before !== left; ) {
    before = left;
    left = left.replaceAll(JOINED, MARK);
  }
  return left === MARK;
}

/** A character that no filter holds unescaped. */
const MARK = '\0';
const COMPARISON =
  /\((?:(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)+)(?:;[a-z0-9-]+)*(?::dn)?(?::[a-z0-9.-]+:)?|(?::dn)?:[a-z0-9.-]+:)(?:[~<>]?=)(?:\\[0-9a-f]{2}|[^\\()\0])*\)/gi;
const JOINED = /\((?:[&|]\0+|!\0)\)/g;
