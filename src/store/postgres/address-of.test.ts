import { expect, it } from 'vitest';
import { Secret } from '#base/secret';
import { NO_TLS } from '../engine/postgres-address.ts';
import { addressOf } from './address-of.ts';

const SERVER = { host: 'h', port: 5432, database: 'd', user: 'u' };

it('makes of a configured server what a thread can be handed', () => {
  const tls = { ...NO_TLS, mode: 'require', keyPassword: new Secret('k') } as const;
  const environment = { AWS_REGION: new Secret('r') };
  const addresses = [
    addressOf({ ...SERVER, tls, login: { kind: 'password', password: new Secret('p') } }, 's'),
    addressOf({ ...SERVER, tls, login: { kind: 'password', password: null } }, null),
    addressOf({ ...SERVER, tls, login: { kind: 'aws', environment } }, null),
    addressOf({ ...SERVER, tls, login: { kind: 'azure', scope: 'scope', environment: {} } }, null),
  ];
  const plain = { ...SERVER, tls: { ...tls, keyPassword: 'k' }, schema: null };
  expect(structuredClone(addresses)).toEqual([
    { ...plain, schema: 's', login: { kind: 'password', password: 'p' } },
    { ...plain, login: { kind: 'password', password: null } },
    { ...plain, login: { kind: 'aws', environment: { AWS_REGION: 'r' } } },
    { ...plain, login: { kind: 'azure', scope: 'scope', environment: {} } },
  ]);
});
