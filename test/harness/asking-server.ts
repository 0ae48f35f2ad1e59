/** A server that asks for credentials, and a key to it. */
import { startTestServer, type TestServer } from './server.ts';

/** What {@link startAskingServer} starts. */
export interface AskingServer extends TestServer {
  /** Of the system: reads and writes, as members do. */
  readonly key: string;
  /** The header of the secret that makes an administrator of its sender. */
  readonly admin: Readonly<Record<string, string>>;
}

const ADMIN_SECRET = 'an-admin-secret-of-tests-9876543210';

/** Settings with which a server asks for credentials. */
export const ASKING = {
  ENABLE_AUTH: 'true',
  SECRET: 'a-secret-of-tests-0123456789-abcdef',
  ADMIN_SECRET,
};

/** The header of {@link ASKING}'s administrator. */
export const AS_ADMIN = { authorization: `Bearer ${ADMIN_SECRET}` };

/** Starts one, and makes the key. */
export async function startAskingServer(settings: Readonly<Record<string, string>> = {}): Promise<AskingServer> {
  const server = await startTestServer({ ...ASKING, ...settings });
  return { ...server, key: (await makeSystemKey(server.url)).key, admin: AS_ADMIN };
}

/** A key, and what it is deleted by. */
export interface MadeKey {
  readonly key: string;
  readonly id: string;
}

/** Makes a key of the system. @param limits to what it is narrowed, as the interface calls it */
export async function makeSystemKey(url: string, limits: Readonly<Record<string, unknown>> = {}): Promise<MadeKey> {
  const response = await fetch(`${url}/v1/system/api_keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...AS_ADMIN },
    body: JSON.stringify({ data: { name: 'test', ...limits } }),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: MadeKey }).data;
}
