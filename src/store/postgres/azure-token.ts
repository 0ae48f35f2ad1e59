/** Tokens of Azure's managed identities, with which PostgreSQL there lets a program in instead of with a password. */
import { readFile } from 'node:fs/promises';
import type { CloudEnvironment } from '../engine/postgres-address.ts';
import { askCloud, memberOf } from './cloud-http.ts';

/** A token, and until when it is good. */
export interface AzureToken {
  readonly token: string;
  readonly endsAtMs: number;
}

/**
 * Asks whoever knows this program, in the order of Azure's own libraries: a client secret, a federated token (Kubernetes), the
 * service of App Service and Container Apps, the one of virtual machines.
 * @throws Error with what was asked, and the answer
 */
export function fetchAzureToken(scope: string, environment: CloudEnvironment): Promise<AzureToken> {
  const { AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: client, AZURE_CLIENT_SECRET: secret } = environment;
  const { AZURE_FEDERATED_TOKEN_FILE: file, IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: header } = environment;
  if (tenant !== undefined && client !== undefined) {
    const to = `${environment['AZURE_AUTHORITY_HOST'] ?? PUBLIC_CLOUD}`.replace(/\/+$/, '');
    const url = `${to}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
    if (secret !== undefined) return exchange(url, { scope, client_id: client, client_secret: secret });
    if (file !== undefined) return exchangeFile(url, scope, client, file);
  }
  const resource = scope.replace(/\/\.default$/, '');
  const query = new URLSearchParams({ resource, ...(client === undefined ? {} : { client_id: client }) }).toString();
  if (endpoint !== undefined && header !== undefined) {
    return ask(`${endpoint}?api-version=2019-08-01&${query}`, { 'x-identity-header': header });
  }
  const host = environment['AZURE_POD_IDENTITY_AUTHORITY_HOST'] ?? MACHINE;
  return ask(`${host}/metadata/identity/oauth2/token?api-version=2018-02-01&${query}`, { metadata: 'true' });
}

const PUBLIC_CLOUD = 'https://login.microsoftonline.com';

/** https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token */
const MACHINE = 'http://169.254.169.254';

async function ask(url: string, headers: Record<string, string>): Promise<AzureToken> {
  return read(await askCloud(url, { headers }, WHO));
}

async function exchangeFile(url: string, scope: string, client: string, file: string): Promise<AzureToken> {
  return exchange(url, {
    scope,
    client_id: client,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: (await readFile(file, 'utf8')).trim(),
  });
}

async function exchange(url: string, form: Record<string, string>): Promise<AzureToken> {
  const body = new URLSearchParams({ ...form, grant_type: 'client_credentials' });
  return read(await askCloud(url, { method: 'POST', body }, WHO));
}

const WHO = "Azure's identity service";

/** Some say when it ends, others how long it is good; what says neither is used once. */
function read(answer: string): AzureToken {
  const token = memberOf(answer, 'access_token');
  if (token === undefined) throw new Error(`${WHO} sent a response without a token`);
  const endsAt = Number(memberOf(answer, 'expires_on')) * 1000;
  const endsIn = Date.now() + Number(memberOf(answer, 'expires_in') ?? 0) * 1000;
  return { token, endsAtMs: Number.isFinite(endsAt) ? endsAt : endsIn };
}
