/** The address of the client of a request, behind the reverse proxies that are trusted. */
import { type BlockList, isIP } from 'node:net';

/**
 * The nearest address that is no trusted proxy: the other end of the connection, or an entry of `X-Forwarded-For`, read from its
 * end. Each proxy appends the address that it was called from, so an entry counts only if a trusted proxy wrote it; everything
 * before one that is no address could be made up. `undefined` when the connection is gone.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: BlockList | null,
): string | undefined {
  let nearest = peer === undefined ? undefined : parseAddress(peer);
  if (trustedProxies === null || forwardedFor === undefined) return nearest;
  for (const entry of forwardedFor.slice(-MAX_CHARACTERS).split(',').toReversed()) {
    if (nearest === undefined || !isIn(trustedProxies, nearest)) return nearest;
    const before = parseAddress(entry.trim());
    if (before === undefined) return nearest;
    nearest = before;
  }
  return nearest;
}

/** What one subscriber has of the addresses: one of IPv4, a network of 64 bits of IPv6. @param address as {@link clientAddress} gives it */
export function shareOfAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = front.concat(Array<string>(gap).fill('0'), back);
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Longer than a chain of proxies makes the header. */
const MAX_CHARACTERS = 4096;

/** An address as `[::1]:80`, `192.0.2.1:80`, `::ffff:192.0.2.1` or plain; zones are dropped. */
function parseAddress(text: string): string | undefined {
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d+)?|([0-9.]+):\d+)$/.exec(text) ?? [];
  const address = (bracketed ?? withPort ?? text).replace(/%.*$/, '').replace(/^::ffff:(?=[0-9.]+$)/i, '');
  return isIP(address) === 0 ? undefined : address.toLowerCase();
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
