/** What a connection proves who it is with. */
import { AppError } from '#base/errors';
import type { CloudEnvironment, PostgresAddress } from '../engine/postgres-address.ts';
import { findAwsCredentials } from './aws-credentials.ts';
import { type AwsCredentials, NO_PAYLOAD, presign } from './aws-signature.ts';
import { fetchAzureToken } from './azure-token.ts';
import { keepUntilEnd } from './cloud-http.ts';

/** Asked for each new connection. */
export type PasswordSource = () => Promise<string>;

/** The password as the address says it, or a token, which is kept until shortly before its end. */
export function passwordSource(address: PostgresAddress): PasswordSource {
  const { login } = address;
  switch (login.kind) {
    case 'password':
      return async () => login.password ?? '';
    case 'azure': {
      const token = keepUntilEnd(() => fetchAzureToken(login.scope, login.environment));
      return async () => (await token()).token;
    }
    case 'aws': {
      const region = regionOf(address.host, login.environment);
      const credentials = keepUntilEnd(() => findAwsCredentials(login.environment, region));
      return async () => rdsToken(address, region, await credentials(), new Date());
    }
  }
}

/**
 * A token for a database of RDS: no server is asked for it.
 * https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/UsingWithRDS.IAMDBAuth.Connecting.html
 */
export function rdsToken(
  { host, port, user }: Pick<PostgresAddress, 'host' | 'port' | 'user'>,
  region: string,
  credentials: AwsCredentials,
  at: Date,
): string {
  return presign(
    {
      host: `${host}:${port}`,
      path: '/',
      query: { Action: 'connect', DBUser: user },
      region,
      service: 'rds-db',
      lifetimeSeconds: 900,
      payloadHash: NO_PAYLOAD,
    },
    credentials,
    at,
  );
}

/** @throws AppError `failed_precondition` where nobody says it */
function regionOf(host: string, environment: CloudEnvironment): string {
  const region =
    environment['AWS_REGION'] ??
    environment['AWS_DEFAULT_REGION'] ??
    /\.([a-z0-9-]+)\.rds\.amazonaws\.com(?:\.cn)?$/.exec(host)?.[1];
  if (region !== undefined) return region;
  throw new AppError('failed_precondition', `Set AWS_REGION: the host name ${host} does not contain a region.`);
}
