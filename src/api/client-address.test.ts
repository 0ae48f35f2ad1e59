import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clientAddress, shareOfAddress } from './client-address.ts';

const PROXIES = new BlockList();
PROXIES.addSubnet('10.0.0.0', 8, 'ipv4');
PROXIES.addAddress('fd00::1', 'ipv6');

describe('the address of a client', () => {
  it.each<[string | undefined, string | undefined, string | undefined, string]>([
    ['192.0.2.1', '198.51.100.7', '192.0.2.1', 'what a stranger claims does not count'],
    ['10.0.0.1', undefined, '10.0.0.1', 'a proxy may call itself'],
    ['10.0.0.1', '198.51.100.7', '198.51.100.7', 'what a trusted proxy says counts'],
    ['10.0.0.1', '198.51.100.7, 10.0.0.2', '198.51.100.7', 'also over several proxies'],
    ['10.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7', 'what the client itself wrote before does not'],
    ['10.0.0.1', '198.51.100.7, unknown', '10.0.0.1', 'nothing before a malformed entry counts'],
    ['10.0.0.1', '198.51.100.7, ', '10.0.0.1', 'nor before an empty one'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3', 'the first of a chain of proxies, if nothing else is there'],
    ['::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7', 'mapped addresses are the same'],
    ['10.0.0.1', '[2001:DB8::7]:4711', '2001:db8::7', 'ports do not count'],
    ['fd00::1', '198.51.100.7:4711', '198.51.100.7', 'nor those of IPv4'],
    ['fe80::1%eth0', undefined, 'fe80::1', 'zones do not count'],
    [undefined, '198.51.100.7', undefined, 'a connection that is gone has none'],
  ])('of %s with %s is %s: %s', (peer, forwardedFor, address, _why) => {
    expect(clientAddress(peer, forwardedFor, PROXIES)).toBe(address);
  });

  it('is the other end of the connection while no proxy is trusted', () => {
    expect(clientAddress('10.0.0.1', '198.51.100.7', null)).toBe('10.0.0.1');
  });

  it('is found in a header of any length', () => {
    expect(clientAddress('10.0.0.1', `${'1.1.1.1,'.repeat(100_000)}198.51.100.7`, PROXIES)).toBe('198.51.100.7');
    expect(clientAddress('10.0.0.1', '10.0.0.2,'.repeat(1000), PROXIES)).toBe('10.0.0.1');
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:0db8:0001::', '2001:db8:1:0::/64'],
  ['1::4:5:6:7:8', '1:0:0:4::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
])('%s is of the share %s', (address, share) => {
  expect(shareOfAddress(address)).toBe(share);
});
