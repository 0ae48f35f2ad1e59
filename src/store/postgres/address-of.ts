import type { PostgresServerConfig } from '#config/postgres-config';
import type { CloudEnvironment, PostgresAddress, PostgresLogin } from '../engine/postgres-address.ts';

/** A server of the configuration as threads are handed it, with the texts of its secrets. */
export function addressOf(server: PostgresServerConfig, schema: string | null): PostgresAddress {
  const { tls } = server;
  return {
    ...server,
    login: loginOf(server.login),
    tls: { ...tls, keyPassword: tls.keyPassword?.reveal() ?? null },
    schema,
  };
}

function loginOf(login: PostgresServerConfig['login']): PostgresLogin {
  switch (login.kind) {
    case 'password':
      return { kind: 'password', password: login.password?.reveal() ?? null };
    case 'azure':
      return { kind: 'azure', scope: login.scope, environment: environmentOf(login.environment) };
    case 'aws':
      return { kind: 'aws', environment: environmentOf(login.environment) };
  }
}

function environmentOf(secrets: Readonly<Record<string, { reveal(): string }>>): CloudEnvironment {
  return Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]));
}
