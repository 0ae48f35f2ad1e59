/** The kinds of value that only variables of providers have. */
import { errorMessage } from '#base/errors';
import { Expression } from '#base/expression';
import type { PersonRole } from '#domain/account';
import { parseEach, Refusal, type ValueType } from './values.ts';

/** Host names of this machine, to which a request crosses no network. */
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether nobody between this server and the address can read along. */
export function isConfidential(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL_HOSTS.has(url.hostname));
}

/** Where a provider describes itself. */
export const discoveryUrl: ValueType<string> = {
  name: 'URL',
  parse(given) {
    const url = URL.parse(given);
    return url !== null && isConfidential(url) && url.username === '' && url.password === '' && url.hash === ''
      ? url.href
      : new Refusal(
          'write the https address of the provider’s configuration, such as https://id.example.com/.well-known/openid-configuration; only localhost may be reached by http.',
        );
  },
};

/** An expression that picks something out of claims. */
export const claimPath: ValueType<Expression> = {
  name: 'JMESPath expression',
  parse(given) {
    try {
      return new Expression(given);
    } catch (error) {
      return new Refusal(
        `write a JMESPath expression (${errorMessage(error)}). A key with other characters than letters, digits and _ stands in double quotes, such as "cognito:groups".`,
      );
    }
  },
};

/** Texts without white space. */
export const wordList: ValueType<readonly string[]> = {
  name: 'space-separated words',
  parse: (given) => [...new Set(given.split(/\s+/))],
};

/** Texts, of which there must be one. */
export const groupList: ValueType<ReadonlySet<string>> = {
  name: 'comma-separated texts',
  parse(given) {
    const groups = parseEach(given, (item) => item);
    if (groups instanceof Refusal) return groups;
    return groups.length === 0 ? new Refusal('write at least one group.') : new Set(groups);
  },
};

/** `Theirs:ADMIN,Other:VIEWER`. */
export const roleMapping: ValueType<ReadonlyMap<string, PersonRole>> = {
  name: 'comma-separated pairs',
  parse(given) {
    const pairs = parseEach(given, (item, position) => {
      const split = item.indexOf(':');
      const theirs = item.slice(0, Math.max(split, 0)).trim();
      const role = readRole(item.slice(split + 1));
      return theirs !== '' && role !== undefined
        ? ([theirs, role] as const)
        : new Refusal(`pair ${position} is not a role of the provider, a colon, and ADMIN, MEMBER or VIEWER.`);
    });
    return pairs instanceof Refusal ? pairs : new Map(pairs);
  },
};

/** The role that a text names, in any case; `undefined` for every other text, such as that of the system's role. */
export function readRole(text: string): PersonRole | undefined {
  const name = text.trim().toUpperCase();
  return ROLES.find((role) => role === name);
}

const ROLES: readonly PersonRole[] = ['ADMIN', 'MEMBER', 'VIEWER'];
