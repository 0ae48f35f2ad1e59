/** Who this program is to AWS, asked in the order of AWS's own libraries. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '#base/errors';
import type { CloudEnvironment } from '../engine/postgres-address.ts';
import type { AwsCredentials } from './aws-signature.ts';
import { askCloud, memberOf } from './cloud-http.ts';

/** Credentials, and until when they are good; for ever with infinity. */
export interface KeptCredentials extends AwsCredentials {
  readonly endsAtMs: number;
}

/**
 * From the environment, a token of Kubernetes, the shared file, a container's service or a virtual machine's.
 * @throws Error with what was asked last, and the answer
 */
export async function findAwsCredentials(environment: CloudEnvironment, region: string): Promise<KeptCredentials> {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = environment;
  if (id !== undefined && secret !== undefined) {
    return forEver(id, secret, environment['AWS_SESSION_TOKEN']);
  }
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: role } = environment;
  if (file !== undefined && role !== undefined) return assumeRole(file, role, region, environment);
  return (await readSharedFile(environment)) ?? askContainer(environment) ?? askMachine(environment);
}

function forEver(accessKeyId: string, secretAccessKey: string, token: string | undefined): KeptCredentials {
  return { accessKeyId, secretAccessKey, sessionToken: token ?? null, endsAtMs: Number.POSITIVE_INFINITY };
}

/** Nobody signs this question: the token is the proof. */
async function assumeRole(
  file: string,
  role: string,
  region: string,
  environment: CloudEnvironment,
): Promise<KeptCredentials> {
  const query = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: environment['AWS_ROLE_SESSION_NAME'] ?? 'cairn',
    WebIdentityToken: (await readFile(file, 'utf8')).trim(),
  });
  const host = environment['AWS_ENDPOINT_URL_STS'] ?? `https://sts.${region}.amazonaws.com`;
  const answer = await askCloud(host, { method: 'POST', body: query }, "AWS's token service");
  const member = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(answer)?.[1];
  return toCredentials(member('AccessKeyId'), member('SecretAccessKey'), member('SessionToken'), member('Expiration'));
}

/** `~/.aws/credentials`; undefined where it has no keys of the profile. */
async function readSharedFile(environment: CloudEnvironment): Promise<KeptCredentials | undefined> {
  const path = environment['AWS_SHARED_CREDENTIALS_FILE'] ?? join(homedir(), '.aws/credentials');
  const text = await readFile(path, 'utf8').catch(() => '');
  const profile = readProfile(text, environment['AWS_PROFILE'] ?? 'default');
  const [id, secret] = [profile.get('aws_access_key_id'), profile.get('aws_secret_access_key')];
  return id === undefined || secret === undefined ? undefined : forEver(id, secret, profile.get('aws_session_token'));
}

function readProfile(text: string, wanted: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let isWanted = false;
  for (const line of text.split('\n')) {
    const header = /^\s*\[\s*(.+?)\s*\]/.exec(line)?.[1];
    if (header !== undefined) isWanted = header === wanted;
    const [, name, value] = /^\s*([^#;=\s]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isWanted && name !== undefined && value !== undefined) values.set(name, value);
  }
  return values;
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html */
function askContainer(environment: CloudEnvironment): Promise<KeptCredentials> | undefined {
  const path = environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
  const url = path === undefined ? environment['AWS_CONTAINER_CREDENTIALS_FULL_URI'] : `http://169.254.170.2${path}`;
  if (url === undefined) return undefined;
  return (async () => {
    const file = environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
    const proof = file === undefined ? environment['AWS_CONTAINER_AUTHORIZATION_TOKEN'] : await readFile(file, 'utf8');
    const headers = proof === undefined ? {} : { authorization: proof.trim() };
    return readJson(await askCloud(url, { headers }, "the container's credential service"));
  })();
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html, its second version alone. */
async function askMachine(environment: CloudEnvironment): Promise<KeptCredentials> {
  const host = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'] ?? 'http://169.254.169.254';
  try {
    const token = await askCloud(
      `${host}/latest/api/token`,
      { method: 'PUT', headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '300' } },
      MACHINE,
    );
    const headers = { 'x-aws-ec2-metadata-token': token };
    const roles = `${host}/latest/meta-data/iam/security-credentials/`;
    const role = (await askCloud(roles, { headers }, MACHINE)).trim();
    return readJson(await askCloud(`${roles}${encodeURIComponent(role)}`, { headers }, MACHINE));
  } catch (error) {
    throw new Error(`the environment and ~/.aws contain no AWS credentials, and ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

const MACHINE = "the machine's metadata service";

function readJson(answer: string): KeptCredentials {
  const member = (name: string) => memberOf(answer, name);
  return toCredentials(member('AccessKeyId'), member('SecretAccessKey'), member('Token'), member('Expiration'));
}

function toCredentials(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  sessionToken: string | undefined,
  expiration: string | undefined,
): KeptCredentials {
  if (accessKeyId === undefined || secretAccessKey === undefined) throw new Error('AWS sent a response without keys');
  const endsAtMs = Date.parse(expiration ?? '');
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: sessionToken ?? null,
    endsAtMs: Number.isNaN(endsAtMs) ? 0 : endsAtMs,
  };
}
