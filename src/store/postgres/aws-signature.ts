/** Signature Version 4 in the query of a URL: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html */
import { createHash, createHmac } from 'node:crypto';

/** Who signs. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

/** What is signed: a GET without a body. */
export interface AwsRequest {
  /** With the port where it is not the usual one. */
  readonly host: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly region: string;
  readonly service: string;
  readonly lifetimeSeconds: number;
  /** In hexadecimal, or the word that stands for a body that is not signed. */
  readonly payloadHash: string;
}

/** The SHA-256 of nothing. */
export const NO_PAYLOAD = sha256('');

/** The URL without its scheme, good from the time on. */
export function presign(request: AwsRequest, credentials: AwsCredentials, at: Date): string {
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const date = time.slice(0, 'YYYYMMDD'.length);
  const scope = `${date}/${request.region}/${request.service}/aws4_request`;
  const query = encodeQuery({
    ...request.query,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${credentials.accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(request.lifetimeSeconds),
    'X-Amz-SignedHeaders': 'host',
    ...(credentials.sessionToken === null ? {} : { 'X-Amz-Security-Token': credentials.sessionToken }),
  });
  const canonical = ['GET', request.path, query, `host:${request.host}\n`, 'host', request.payloadHash].join('\n');
  const toSign = [ALGORITHM, time, scope, sha256(canonical)].join('\n');
  const key = [date, request.region, request.service, 'aws4_request'].reduce<string | Buffer>(
    (last, part) => hmac(last, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  return `${request.host}${request.path}?${query}&X-Amz-Signature=${hmac(key, toSign).toString('hex')}`;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** Sorted by the bytes of the names. */
function encodeQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

/** RFC 3986, which leaves fewer characters alone than `encodeURIComponent` does. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
