/**
 * The kinds of value that a variable can have. Each reads trimmed, non-empty text and gives the value, or a
 * {@link Refusal} whose words complete the sentence "`NAME` is `text`: …".
 */
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { LogLevel } from '#base/log';
import { Secret } from '#base/secret';

/** Why a text is not a value, and what to write instead. */
export class Refusal {
  readonly fix: string;

  constructor(fix: string) {
    this.fix = fix;
  }
}

/** A kind of value: how it is called in the documentation and how it is read. */
export interface ValueType<Value> {
  readonly name: string;
  readonly parse: (text: string) => Value | Refusal;
}

export const text: ValueType<string> = { name: 'text', parse: (given) => given };

export const secretText: ValueType<Secret> = { name: 'text', parse: (given) => new Secret(given) };

/** Only `true` and `false`: a reader of `DISABLE_X=1` in a deployment should not have to guess. */
export const boolean: ValueType<boolean> = {
  name: '`true` or `false`',
  parse(given) {
    const word = given.toLowerCase();
    return word === 'true' || word === 'false' ? word === 'true' : new Refusal('write true or false.');
  },
};

/** A port, with a word of its own for what Kubernetes injects beside a service that bears the variable's name. */
export const port: ValueType<number> = {
  name: 'port, 0 to 65535',
  parse(given) {
    if (/^tcp:\/\//i.test(given)) {
      return new Refusal(
        'Kubernetes sets this variable automatically, because a service in the namespace has the first half of its name. ' +
          'Set the port in the pod as a plain number, or set enableServiceLinks: false in the pod.',
      );
    }
    const number = Number(given);
    return /^\d{1,5}$/.test(given) && number <= 65_535
      ? number
      : new Refusal('write a whole number from 0 to 65535; 0 takes any free port.');
  },
};

/** A whole number within bounds, both included. */
export function integer(minimum: number, maximum: number): ValueType<number> {
  return {
    name: 'whole number',
    parse(given) {
      const number = Number(given);
      return /^\d{1,15}$/.test(given) && number >= minimum && number <= maximum
        ? number
        : new Refusal(`write a whole number from ${minimum} to ${maximum}, digits only.`);
    },
  };
}

/** A number above zero, or from zero on, up to the maximum. */
export function decimal(options: { isZeroAllowed: boolean; maximum: number }): ValueType<number> {
  const range = options.maximum === Number.MAX_VALUE ? '' : ` up to ${options.maximum}`;
  return {
    name: 'number',
    parse(given) {
      const number = Number(given);
      const isWithin = (options.isZeroAllowed ? number >= 0 : number > 0) && number <= options.maximum;
      return /^\d+(\.\d+)?$/.test(given) && isWithin
        ? number
        : new Refusal(
            `write a number ${options.isZeroAllowed ? 'from 0' : 'greater than 0'}${range}, such as 80 or 12.5.`,
          );
    },
  };
}

/** A path, made absolute. A leading `~` is the home directory, because no shell expands it in a unit or compose file. */
export const path: ValueType<string> = {
  name: 'path',
  parse: (given) => resolve(expandHome(given)),
};

/** A leading `~` replaced by the home directory. */
export function expandHome(given: string): string {
  return /^~(?=$|[/\\])/.test(given) ? join(homedir(), given.slice(1)) : given;
}

/** An address or a host name to listen on, an IPv6 address without its brackets. */
export const host: ValueType<string> = {
  name: 'host name or IP address',
  parse(given) {
    const name = given.replace(/^\[(.*)\]$/, '$1').toLowerCase();
    return isIP(name) !== 0 || isHostName(name)
      ? name
      : new Refusal('write only a host name or an IP address, without scheme, port or path, such as 127.0.0.1.');
  },
};

export const hostList: ValueType<readonly string[]> = {
  name: 'comma-separated host names',
  parse: (given) =>
    parseEach(given, (item, position) =>
      isHostName(item.toLowerCase())
        ? item.toLowerCase().replace(/\.$/, '')
        : new Refusal(`item ${position} is not a host name; write only names, without scheme, port or wildcard.`),
    ),
};

export const originList: ValueType<readonly string[]> = {
  name: 'comma-separated origins',
  parse: (given) =>
    parseEach(given, (item, position) => {
      const url = parseHttpUrl(item);
      return url !== undefined && url.pathname === '/' && url.search === '' && url.hash === ''
        ? url.origin
        : new Refusal(
            `item ${position} is not an origin; write only scheme, host and port, such as https://app.example.com.`,
          );
    }),
};

export const textList: ValueType<readonly string[]> = {
  name: 'comma-separated texts',
  parse: (given) => parseEach(given, (item) => item),
};

/** An http or https URL without a trailing slash. */
export const httpUrl: ValueType<string> = {
  name: 'URL',
  parse(given) {
    const url = parseHttpUrl(given);
    return url !== undefined && url.search === '' && url.hash === ''
      ? url.href.replace(/\/+$/, '')
      : new Refusal('write a full address with scheme and host, such as https://cairn.example.com/traces.');
  },
};

/** A path below which the server is reached: begins with a slash and does not end with one. */
export const rootPath: ValueType<string> = {
  name: 'path of a URL',
  parse: (given) =>
    /^(\/[A-Za-z0-9._~-]+)+$/.test(given) && !/\/\.{1,2}(\/|$)/.test(given)
      ? given
      : new Refusal(
          'begin with a slash and do not end with one, such as /traces; use only letters, digits, . _ ~ - and /.',
        ),
};

export const logLevel: ValueType<LogLevel> = {
  name: '`debug`, `info`, `warn` or `error`',
  parse: (given) => LOG_LEVELS.get(given.toLowerCase()) ?? new Refusal('write debug, info, warn or error.'),
};

/** One of a few words, in any case. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ValueType<Word> {
  return {
    name: words.map((word) => `\`${word}\``).join(' or '),
    parse: (given) => words.find((word) => word === given.toLowerCase()) ?? new Refusal(`write ${words.join(' or ')}.`),
  };
}

/** `warning` and `critical` are the names that Phoenix uses. */
const LOG_LEVELS = new Map<string, LogLevel>([
  ['debug', 'debug'],
  ['info', 'info'],
  ['warn', 'warn'],
  ['warning', 'warn'],
  ['error', 'error'],
  ['critical', 'error'],
]);

function isHostName(name: string): boolean {
  return name.length <= 253 && /^(?!-)[a-z0-9_-]{1,63}(\.(?!-)[a-z0-9_-]{1,63})*\.?$/.test(name);
}

function parseHttpUrl(given: string): URL | undefined {
  const url = URL.parse(given);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain ? url : undefined;
}

/** The items of a comma-separated list. Positions are counted from one, over all items between commas. */
export function parseEach<Value>(
  given: string,
  parse: (item: string, position: number) => Value | Refusal,
): readonly Value[] | Refusal {
  const values: Value[] = [];
  for (const [index, part] of given.split(',').entries()) {
    const item = part.trim();
    if (item === '') continue;
    const value = parse(item, index + 1);
    if (value instanceof Refusal) return value;
    values.push(value);
  }
  return values;
}
