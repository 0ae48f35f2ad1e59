/** Servers that ask for credentials. */
import { type BenchServer, startBenchServer } from '../server-process.ts';

/** A row of the table. */
export interface AuthRow {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly isMet: boolean;
}

const SECRET = 'a-secret-of-the-benchmark-0123456789';
const ADMIN_SECRET = 'the-admin-secret-of-the-benchmark-0123';

/** Starts one, and makes a key of the system. */
export async function startAuthServer(
  variables: Readonly<Record<string, string>> = {},
): Promise<{ readonly server: BenchServer; readonly key: string }> {
  const server = await startBenchServer(undefined, [], {
    SERVICE_ENABLE_AUTH: 'true',
    SERVICE_SECRET: SECRET,
    SERVICE_ADMIN_SECRET: ADMIN_SECRET,
    ...variables,
  });
  const response = await fetch(`${server.httpUrl}/v1/system/api_keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_SECRET}` },
    body: JSON.stringify({ data: { name: 'benchmark' } }),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: { key: string } };
  return { server, key: data.key };
}

/** Signs the built-in administrator in, or tries to. @returns the status */
export async function signIn({ httpUrl }: BenchServer, email: string, password: string): Promise<number> {
  const response = await fetch(`${httpUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  await response.arrayBuffer();
  return response.status;
}
