/** The kinds of value that only variables of authentication have. */
import { BlockList, isIP } from 'node:net';
import { Secret } from '#base/secret';
import { parseEach, Refusal, type ValueType } from './values.ts';

/** A text that nobody guesses. The words of a refusal say nothing of the text. */
export const strongSecret: ValueType<Secret> = {
  name: 'text, 32 characters or more',
  parse: (given) =>
    /^[\x21-\x7e]{32,}$/.test(given) && /[0-9]/.test(given) && /[a-z]/.test(given)
      ? new Secret(given)
      : new Refusal(
          'write at least 32 ASCII characters without white space, with a digit and a lower-case letter among them, such as the output of `openssl rand -hex 32`.',
        ),
};

/** An account to create. */
export interface NamedAccount {
  readonly username: string;
  /** In lower case. */
  readonly email: string;
}

/** `name=email;name=email`, where a name may hold any character but the semicolon. */
export const accountList: ValueType<readonly NamedAccount[]> = {
  name: '`name=email`, separated by semicolons',
  parse(given) {
    const accounts: NamedAccount[] = [];
    for (const part of given.split(';')) {
      if (part.trim() === '') continue;
      const split = part.lastIndexOf('=');
      const username = part.slice(0, Math.max(split, 0)).trim();
      const email = part
        .slice(split + 1)
        .trim()
        .toLowerCase();
      const shown = JSON.stringify(part.trim());
      if (split === -1 || username === '') return new Refusal(`${shown} is not an account; write name=email.`);
      if (!EMAIL.test(email)) return new Refusal(`${shown} has no valid e-mail address; write name=user@example.com.`);
      if (accounts.some((other) => other.username === username || other.email === email)) {
        return new Refusal(`${shown} repeats a name or an address; write each once.`);
      }
      accounts.push({ username, email });
    }
    return accounts;
  },
};

/** Something before the @, and a domain of two names or more after it. */
const EMAIL = /^[^\s@<>,;]+@[^\s@.<>,;]+(\.[^\s@.<>,;]+)+$/;

/** Host names from a list of origins; schemes and ports do not count. */
export const trustedHosts: ValueType<readonly string[]> = {
  name: 'comma-separated origins',
  parse: (given) =>
    parseEach(given, (item, position) => {
      const host = URL.parse(item)?.hostname ?? '';
      return host === ''
        ? new Refusal(`item ${position} is not an origin; write only scheme and host, such as https://app.example.com.`)
        : host.toLowerCase();
    }),
};

/** Where cookies are sent. A semicolon would end the attribute that holds it. */
export const cookiesPath: ValueType<string> = {
  name: 'path of a URL',
  parse: (given) =>
    /^\/[\x21-\x3a\x3c-\x7e]*$/.test(given)
      ? given
      : new Refusal('begin with a slash, such as / or /traces, and use ASCII without spaces and semicolons.'),
};

/** `user@example.com`, or with a name before it in angle brackets. */
export const mailSender: ValueType<string> = {
  name: 'e-mail address',
  parse(given) {
    const address = /^[^<>"\r\n]*<([^<>]*)>$/.exec(given)?.[1] ?? given;
    return EMAIL.test(address)
      ? given
      : new Refusal('write an e-mail address, such as cairn@example.com or Cairn <cairn@example.com>.');
  },
};

/** Addresses and networks, as `10.0.0.0/8`; `*` is every address. */
export const networkList: ValueType<BlockList> = {
  name: 'comma-separated addresses or networks',
  parse(given) {
    const list = new BlockList();
    const added = parseEach(given, (item, position) =>
      addNetwork(list, item)
        ? item
        : new Refusal(
            `item ${position} is not a network; write an IP address such as 10.1.2.3, or a network such as 10.0.0.0/8.`,
          ),
    );
    return added instanceof Refusal ? added : list;
  },
};

function addNetwork(list: BlockList, item: string): boolean {
  if (item === '*') return addNetwork(list, '0.0.0.0/0') && addNetwork(list, '::/0');
  const [address = '', prefix] = item.split('/');
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  if (version === 0 || (prefix !== undefined && (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits))) return false;
  list.addSubnet(address, prefix === undefined ? bits : Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
  return true;
}
