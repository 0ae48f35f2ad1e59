import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NO_TLS, type PostgresAddress, type PostgresLogin } from '../engine/postgres-address.ts';
import { presign } from './aws-signature.ts';
import { passwordSource, rdsToken } from './passwords.ts';

describe('the signature of AWS', () => {
  it('is that of the example in its documentation', () => {
    const url = presign(
      {
        host: 'examplebucket.s3.amazonaws.com',
        path: '/test.txt',
        query: {},
        region: 'us-east-1',
        service: 's3',
        lifetimeSeconds: 86_400,
        payloadHash: 'UNSIGNED-PAYLOAD',
      },
      {
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        sessionToken: null,
      },
      new Date('2013-05-24T00:00:00Z'),
    );
    expect(url).toBe(
      'examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });

  it('is that of another implementation for a database', () => {
    const address = { host: 'prod-instance.us-east-1.rds.amazonaws.com', port: 3306, user: 'mysqlUser' };
    const credentials = { accessKeyId: 'AKIA', secretAccessKey: 'SECRET', sessionToken: 'SESSION' };
    expect(rdsToken(address, 'us-west-2', credentials, new Date('2025-01-01T00:00:01Z'))).toBe(
      'prod-instance.us-east-1.rds.amazonaws.com:3306/?Action=connect&DBUser=mysqlUser&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA%2F20250101%2Fus-west-2%2Frds-db%2Faws4_request&X-Amz-Date=20250101T000001Z&X-Amz-Expires=900&X-Amz-Security-Token=SESSION&X-Amz-SignedHeaders=host&X-Amz-Signature=4e4ce10c7b3710decae757df60ba2519348dcb4db802f15646dce1bf5e17c3ed',
    );
  });
});

describe('what a connection logs in with', () => {
  it('is the password as it was given', async () => {
    expect(await passwordSource(addressWith({ kind: 'password', password: 'p' }))()).toBe('p');
    expect(await passwordSource(addressWith({ kind: 'password', password: null }))()).toBe('');
  });

  it("is a token of Azure's machine, kept until shortly before its end", async () => {
    let endsIn = 200;
    const service = await serve(() => ({
      access_token: `t${service.asked.length}`,
      expires_on: `${epoch() + endsIn}`,
    }));
    const source = azure({ AZURE_POD_IDENTITY_AUTHORITY_HOST: service.url, AZURE_CLIENT_ID: 'who' });
    expect(await source()).toBe('t1');
    endsIn = 3600;
    expect(await Promise.all([source(), source()])).toEqual(['t2', 't2']);
    expect(await source()).toBe('t2');
    expect(service.asked[0]).toMatchObject({
      url: '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fossrdbms-aad.database.windows.net&client_id=who',
      headers: { metadata: 'true' },
    });
  });

  it('is a token of App Service, or one for a federated token or a secret', async () => {
    const service = await serve(() => ({ access_token: 't', expires_in: 3600 }));
    expect(await azure({ IDENTITY_ENDPOINT: `${service.url}/msi`, IDENTITY_HEADER: 'proof' })()).toBe('t');
    expect(service.asked[0]).toMatchObject({
      url: '/msi?api-version=2019-08-01&resource=https%3A%2F%2Fossrdbms-aad.database.windows.net',
      headers: { 'x-identity-header': 'proof' },
    });
    const tenant = { AZURE_TENANT_ID: 'tenant', AZURE_CLIENT_ID: 'who', AZURE_AUTHORITY_HOST: `${service.url}/` };
    expect(await azure({ ...tenant, AZURE_FEDERATED_TOKEN_FILE: temporaryFile('jwt\n') })()).toBe('t');
    expect(await azure({ ...tenant, AZURE_CLIENT_SECRET: 'secret' })()).toBe('t');
    expect(service.asked.slice(1)).toMatchObject([
      { url: '/tenant/oauth2/v2.0/token', body: expect.stringContaining('client_assertion=jwt&') as string },
      { url: '/tenant/oauth2/v2.0/token', body: expect.stringContaining('client_secret=secret&') as string },
    ]);
  });

  it('fails with what the service says, and asks again for the next connection', async () => {
    const answers: (object | number)[] = [403, {}, { access_token: 't', expires_in: 3600 }];
    const service = await serve(() => answers.shift() ?? 500);
    const source = azure({ AZURE_POD_IDENTITY_AUTHORITY_HOST: service.url });
    await expect(source()).rejects.toThrow("Azure's identity service responded with 403: {}");
    await expect(source()).rejects.toThrow('sent a response without a token');
    expect(await source()).toBe('t');
    const absent = azure({ AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://127.0.0.1:1' });
    await expect(absent()).rejects.toThrow("Azure's identity service cannot be reached at http://127.0.0.1:1");
  });

  it('is signed anew with the credentials of AWS, wherever they are', async () => {
    const keys = { AccessKeyId: 'id', SecretAccessKey: 'key', Token: 'session', Expiration: '2099-01-01T00:00:00Z' };
    const service = await serve(({ url = '' }) => {
      if (url.startsWith('/latest/api/token')) return 'metadata-token';
      if (url.endsWith('/security-credentials/')) return 'role';
      if (url === '/')
        return `<Credentials><AccessKeyId>web</AccessKeyId><SecretAccessKey>key</SecretAccessKey></Credentials>`;
      return keys;
    });
    const none = { AWS_SHARED_CREDENTIALS_FILE: '/nowhere' };
    const signer = async (environment: Record<string, string>) =>
      new URLSearchParams((await aws(environment)()).split('?')[1]).get('X-Amz-Credential')?.split('/')[0];
    expect(await signer({ AWS_ACCESS_KEY_ID: 'env', AWS_SECRET_ACCESS_KEY: 'key' })).toBe('env');
    const web = { AWS_WEB_IDENTITY_TOKEN_FILE: temporaryFile('jwt'), AWS_ROLE_ARN: 'arn' };
    expect(await signer({ ...web, AWS_ENDPOINT_URL_STS: service.url })).toBe('web');
    const shared =
      '[other]\naws_access_key_id = no\n[ mine ]\naws_access_key_id=file\naws_secret_access_key = key # x\n';
    expect(await signer({ AWS_SHARED_CREDENTIALS_FILE: temporaryFile(shared), AWS_PROFILE: 'mine' })).toBe('file');
    expect(await signer({ ...none, AWS_CONTAINER_CREDENTIALS_FULL_URI: `${service.url}/container` })).toBe('id');
    expect(await signer({ ...none, AWS_EC2_METADATA_SERVICE_ENDPOINT: service.url })).toBe('id');
    expect(service.asked.at(-1)).toMatchObject({
      url: '/latest/meta-data/iam/security-credentials/role',
      headers: { 'x-aws-ec2-metadata-token': 'metadata-token' },
    });
    const absent = aws({ ...none, AWS_EC2_METADATA_SERVICE_ENDPOINT: 'http://127.0.0.1:1' });
    await expect(absent()).rejects.toThrow(
      /the environment and ~\/\.aws contain no AWS credentials, and the machine's/,
    );
  });

  it('takes the region from the host where nothing else says it', async () => {
    const environment = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' };
    const source = passwordSource({
      ...addressWith({ kind: 'aws', environment }),
      host: 'db.c9akciq32.eu-north-1.rds.amazonaws.com',
    });
    expect(await source()).toContain('%2Feu-north-1%2Frds-db%2F');
    expect(() => passwordSource(addressWith({ kind: 'aws', environment }))).toThrow(/Set AWS_REGION/);
  });
});

function azure(environment: Record<string, string>) {
  const scope = 'https://ossrdbms-aad.database.windows.net/.default';
  return passwordSource(addressWith({ kind: 'azure', scope, environment }));
}

function aws(environment: Record<string, string>) {
  return passwordSource(addressWith({ kind: 'aws', environment: { AWS_REGION: 'eu-west-1', ...environment } }));
}

function addressWith(login: PostgresLogin): PostgresAddress {
  return { host: 'db.example', port: 5432, database: 'd', user: 'u', login, tls: NO_TLS, schema: null };
}

function epoch(): number {
  return Math.floor(Date.now() / 1000);
}

function temporaryFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-credentials-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file'), content);
  return join(folder, 'file');
}

interface Asked {
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A service that answers with an object as JSON, with text as it is, or with a status. */
async function serve(answer: (request: IncomingMessage) => object | string | number) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ url: request.url, headers: request.headers, body });
      const given = answer(request);
      if (typeof given === 'number') response.statusCode = given;
      response.end(typeof given === 'string' ? given : JSON.stringify(typeof given === 'number' ? {} : given));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
